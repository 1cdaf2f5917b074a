#include "module.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "vldaa/revoke.h"

CK_FUNCTION_LIST *p11;
const char *world_set = "";
static void *module;
static char home[64];   /* the tokens that all tests start from */
static char work[64];   /* a test's own */
static EVP_PKEY *maker; /* the manufacturer */
static X509 *root;
static EVP_PKEY *authority; /* the revocation authority */

static const char *const names[PLACES] = {"issuer", "car", "blank", "empty"};

/* --- the module --------------------------------------------------------------------------------
 */

void *module_symbol(const char *name)
{
	void *symbol = dlsym(module, name);

	ck_assert_ptr_nonnull(symbol);
	return symbol;
}

const char *module_file(void)
{
	const char *chosen = getenv("VLDAA_TEST_MODULE");

	return chosen != NULL ? chosen : VLDAA_TEST_MODULE_FILE;
}

void load_module(const char *file)
{
	CK_RV (*get)(CK_FUNCTION_LIST **);
	void *symbol;

	module = dlopen(file != NULL ? file : module_file(), RTLD_NOW | RTLD_LOCAL);
	ck_assert_msg(module != NULL, "%s", dlerror());
	symbol = module_symbol("C_GetFunctionList");
	memcpy(&get, &symbol, sizeof get);
	assert_ok(get(&p11));
}

/* --- directories -------------------------------------------------------------------------------
 */

static void set_places(const char *base)
{
	char list[512] = "";
	size_t n = 0;

	for (int i = 0; i < PLACES; i++)
		n += (size_t)snprintf(list + n, sizeof list - n, "%s%s/%s", i ? ":" : "", base,
				      names[i]);
	ck_assert_int_eq(setenv("VLDAA_TOKEN_DIR", list, 1), 0);
}

const char *world_directory(int place)
{
	static char path[128];

	(void)snprintf(path, sizeof path, "%s/%s", work, names[place]);
	return path;
}

static void remove_directory(const char *path)
{
	char line[128];

	(void)snprintf(line, sizeof line, "rm -rf '%s'", path);
	ck_assert_int_eq(system(line), 0);
}

static void copy_directory(const char *from, const char *to)
{
	char line[256];

	(void)snprintf(line, sizeof line, "cp -r '%s'/* '%s'", from, to);
	ck_assert_int_eq(system(line), 0);
}

static void make_directory(char path[64])
{
	const char *base = getenv("TMPDIR");

	(void)snprintf(path, 64, "%.40s/vldaa-p11.XXXXXX", base ? base : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(path));
}

void pause_ms(long milliseconds)
{
	const struct timespec t = {0, milliseconds * 1000000};

	(void)nanosleep(&t, NULL);
}

int as_long(int few, int many)
{
	return getenv("VLDAA_LONG_TOKEN") != NULL ? many : few;
}

/* --- sessions ----------------------------------------------------------------------------------
 */

CK_SESSION_HANDLE open_session(CK_SLOT_ID slot, CK_FLAGS flags)
{
	CK_SESSION_HANDLE session = 0;

	assert_ok(p11->C_OpenSession(slot, flags | CKF_SERIAL_SESSION, NULL, NULL, &session));
	return session;
}

CK_RV login(CK_SESSION_HANDLE session, CK_USER_TYPE user, const char *pin)
{
	uint8_t copy[256];
	const size_t len = strlen(pin);

	memcpy(copy, pin, len);
	return p11->C_Login(session, user, copy, len);
}

CK_SESSION_HANDLE user_session(CK_SLOT_ID slot)
{
	const CK_SESSION_HANDLE session = open_session(slot, CKF_RW_SESSION);

	assert_ok(login(session, CKU_USER, USER_PIN));
	return session;
}

CK_SESSION_HANDLE make_token(CK_SLOT_ID slot)
{
	uint8_t so_pin[] = SO_PIN, pin[] = USER_PIN, label[32];
	CK_SESSION_HANDLE session;

	memset(label, ' ', sizeof label);
	memcpy(label, names[slot], strlen(names[slot]));
	assert_ok(p11->C_InitToken(slot, so_pin, sizeof so_pin - 1, label));
	session = open_session(slot, CKF_RW_SESSION);
	assert_ok(login(session, CKU_SO, SO_PIN));
	assert_ok(p11->C_InitPIN(session, pin, sizeof pin - 1));
	assert_ok(p11->C_Logout(session));
	assert_ok(login(session, CKU_USER, USER_PIN));
	return session;
}

