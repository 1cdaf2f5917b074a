/*
 * Canonical encodings of polynomials: one byte string per value, strict both ways.
 *
 * Encoders take coefficients inside the stated range; that is the caller's promise and not checked.
 * Decoders trust nothing.  They start and end at a whole byte of the reader, and after any failure
 * the whole output array is zeroes:
 *   VLDAA_ERR_TRUNCATED  the input ends before the last coefficient;
 *   VLDAA_ERR_RANGE      a coefficient (a residue >= q, a value over max) is out of range;
 *   VLDAA_ERR_ENCODING   padding that is not zero, a ternary byte or missing digit that means
 *                        nothing.
 */
#ifndef VLDAA_PACK_H
#define VLDAA_PACK_H

#include "ring/ring.h"
#include "wire/bits.h"

/* The three fixed-width encodings also carry private keys: their time depends on lengths, and on
 * whether the input is well formed, only. */

/* Uniform elements: x mod q in [0, q), q_bits bits each, least significant bit first, zero padding
 * of the last byte (checked).  Centred coefficients in and out. */
size_t vldaa_pack_uniform_size(const vldaa_ring *r);
void vldaa_pack_uniform(const vldaa_ring *r, vldaa_writer *w, const int64_t *a);
void vldaa_unpack_uniform(const vldaa_ring *r, vldaa_reader *rd, int64_t *a);

/* Ternary elements: five coefficients a byte, base 3, (a + 1) with the least significant first; a
 * byte is at most 242; the last byte's missing digits are 0. n is the number of coefficients. */
size_t vldaa_pack_ternary_size(size_t n);
void vldaa_pack_ternary(vldaa_writer *w, const int64_t *a, size_t n);
void vldaa_unpack_ternary(vldaa_reader *rd, int64_t *a, size_t n);

/* Small integers |a| <= max < 2^15 at fixed width: (a + max) in ceil(log2(2 max + 1)) bits, least
 * significant first, zero padding (checked), range checked. */
size_t vldaa_pack_small_size(size_t n, uint32_t max);
void vldaa_pack_small(vldaa_writer *w, const int64_t *a, size_t n, uint32_t max);
void vldaa_unpack_small(vldaa_reader *rd, int64_t *a, size_t n, uint32_t max);

/*
 * Gaussian responses, Golomb-Rice: for each coefficient the low k bits of |a| (least significant
 * first), |a| >> k in unary (that many 1 bits, then a 0), then, only when a != 0, the sign (1:
 * negative). Bits fill bytes from the least significant; the last byte is padded with zeroes
 * (checked). k <= 50, |a| <= max <= 2^52; the unary part is given up as soon as it passes max >> k.
 * Decoding is public: variable time.  Encoding takes published values: variable time too.
 */
void vldaa_rice_encode_vartime(vldaa_writer *w, const int64_t *a, size_t n, uint32_t k);
void vldaa_rice_decode_vartime(vldaa_reader *rd, int64_t *a, size_t n, uint32_t k, uint64_t max);

#endif
