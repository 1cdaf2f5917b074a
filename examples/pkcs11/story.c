/*
 * An issuer and two vehicles, each with a token of its own: Setup, Join, Create, Sign, Verify and
 * Revoke by a program that loads the module and knows nothing else of this project but its header.
 *
 *   story MODULE VLDAA DIRECTORY
 *
 * MODULE is libvldaa-pkcs11.so.  VLDAA is the command, which is the revocation authority here; the
 * manufacturer is openssl.  Everything is left in DIRECTORY, which must not exist.
 *
 *   cc story.c $(pkg-config --cflags p11-kit-1 vldaa) -ldl -o story
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <p11-kit/pkcs11.h>

#include "vldaa/pkcs11-vldaa.h"

/* Of PKCS#11 3.2, which p11-kit's header is older than. */
#define MY_CKM_ML_DSA 0x1dUL
#define MY_CKK_ML_DSA 0x4aUL
#define MY_CKA_PUBLIC_KEY_INFO 0x129UL

static CK_FUNCTION_LIST *p11;
static const char *vldaa;

static char pin[] = "a PIN of four or more", so_pin[] = "the security officer's";
static char message[] = "brakes at kilometre 17";
enum { MESSAGE = sizeof message - 1 };

/* --- this program's own ------------------------------------------------------------------------
 */

static void step(const char *text)
{
	printf("== %s\n", text);
}

static void die(const char *what, CK_RV rv)
{
	fprintf(stderr, "%s: 0x%lx\n", what, rv);
	exit(1);
}

/* The call must return this code. */
static void expect(CK_RV wanted, const char *what, CK_RV rv)
{
	if (rv != wanted)
		die(what, rv);
}

/* An ordinary command must work. */
static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run(const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (system(line) != 0)
		die(line, 0);
}

/* C_Sign wants room for the most that a mechanism may give: C_Sign with a NULL buffer tells how much
 * that is, and this is enough for all of them. */
typedef struct {
	CK_BYTE data[1 << 18];
	CK_ULONG len;
} bytes;

static bytes *read_file(bytes *b, const char *name)
{
	FILE *f = fopen(name, "rb");

	if (f == NULL)
		die(name, 0);
	b->len = fread(b->data, 1, sizeof b->data, f);
	(void)fclose(f);
	return b;
}

static void write_file(const char *name, const bytes *b)
{
	FILE *f = fopen(name, "wb");

	if (f == NULL || fwrite(b->data, 1, b->len, f) != b->len || fclose(f) != 0)
		die(name, 0);
}

/* --- a token -----------------------------------------------------------------------------------
 */

/* A session on a new token, in which its user is logged in. */
static CK_SESSION_HANDLE make_token(CK_SLOT_ID slot, const char *name)
{
	CK_UTF8CHAR label[32];
	CK_SESSION_HANDLE s;

	memset(label, ' ', sizeof label);
	memcpy(label, name, strlen(name));
	expect(CKR_OK, "C_InitToken",
	       p11->C_InitToken(slot, (CK_BYTE *)so_pin, strlen(so_pin), label));
	expect(CKR_OK, "C_OpenSession",
	       p11->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &s));
	expect(CKR_OK, "C_Login", p11->C_Login(s, CKU_SO, (CK_BYTE *)so_pin, strlen(so_pin)));
	expect(CKR_OK, "C_InitPIN", p11->C_InitPIN(s, (CK_BYTE *)pin, strlen(pin)));
	expect(CKR_OK, "C_Logout", p11->C_Logout(s));
	expect(CKR_OK, "C_Login", p11->C_Login(s, CKU_USER, (CK_BYTE *)pin, strlen(pin)));
	return s;
}

static bytes *get(bytes *b, CK_SESSION_HANDLE s, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
	CK_ATTRIBUTE a = {type, b->data, sizeof b->data};

	expect(CKR_OK, "C_GetAttributeValue", p11->C_GetAttributeValue(s, object, &a, 1));
	b->len = a.ulValueLen;
	return b;
}

static CK_OBJECT_HANDLE find(CK_SESSION_HANDLE s, CK_ATTRIBUTE *templ, CK_ULONG count)
{
	CK_OBJECT_HANDLE found[2];
	CK_ULONG n;

	expect(CKR_OK, "C_FindObjectsInit", p11->C_FindObjectsInit(s, templ, count));
	expect(CKR_OK, "C_FindObjects", p11->C_FindObjects(s, found, 2, &n));
	expect(CKR_OK, "C_FindObjectsFinal", p11->C_FindObjectsFinal(s));
	if (n != 1)
		die("objects found", n);
	return found[0];
}