CK_SESSION_HANDLE start_in_child(void)
{
	CK_SESSION_HANDLE s;

	if (p11->C_Initialize(NULL) != CKR_OK ||
	    p11->C_OpenSession(CAR, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s) !=
		CKR_OK ||
	    login(s, CKU_USER, USER_PIN) != CKR_OK)
		_exit(2);
	return s;
}

/* --- objects -----------------------------------------------------------------------------------
 */

CK_OBJECT_HANDLE find_one(CK_SESSION_HANDLE session, CK_ATTRIBUTE *templ, CK_ULONG count)
{
	CK_OBJECT_HANDLE found[2];
	CK_ULONG n = 0;

	assert_ok(p11->C_FindObjectsInit(session, templ, count));
	assert_ok(p11->C_FindObjects(session, found, 2, &n));
	assert_ok(p11->C_FindObjectsFinal(session));
	return n == 1 ? found[0] : 0;
}

CK_ULONG count_all(CK_SESSION_HANDLE session)
{
	CK_OBJECT_HANDLE found[100];
	CK_ULONG n = 0;

	assert_ok(p11->C_FindObjectsInit(session, NULL, 0));
	assert_ok(p11->C_FindObjects(session, found, 100, &n));
	assert_ok(p11->C_FindObjectsFinal(session));
	return n;
}

CK_OBJECT_HANDLE find_key(CK_SESSION_HANDLE session, CK_OBJECT_CLASS class, CK_ULONG role)
{
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_VLDAA_ROLE, &role, sizeof role}};

	return find_one(session, templ, 2);
}

void bytes_free(bytes *b)
{
	free(b->data);
	memset(b, 0, sizeof *b);
}

bytes get_attribute(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
	CK_ATTRIBUTE a = {type, NULL, 0};
	bytes b;

	assert_ok(p11->C_GetAttributeValue(session, object, &a, 1));
	b.data = malloc(a.ulValueLen + 1);
	b.len = a.ulValueLen;
	ck_assert_ptr_nonnull(b.data);
	a.pValue = b.data;
	assert_ok(p11->C_GetAttributeValue(session, object, &a, 1));
	return b;
}

/* --- operations --------------------------------------------------------------------------------
 */

static CK_MECHANISM mechanism_of(CK_MECHANISM_TYPE type, const char *parameter, char copy[256])
{
	CK_MECHANISM m = {type, NULL, 0};

	if (parameter != NULL) {
		m.ulParameterLen = strlen(parameter);
		memcpy(copy, parameter, m.ulParameterLen);
		m.pParameter = copy;
	}
	return m;
}

/* Cryptoki's data is not const. */
static uint8_t *copy_of(const void *data, CK_ULONG len)
{
	uint8_t *copy = malloc(len + 1);

	ck_assert_ptr_nonnull(copy);
	if (len > 0)
		memcpy(copy, data, len);
	return copy;
}

CK_RV try_sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	       CK_OBJECT_HANDLE key, const void *data, CK_ULONG len, bytes *out)
{
	char copy[256];
	CK_MECHANISM m = mechanism_of(type, parameter, copy);
	CK_RV rv = p11->C_SignInit(session, &m, key);
	uint8_t *input = copy_of(data, len);

	memset(out, 0, sizeof *out);
	if (rv == CKR_OK)
		rv = p11->C_Sign(session, input, len, NULL, &out->len);
	if (rv == CKR_OK) {
		out->data = malloc(out->len + 1);
		ck_assert_ptr_nonnull(out->data);
		rv = p11->C_Sign(session, input, len, out->data, &out->len);
	}
	free(input);
	if (rv != CKR_OK)
		bytes_free(out);
	return rv;
}

bytes sign(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	   CK_OBJECT_HANDLE key, const void *data, CK_ULONG len)
{
	bytes out;

	assert_ok(try_sign(session, type, parameter, key, data, len, &out));
	return out;
}

CK_RV verify(CK_SESSION_HANDLE session, CK_MECHANISM_TYPE type, const char *parameter,
	     CK_OBJECT_HANDLE key, const void *data, CK_ULONG len, const bytes *signature)
{
	char copy[256];
	CK_MECHANISM m = mechanism_of(type, parameter, copy);
	uint8_t *input = copy_of(data, len);
	CK_RV rv;

	assert_ok(p11->C_VerifyInit(session, &m, key));
	rv = p11->C_Verify(session, input, len, signature->data, signature->len);
	free(input);
	return rv;
}

