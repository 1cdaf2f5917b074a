/* Join: the issuer's nonce and answer, the member's request. */
#include <stdlib.h>
#include <string.h>

#include "../result.h"
#include "../role/issuer.h"
#include "../store/secret.h"
#include "keys.h"
#include "table.h"

/* --- the issuer --------------------------------------------------------------------------------
 */

typedef struct {
	vldaa_p11_issuer issuer;
	uint8_t *secret;
	size_t secret_len;
} open_issuer;

static void close_issuer(open_issuer *i)
{
	vldaa_p11_issuer_close(&i->issuer);
	vldaa_p11_secret_free(i->secret, i->secret_len);
}

static CK_RV open_issuer_key(open_issuer *i, const vldaa_p11_step *step)
{
	CK_RV rv;

	memset(i, 0, sizeof *i);
	rv = vldaa_p11_object_secret(step->slot, step->key, &i->secret, &i->secret_len);
	if (rv == CKR_OK)
		rv = vldaa_p11_result(vldaa_p11_issuer_open(&i->issuer, &step->slot->store,
							    i->secret, i->secret_len, 0));
	if (rv != CKR_OK)
		close_issuer(i);
	return rv;
}

/* Seconds in decimal, up to a century; 0 when it is none. */
static int64_t read_lifetime(const uint8_t *text, size_t len)
{
	int64_t seconds = 0;

	if (len == 0)
		return 86400;
	if (len > 10 || text[0] == '0')
		return 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		seconds = 10 * seconds + (text[i] - '0');
	}
	return seconds <= 3155760000 ? seconds : 0;
}

CK_RV vldaa_p11_join_nonce(const vldaa_p11_step *step)
{
	const int64_t lifetime = read_lifetime(step->data, step->data_len);
	open_issuer i;
	CK_RV rv;

	if (lifetime == 0)
		return CKR_DATA_INVALID;
	rv = open_issuer_key(&i, step);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(
	    vldaa_p11_issuer_nonce(&i.issuer, lifetime, step->out, step->cap, step->len));
	close_issuer(&i);
	return rv;
}

CK_RV vldaa_p11_join_issue(const vldaa_p11_step *step)
{
	const vldaa_p11_attributes *a = &step->key->attributes;
	const vldaa_p11_attribute *revocation =
	    vldaa_p11_attributes_find(a, CKA_VLDAA_REVOCATION_KEY);
	const vldaa_p11_attribute *roots = vldaa_p11_attributes_find(a, CKA_VLDAA_ROOTS);
	const vldaa_p11_attribute *fleet = vldaa_p11_attributes_find(a, CKA_VLDAA_FLEET_KEY);
	const vldaa_p11_issuer_terms terms = {
	    {revocation->value, revocation->len, fleet->value}, roots->value, roots->len};
	open_issuer i;
	CK_RV rv;

	/* Without these nobody could be told apart, or revoked. */
	if (revocation->len == 0 || roots->len == 0)
		return CKR_TEMPLATE_INCOMPLETE;
	rv = open_issuer_key(&i, step);
	if (rv != CKR_OK)
		return rv;
	rv = vldaa_p11_result(vldaa_p11_issuer_answer(&i.issuer, &terms, step->data, step->data_len,
						      step->parameter->len != 0, step->out,
						      step->cap, step->len));
	close_issuer(&i);
	return rv;
}

/* --- the member --------------------------------------------------------------------------------
 */

CK_RV vldaa_p11_join_request(const vldaa_p11_step *step)
{
	const size_t count = vldaa_p11_certificates(step->slot, NULL);
	vldaa_p11_der *list = calloc(count + 1, sizeof *list);
	vldaa_p11_open_member m;
	CK_RV rv =
	    list != NULL ? vldaa_p11_member_open(&m, step->slot, step->key) : CKR_HOST_MEMORY;

	if (rv == CKR_OK) {
		(void)vldaa_p11_certificates(step->slot, list);
		rv = vldaa_p11_result(vldaa_p11_member_request(&m.member, list, count, step->data,
							       step->data_len, step->out, step->cap,
							       step->len));
		vldaa_p11_member_close(&m);
	}
	free(list);
	return rv;
}
