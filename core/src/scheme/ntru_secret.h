/*
 * The issuer's NTRU key in bytes: f, g, F at fixed width (wire/pack.h), as many bits as Falcon's
 * encoding: 1280 bytes for N = 512, 2304 for 1024.  G and h are computed again.
 */
#ifndef VLDAA_NTRU_SECRET_H
#define VLDAA_NTRU_SECRET_H

#include "sampler/ntru_key.h"
#include "wire/bits.h"

size_t vldaa_ntru_secret_size(const vldaa_ntru_set *set);
/* A complete key. */
void vldaa_ntru_secret_pack(const vldaa_ntru_set *set, vldaa_writer *w, const vldaa_ntru_key *key);
/*
 * A complete key and its h.  Trusts nothing: after any failure, and with VLDAA_ERR_KEY for bytes
 * that are well formed but no key, the reader has failed, and key and h are zeroes.
 */
void vldaa_ntru_secret_unpack(const vldaa_ntru_set *set, vldaa_reader *r, vldaa_ntru_key *key,
			      int64_t *h);

#endif