CK_RV try_create(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE member, const char *basename,
		 int is_token, CK_OBJECT_HANDLE *key)
{
	char copy[256];
	CK_MECHANISM m = mechanism_of(CKM_VLDAA_CREATE, basename, copy);
	CK_BBOOL token = is_token ? CK_TRUE : CK_FALSE;
	CK_ATTRIBUTE templ = {CKA_TOKEN, &token, sizeof token};

	return p11->C_DeriveKey(session, &m, member, &templ, 1, key);
}

/* --- Join --------------------------------------------------------------------------------------
 */

static void add_extension(X509 *x, int nid, const char *value)
{
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, nid, value);

	ck_assert_ptr_nonnull(e);
	ck_assert_int_eq(X509_add_ext(x, e, -1), 1);
	X509_EXTENSION_free(e);
}

static X509 *issue_certificate(X509_NAME *subject, EVP_PKEY *key, X509_NAME *issuer)
{
	static long serial;
	X509 *x = X509_new();

	ck_assert_ptr_nonnull(x);
	ck_assert_int_eq(X509_set_version(x, 2), 1);
	ck_assert_int_eq(ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial), 1);
	ck_assert_ptr_nonnull(X509_gmtime_adj(X509_getm_notBefore(x), -3600));
	ck_assert_ptr_nonnull(X509_gmtime_adj(X509_getm_notAfter(x), 86400));
	ck_assert_int_eq(X509_set_subject_name(x, subject), 1);
	ck_assert_int_eq(X509_set_issuer_name(x, issuer), 1);
	ck_assert_int_eq(X509_set_pubkey(x, key), 1);
	if (X509_NAME_cmp(subject, issuer) == 0)
		add_extension(x, NID_basic_constraints, "critical,CA:TRUE");
	ck_assert_int_gt(X509_sign(x, maker, NULL), 0);
	return x;
}

static void make_maker(void)
{
	static const unsigned char name[] = "manufacturer";
	X509_NAME *subject = X509_NAME_new();

	maker = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	authority = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	ck_assert(maker != NULL && authority != NULL && subject != NULL);
	ck_assert_int_eq(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0),
			 1);
	root = issue_certificate(subject, maker, subject);
	X509_NAME_free(subject);
}

void certify(CK_SESSION_HANDLE session)
{
	CK_OBJECT_CLASS class = CKO_DATA, certificate = CKO_CERTIFICATE;
	CK_CERTIFICATE_TYPE x509 = CKC_X_509;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE data = {CKA_CLASS, &class, sizeof class};
	bytes csr = get_attribute(session, find_one(session, &data, 1), CKA_VALUE);
	const unsigned char *p = csr.data;
	X509_REQ *req = d2i_X509_REQ(NULL, &p, (long)csr.len);
	unsigned char *der = NULL;
	CK_OBJECT_HANDLE object;
	EVP_PKEY *key;
	X509 *x;
	int len;

	ck_assert_ptr_nonnull(req);
	key = X509_REQ_get_pubkey(req);
	ck_assert_int_eq(X509_REQ_verify(req, key), 1);
	x = issue_certificate(X509_REQ_get_subject_name(req), key, X509_get_subject_name(root));
	len = i2d_X509(x, &der);
	ck_assert_int_gt(len, 0);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &certificate, sizeof certificate},
				{CKA_CERTIFICATE_TYPE, &x509, sizeof x509},
				{CKA_TOKEN, &yes, sizeof yes},
				{CKA_VALUE, der, (CK_ULONG)len}};
	assert_ok(p11->C_CreateObject(session, templ, 4, &object));
	OPENSSL_free(der);
	X509_free(x);
	EVP_PKEY_free(key);
	X509_REQ_free(req);
	bytes_free(&csr);
}

CK_OBJECT_HANDLE join(CK_SESSION_HANDLE issuer, CK_SESSION_HANDLE car)
{
	const CK_OBJECT_HANDLE key = find_key(issuer, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	bytes group =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	CK_MECHANISM make = {CKM_VLDAA_MEMBER, group.data, group.len};
	CK_MECHANISM finish = {CKM_VLDAA_JOIN_FINISH, NULL, 0};
	CK_OBJECT_HANDLE public_key, member, same;
	bytes nonce, request, answer;

	assert_ok(p11->C_GenerateKeyPair(car, &make, NULL, 0, NULL, 0, &public_key, &member));
	nonce = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, key, "", 0);
	request = sign(car, CKM_VLDAA_JOIN_REQUEST, NULL, member, nonce.data, nonce.len);
	answer = sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, key, request.data, request.len);
	assert_ok(p11->C_UnwrapKey(car, &finish, member, answer.data, answer.len, NULL, 0, &same));
	ck_assert_uint_eq(same, member);
	bytes_free(&nonce);
	bytes_free(&request);
	bytes_free(&answer);
	bytes_free(&group);
	return member;
}