static CK_MECHANISM mechanism(CK_MECHANISM_TYPE type, char *parameter)
{
	return (CK_MECHANISM){type, parameter, parameter != NULL ? strlen(parameter) : 0};
}

static CK_RV try_sign(bytes *out, CK_SESSION_HANDLE s, CK_MECHANISM m, CK_OBJECT_HANDLE key,
		      void *data, CK_ULONG len)
{
	CK_RV rv = p11->C_SignInit(s, &m, key);

	out->len = sizeof out->data;
	return rv == CKR_OK ? p11->C_Sign(s, data, len, out->data, &out->len) : rv;
}

static bytes *sign(bytes *out, CK_SESSION_HANDLE s, CK_MECHANISM m, CK_OBJECT_HANDLE key,
		   void *data, CK_ULONG len)
{
	expect(CKR_OK, "C_Sign", try_sign(out, s, m, key, data, len));
	return out;
}

static CK_RV verify(CK_SESSION_HANDLE s, CK_MECHANISM m, CK_OBJECT_HANDLE key, CK_ULONG len,
		    bytes *signature)
{
	expect(CKR_OK, "C_VerifyInit", p11->C_VerifyInit(s, &m, key));
	return p11->C_Verify(s, (CK_BYTE *)message, len, signature->data, signature->len);
}

/* --- the roles ---------------------------------------------------------------------------------
 */

/* The manufacturer's certificate for a token's endorsement key. */
static void endorse(CK_SESSION_HANDLE s)
{
	CK_OBJECT_CLASS data = CKO_DATA, certificate = CKO_CERTIFICATE;
	CK_CERTIFICATE_TYPE x509 = CKC_X_509;
	CK_BBOOL yes = CK_TRUE;
	char label[] = "endorsement certificate request";
	CK_ATTRIBUTE request[] = {{CKA_CLASS, &data, sizeof data},
				  {CKA_LABEL, label, strlen(label)}};
	static bytes b;
	CK_OBJECT_HANDLE object;

	write_file("ek.csr", get(&b, s, find(s, request, 2), CKA_VALUE));
	run("openssl x509 -req -inform DER -in ek.csr -CA root.pem -CAkey root.key "
	    "-CAcreateserial -days 365 -outform DER -out ek.crt 2>openssl.log");
	read_file(&b, "ek.crt");
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &certificate, sizeof certificate},
				{CKA_CERTIFICATE_TYPE, &x509, sizeof x509},
				{CKA_TOKEN, &yes, sizeof yes},
				{CKA_VALUE, b.data, b.len}};
	expect(CKR_OK, "C_CreateObject", p11->C_CreateObject(s, templ, 4, &object));
}

static void setup(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE *group, CK_OBJECT_HANDLE *issuer_key)
{
	CK_MECHANISM m = mechanism(CKM_VLDAA_SETUP, NULL);
	static bytes authority, roots;

	read_file(&authority, "authority.der");
	read_file(&roots, "root.pem");
	CK_ATTRIBUTE templ[] = {{CKA_VLDAA_REVOCATION_KEY, authority.data, authority.len},
				{CKA_VLDAA_ROOTS, roots.data, roots.len}};
	expect(CKR_OK, "C_GenerateKeyPair",
	       p11->C_GenerateKeyPair(s, &m, NULL, 0, templ, 2, group, issuer_key));
}

/* What crosses between the two tokens is the group's key, and nonce, request and answer. */
static CK_OBJECT_HANDLE join(CK_SESSION_HANDLE car, CK_SESSION_HANDLE issuer,
			     CK_OBJECT_HANDLE group, CK_OBJECT_HANDLE issuer_key)
{
	static bytes key, nonce, request, answer;
	CK_MECHANISM make, finish = mechanism(CKM_VLDAA_JOIN_FINISH, NULL);
	CK_OBJECT_HANDLE public_key, member, same;

	get(&key, issuer, group, CKA_VALUE);
	make = (CK_MECHANISM){CKM_VLDAA_MEMBER, key.data, key.len};
	expect(CKR_OK, "C_GenerateKeyPair",
	       p11->C_GenerateKeyPair(car, &make, NULL, 0, NULL, 0, &public_key, &member));
	sign(&nonce, issuer, mechanism(CKM_VLDAA_JOIN_NONCE, NULL), issuer_key, NULL, 0);
	sign(&request, car, mechanism(CKM_VLDAA_JOIN_REQUEST, NULL), member, nonce.data, nonce.len);
	sign(&answer, issuer, mechanism(CKM_VLDAA_JOIN_ISSUE, NULL), issuer_key, request.data,
	     request.len);
	expect(CKR_OK, "C_UnwrapKey",
	       p11->C_UnwrapKey(car, &finish, member, answer.data, answer.len, NULL, 0, &same));
	return member;
}

