/*
 * Calls that a client makes on tokens in use, up to four of them in a row: any mechanism, with any
 * parameter, data and template, on any key.
 *
 * What would take milliseconds without being of use here is not called: Setup, and what a member
 * that has joined makes pseudonyms for.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_pkcs11.h"

enum { MAX_CALLS = 4, MAX_KEYS = 48, MAX_MADE = 8, MAX_ATTRIBUTES = 5 };

static CK_OBJECT_HANDLE keys[3][MAX_KEYS], joined;
static CK_ULONG key_count[3];

/* What this input has made: session and object. */
static struct {
	CK_SESSION_HANDLE session;
	CK_OBJECT_HANDLE object;
} made[MAX_MADE];
static size_t made_count;

static void enter(void)
{
	static int is_in;

	fuzz_token_enter("VLDAA2-44");
	if (is_in)
		return;
	is_in = 1;
	for (int place = 0; place < 3; place++) {
		require(p11->C_FindObjectsInit(user[place], NULL, 0) == CKR_OK);
		require(p11->C_FindObjects(user[place], keys[place], MAX_KEYS, &key_count[place]) ==
			CKR_OK);
		require(p11->C_FindObjectsFinal(user[place]) == CKR_OK);
	}
	joined = find_key(user[CAR], CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
}

/* --- what calls are made of --------------------------------------------------------------------
 */

typedef struct {
	tape *t;
	int place;
	CK_MECHANISM mechanism;
	bytes parameter;
	CK_ATTRIBUTE templ[MAX_ATTRIBUTES];
	bytes values[MAX_ATTRIBUTES];
	CK_ULONG count;
} call;

static CK_OBJECT_HANDLE any_object(const call *c)
{
	const unsigned which = tape_byte(c->t);

	if (which >= 0xf8)
		return which & 7 ? made[which % MAX_MADE].object : which;
	return keys[c->place][which % key_count[c->place]];
}

static int is_slow(const CK_MECHANISM *m)
{
	return m->mechanism == CKM_VLDAA_SETUP || m->mechanism == CKM_VLDAA_CREATE ||
	       m->mechanism == CKM_VLDAA_SIGN || m->mechanism == CKM_VLDAA_SIGN_COMPACT;
}

static void read_mechanism(call *c)
{
	const unsigned which = tape_byte(c->t);

	c->parameter = tape_blob(c->t);
	c->mechanism.mechanism = which < 0xe0  ? CKM_VLDAA_SETUP + which % 13
				 : (which & 1) ? 0x1d
					       : tape_u16(c->t);
	c->mechanism.pParameter = which == 0xdf ? NULL : c->parameter.data;
	c->mechanism.ulParameterLen = c->parameter.len;
}

static CK_ATTRIBUTE_TYPE any_type(tape *t)
{
	static const CK_ATTRIBUTE_TYPE types[] = {
	    CKA_CLASS,      CKA_TOKEN,       CKA_PRIVATE,     CKA_LABEL,           CKA_VALUE,
	    CKA_ID,         CKA_KEY_TYPE,    CKA_SIGN,        CKA_VERIFY,          CKA_SENSITIVE,
	    CKA_MODIFIABLE, CKA_COPYABLE,    CKA_DESTROYABLE, CKA_START_DATE,      CKA_SUBJECT,
	    CKA_DERIVE,     CKA_EXTRACTABLE, CKA_APPLICATION, CKA_CERTIFICATE_TYPE};
	const unsigned which = tape_byte(t);

	if (which < 0x40)
		return CKA_VLDAA_ROLE + which % 12;
	if (which < 0xf0)
		return types[which % (sizeof types / sizeof types[0])];
	return tape_u16(t);
}

/* Numbers that mean something, flags, blobs. */
static bytes any_value(tape *t)
{
	static const CK_ULONG numbers[] = {CKO_DATA,        CKO_PUBLIC_KEY, CKO_CERTIFICATE,
					   CKO_PRIVATE_KEY, CKK_VLDAA,      0x4a};
	const unsigned which = tape_byte(t);
	tape flag = {(const uint8_t[]){1, (uint8_t)(which & 1)}, 2};
	tape number = {(const uint8_t *)&numbers[which % 6], sizeof numbers[0]};
	bytes b;

	if (which < 0x40)
		return tape_raw(&flag);
	if (which < 0x80) {
		b.len = number.left;
		b.data = malloc(b.len);
		require(b.data != NULL);
		memcpy(b.data, number.at, b.len);
		return b;
	}
	return which < 0xc0 ? tape_raw(t) : tape_blob(t);
}

static void read_template(call *c)
{
	c->count = tape_byte(c->t) % (MAX_ATTRIBUTES + 1);
	for (CK_ULONG i = 0; i < c->count; i++) {
		c->templ[i].type = any_type(c->t);
		c->values[i] = any_value(c->t);
		c->templ[i].pValue = c->values[i].data;
		c->templ[i].ulValueLen = c->values[i].len;
	}
}

static void keep(CK_RV rv, CK_SESSION_HANDLE s, CK_OBJECT_HANDLE object)
{
	if (rv == CKR_OK && made_count < MAX_MADE) {
		made[made_count].session = s;
		made[made_count++].object = object;
	}
}

/* --- calls -------------------------------------------------------------------------------------
 */

/* Into a block of exactly that length. */
static CK_RV get_signature(CK_SESSION_HANDLE s, const bytes *data, int in_parts, CK_ULONG len)
{
	uint8_t *out = malloc(len > 0 ? len : 1);
	const CK_ULONG room = len;
	CK_RV rv = CKR_OK;

	require(out != NULL);
	if (in_parts)
		rv = p11->C_SignUpdate(s, data->data, data->len);
	if (rv == CKR_OK)
		rv = in_parts ? p11->C_SignFinal(s, out, &len)
			      : p11->C_Sign(s, data->data, data->len, out, &len);
	require(rv != CKR_OK || len <= room);
	free(out);
	return rv;
}

static CK_RV call_sign(call *c)
{
	const CK_SESSION_HANDLE s = user[c->place];
	const CK_OBJECT_HANDLE key = any_object(c);
	const unsigned how = tape_byte(c->t);
	CK_ULONG len = 0;
	bytes data;
	CK_RV rv;

	rv = p11->C_SignInit(s, &c->mechanism, key);
	if (rv != CKR_OK || (key == joined && is_slow(&c->mechanism)))
		return rv;
	data = tape_blob(c->t);
	rv = p11->C_Sign(s, data.data, data.len, NULL, &len);
	if (rv == CKR_OK)
		rv = get_signature(s, &data, how & 1, how & 2 ? len : len % (how + 1));
	bytes_free(&data);
	return rv;
}

static CK_RV call_verify(call *c)
{
	const CK_SESSION_HANDLE s = user[c->place];
	CK_RV rv = p11->C_VerifyInit(s, &c->mechanism, any_object(c));
	uint8_t x = 'x';
	bytes signature;

	if (rv != CKR_OK)
		return rv;
	signature = tape_blob(c->t);
	if (tape_byte(c->t) & 1) {
		rv = p11->C_Verify(s, &x, 1, signature.data, signature.len);
	} else {
		rv = p11->C_VerifyUpdate(s, &x, 1);
		require(rv == CKR_OK);
		rv = p11->C_VerifyFinal(s, signature.data, signature.len);
	}
	bytes_free(&signature);
	return rv;
}

static CK_RV call_unwrap(call *c)
{
	bytes wrapped = tape_blob(c->t);
	CK_OBJECT_HANDLE o;
	const CK_RV rv = p11->C_UnwrapKey(user[c->place], &c->mechanism, any_object(c),
					  wrapped.data, wrapped.len, c->templ, c->count, &o);

	bytes_free(&wrapped);
	return rv;
}

static CK_RV call_derive(call *c)
{
	const CK_OBJECT_HANDLE key = any_object(c);
	CK_OBJECT_HANDLE o;
	CK_RV rv;

	if (key == joined)
		return CKR_OK;
	rv = p11->C_DeriveKey(user[c->place], &c->mechanism, key, c->templ, c->count, &o);
	keep(rv, user[c->place], o);
	return rv;
}

static CK_RV call_generate(call *c)
{
	CK_OBJECT_HANDLE o, p;

	if (tape_byte(c->t) & 1)
		return p11->C_GenerateKey(user[c->place], &c->mechanism, c->templ, c->count, &o);
	if (c->mechanism.mechanism == CKM_VLDAA_SETUP && c->mechanism.ulParameterLen < 20)
		return CKR_OK;
	return p11->C_GenerateKeyPair(user[c->place], &c->mechanism, c->templ, c->count, c->templ,
				      c->count, &o, &p);
}

static CK_RV call_create(call *c)
{
	CK_OBJECT_HANDLE o;
	const CK_RV rv = p11->C_CreateObject(user[c->place], c->templ, c->count, &o);

	keep(rv, user[c->place], o);
	return rv;
}

static CK_RV call_copy(call *c)
{
	CK_OBJECT_HANDLE o;
	const CK_RV rv = p11->C_CopyObject(user[c->place], any_object(c), c->templ, c->count, &o);

	keep(rv, user[c->place], o);
	return rv;
}

static CK_RV call_set(call *c)
{
	return p11->C_SetAttributeValue(user[c->place], any_object(c), c->templ, c->count);
}

static CK_RV call_find(call *c)
{
	CK_OBJECT_HANDLE found[4];
	CK_ULONG n;
	CK_RV rv = p11->C_FindObjectsInit(user[c->place], c->templ, c->count);

	if (rv == CKR_OK)
		rv = p11->C_FindObjects(user[c->place], found, tape_byte(c->t) % 5, &n);
	(void)p11->C_FindObjectsFinal(user[c->place]);
	return rv;
}

/* The template's blocks are where the values go. */
static CK_RV call_get(call *c)
{
	return p11->C_GetAttributeValue(user[c->place], any_object(c), c->templ, c->count);
}

static CK_RV call_destroy(call *c)
{
	return p11->C_DestroyObject(user[c->place], any_object(c));
}

static CK_RV one_call(tape *t)
{
	static CK_RV (*const calls[])(call *) = {
	    call_sign,   call_sign,     call_verify, call_verify, call_unwrap,
	    call_derive, call_generate, call_create, call_create, call_copy,
	    call_set,    call_find,     call_get,    call_destroy};
	const unsigned which = tape_byte(t) % (sizeof calls / sizeof calls[0]);
	call c = {.t = t, .place = tape_byte(t) % 3};
	CK_RV rv;

	if (which <= 6)
		read_mechanism(&c);
	if (which >= 4 && which < 13)
		read_template(&c);
	rv = calls[which](&c);
	for (CK_ULONG i = 0; i < c.count; i++)
		bytes_free(&c.values[i]);
	bytes_free(&c.parameter);
	return rv;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tape t = {data, size};

	enter();
	made_count = 0;
	memset(made, 0, sizeof made);
	for (int i = 0; i < MAX_CALLS && t.left > 0; i++) {
		const CK_RV rv = one_call(&t);

		require_code(rv);
		fuzz_accepted += rv == CKR_OK;
	}
	while (made_count-- > 0)
		(void)p11->C_DestroyObject(made[made_count].session, made[made_count].object);
	fuzz_token_reset();
	return 0;
}