void found_group(CK_SESSION_HANDLE session)
{
	unsigned char *spki = NULL, *der = NULL;
	const int spki_len = i2d_PUBKEY(authority, &spki), der_len = i2d_X509(root, &der);
	char set[32] = "";
	CK_MECHANISM m = {CKM_VLDAA_SETUP, set, strlen(world_set)};
	CK_OBJECT_HANDLE public_key, private_key;

	memcpy(set, world_set, m.ulParameterLen);
	ck_assert(spki_len > 0 && der_len > 0);
	CK_ATTRIBUTE templ[] = {{CKA_VLDAA_REVOCATION_KEY, spki, (CK_ULONG)spki_len},
				{CKA_VLDAA_ROOTS, der, (CK_ULONG)der_len}};
	assert_ok(
	    p11->C_GenerateKeyPair(session, &m, NULL, 0, templ, 2, &public_key, &private_key));
	OPENSSL_free(spki);
	OPENSSL_free(der);
}

bytes order_against(const bytes *group, const bytes *fleet_key, const bytes *attestation, int hard,
		    uint64_t sequence, bytes *clear)
{
	const vldaa_order_terms terms = {hard ? VLDAA_REVOKE_HARD : VLDAA_REVOKE_SOFT, 1, sequence,
					 (int64_t)time(NULL) + 3600};
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(authority);
	static uint8_t order[65536], sealed[65536];
	size_t order_len, sealed_len;
	unsigned char *der = NULL;
	const int der_len = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
	vldaa_verifier *verifier;
	vldaa_attestation *a;
	bytes b;

	ck_assert_uint_eq(fleet_key->len, 32);
	ck_assert_int_eq(vldaa_verifier_new(&verifier, group->data, group->len), VLDAA_OK);
	ck_assert_int_eq(vldaa_attestation_new(&a, verifier, attestation->data, attestation->len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_order_new(a, &terms, der, (size_t)der_len, fleet_key->data, order,
					 sizeof order, &order_len, sealed, sizeof sealed,
					 &sealed_len),
			 VLDAA_OK);
	vldaa_attestation_free(a);
	vldaa_verifier_free(verifier);
	PKCS8_PRIV_KEY_INFO_free(info);
	OPENSSL_free(der);
	if (clear != NULL) {
		clear->data = copy_of(order, order_len);
		clear->len = order_len;
	}
	b.data = copy_of(sealed, sealed_len);
	b.len = sealed_len;
	return b;
}

/* --- the world ---------------------------------------------------------------------------------
 */

void world_make(void)
{
	CK_SESSION_HANDLE issuer, car, blank;
	CK_OBJECT_HANDLE member, key;
	uint8_t id = 7;
	CK_ATTRIBUTE name = {CKA_ID, &id, 1};

	load_module(NULL);
	make_maker();
	make_directory(home);
	set_places(home);
	assert_ok(p11->C_Initialize(NULL));
	issuer = make_token(ISSUER);
	car = make_token(CAR);
	blank = make_token(BLANK);
	found_group(issuer);
	certify(car);
	certify(blank);
	member = join(issuer, car);
	assert_ok(try_create(car, member, "platoon-7", 1, &key));
	assert_ok(p11->C_SetAttributeValue(car, key, &name, 1));
	bytes group =
	    get_attribute(issuer, find_key(issuer, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = CKK_VLDAA;
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_TOKEN, &yes, sizeof yes},
				{CKA_VALUE, group.data, group.len}};
	assert_ok(p11->C_CreateObject(blank, templ, 4, &key));
	bytes_free(&group);
	assert_ok(p11->C_Finalize(NULL));
}

void world_remove(void)
{
	remove_directory(home);
	EVP_PKEY_free(maker);
	EVP_PKEY_free(authority);
	X509_free(root);
	(void)dlclose(module);
}

void world_enter(void)
{
	make_directory(work);
	copy_directory(home, work);
	set_places(work);
	assert_ok(p11->C_Initialize(NULL));
}

void world_leave(void)
{
	(void)p11->C_Finalize(NULL);
	remove_directory(work);
}