static CK_RV create(CK_SESSION_HANDLE car, CK_OBJECT_HANDLE member, char *basename,
		    CK_OBJECT_HANDLE *private_key)
{
	CK_MECHANISM m = mechanism(CKM_VLDAA_CREATE, basename);
	CK_BBOOL yes = CK_TRUE;
	CK_ATTRIBUTE templ = {CKA_TOKEN, &yes, sizeof yes};

	return p11->C_DeriveKey(car, &m, member, &templ, 1, private_key);
}

/* The public half of a pseudonym came with it, under the same CKA_ID. */
static CK_OBJECT_HANDLE public_half(CK_SESSION_HANDLE s, CK_OBJECT_HANDLE private_key)
{
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	static bytes id;

	get(&id, s, private_key, CKA_ID);
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class}, {CKA_ID, id.data, id.len}};
	return find(s, templ, 2);
}

/* Another pseudonym's public key, for who was shown its attestation. */
static CK_OBJECT_HANDLE import_attestation(CK_SESSION_HANDLE s, bytes *attestation)
{
	CK_OBJECT_CLASS class = CKO_PUBLIC_KEY;
	CK_KEY_TYPE type = MY_CKK_ML_DSA;
	CK_ATTRIBUTE templ[] = {{CKA_CLASS, &class, sizeof class},
				{CKA_KEY_TYPE, &type, sizeof type},
				{CKA_VLDAA_ATTESTATION, attestation->data, attestation->len}};
	CK_OBJECT_HANDLE object;

	expect(CKR_OK, "C_CreateObject", p11->C_CreateObject(s, templ, 3, &object));
	return object;
}

/* --- the story ---------------------------------------------------------------------------------
 */

static void prepare(const char *directory)
{
	static const char *const names[] = {"issuer", "car-a", "car-b"};
	char list[4096] = "", here[1024];
	size_t n = 0;

	if (mkdir(directory, 0700) != 0 || chdir(directory) != 0 ||
	    getcwd(here, sizeof here) == NULL)
		die(directory, 0);
	for (int i = 0; i < 3; i++) {
		if (mkdir(names[i], 0700) != 0)
			die(names[i], 0);
		n += (size_t)snprintf(list + n, sizeof list - n, "%s%s/%s", i > 0 ? ":" : "", here,
				      names[i]);
	}
	if (setenv("VLDAA_TOKEN_DIR", list, 1) != 0)
		die("setenv", 0);
	run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
	    "-subj /CN=manufacturer -keyout root.key -out root.pem 2>openssl.log");
	run("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out authority.pem");
	run("openssl pkey -in authority.pem -pubout -outform DER -out authority.der");
}

static void load(const char *path)
{
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *symbol = module != NULL ? dlsym(module, "C_GetFunctionList") : NULL;
	CK_RV (*get_list)(CK_FUNCTION_LIST **);

	if (symbol == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	memcpy(&get_list, &symbol, sizeof get_list);
	expect(CKR_OK, "C_GetFunctionList", get_list(&p11));
	expect(CKR_OK, "C_Initialize", p11->C_Initialize(NULL));
}

/* The authority's order against whoever made the signature. */
static bytes *make_order(bytes *order, CK_SESSION_HANDLE issuer, CK_OBJECT_HANDLE group,
			 CK_OBJECT_HANDLE issuer_key, const bytes *signature)
{
	write_file("signature", signature);
	write_file("group.der", get(order, issuer, group, MY_CKA_PUBLIC_KEY_INFO));
	write_file("fleet.key", get(order, issuer, issuer_key, CKA_VLDAA_FLEET_KEY));
	run("'%s' revoke init orders --authority authority.pem --fleet-key fleet.key "
	    "--group group.der",
	    vldaa);
	run("'%s' revoke order orders --signature signature --soft --expires-in 30d -o order",
	    vldaa);
	return read_file(order, "order");
}

int main(int argc, char **argv)
{
	static bytes signature, short_one, attestation, order, confirmation;
	const CK_MECHANISM sign_full = mechanism(CKM_VLDAA_SIGN, NULL);
	const CK_MECHANISM sign_short = mechanism(CKM_VLDAA_SIGN_COMPACT, NULL);
	const CK_MECHANISM mldsa = mechanism(MY_CKM_ML_DSA, NULL);
	const CK_MECHANISM revoke = mechanism(CKM_VLDAA_REVOKE, NULL);
	CK_SESSION_HANDLE issuer, car_a, car_b;
	CK_OBJECT_HANDLE group, issuer_key, member_a, member_b, platoon, other, seen;

	if (argc != 4) {
		fprintf(stderr, "usage: story MODULE VLDAA DIRECTORY\n");
		return 2;
	}
	vldaa = argv[2];
	step("A manufacturer and a revocation authority (plain openssl)");
	prepare(argv[3]);
	load(argv[1]);

	step("Three tokens; each car's endorsement key gets its certificate");
	issuer = make_token(0, "issuer");
	car_a = make_token(1, "car-a");
	car_b = make_token(2, "car-b");
	endorse(car_a);
	endorse(car_b);

	step("Setup: the issuer founds a group");
	setup(issuer, &group, &issuer_key);

	step("Join: both cars become members; only here the issuer learns who");
	member_a = join(car_a, issuer, group, issuer_key);
	member_b = join(car_b, issuer, group, issuer_key);

	step("Create: a pseudonym for the basename platoon-7");
	expect(CKR_OK, "C_DeriveKey", create(car_a, member_a, (char[]){"platoon-7"}, &platoon));

	step("Sign, and Verify by whoever has the group's public key");
	sign(&signature, car_a, sign_full, platoon, message, MESSAGE);
	expect(CKR_OK, "C_Verify", verify(issuer, sign_full, group, MESSAGE, &signature));
	expect(CKR_OK, "C_Verify for its basename",
	       verify(issuer, mechanism(CKM_VLDAA_SIGN, (char[]){"platoon-7"}), group, MESSAGE,
		      &signature));
	expect(CKR_SIGNATURE_INVALID, "C_Verify for another basename",
	       verify(issuer, mechanism(CKM_VLDAA_SIGN, (char[]){"platoon-8"}), group, MESSAGE,
		      &signature));
	expect(CKR_SIGNATURE_INVALID, "C_Verify of another message",
	       verify(issuer, sign_full, group, MESSAGE - 1, &signature));

	step("Short signatures, for who holds the attestation: ours, and ML-DSA's own");
	get(&attestation, car_a, public_half(car_a, platoon), CKA_VLDAA_ATTESTATION);
	seen = import_attestation(issuer, &attestation);
	sign(&short_one, car_a, sign_short, platoon, message, MESSAGE);
	expect(CKR_OK, "C_Verify, compact", verify(issuer, sign_short, seen, MESSAGE, &short_one));
	sign(&short_one, car_a, mldsa, platoon, message, MESSAGE);
	expect(CKR_OK, "C_Verify, ML-DSA", verify(issuer, mldsa, seen, MESSAGE, &short_one));

	step("Revoke: the authority's order meets its owner, and nobody else");
	make_order(&order, issuer, group, issuer_key, &signature);
	expect(CKR_VLDAA_NOT_MINE, "car-b obeys",
	       try_sign(&confirmation, car_b, revoke, member_b, order.data, order.len));
	sign(&confirmation, car_a, revoke, member_a, order.data, order.len);
	write_file("confirmation", &confirmation);
	run("'%s' revoke confirm orders confirmation >confirmed", vldaa);
	expect(CKR_KEY_HANDLE_INVALID, "the pseudonym signs",
	       try_sign(&short_one, car_a, mldsa, platoon, message, MESSAGE));
	expect(CKR_VLDAA_REVOKED, "the pseudonym comes back",
	       create(car_a, member_a, (char[]){"platoon-7"}, &other));
	expect(CKR_OK, "another pseudonym", create(car_a, member_a, (char[]){"platoon-8"}, &other));
	expect(CKR_OK, "C_Finalize", p11->C_Finalize(NULL));
	printf("All as promised.\n");
	return 0;
}
