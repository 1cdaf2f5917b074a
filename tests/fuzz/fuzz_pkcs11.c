/* See fuzz_pkcs11.h. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "fuzz_pkcs11.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/rand.h>

#include "fuzz.h"

bytes honest[HONESTS];
CK_SESSION_HANDLE user[3];

/* --- randomness --------------------------------------------------------------------------------
 */

static test_random source = {7, 0, -1};
static uint64_t kept_counter;

static int draw(unsigned char *out, int len)
{
	return test_random_bytes(&source, out, (size_t)len) == VLDAA_OK;
}

static int is_ready(void)
{
	return 1;
}

static const RAND_METHOD repeatable = {.bytes = draw, .pseudorand = draw, .status = is_ready};

/* --- inputs ------------------------------------------------------------------------------------
 */

uint8_t tape_byte(tape *t)
{
	if (t->left == 0)
		return 0;
	t->left--;
	return *t->at++;
}

unsigned tape_u16(tape *t)
{
	const unsigned high = tape_byte(t);

	return high << 8 | tape_byte(t);
}

/* No more than is there: what is read past it is an error that the sanitizers see. */
static bytes block(const uint8_t *from, size_t len)
{
	bytes b = {malloc(len > 0 ? len : 1), len};

	require(b.data != NULL);
	if (len > 0)
		memcpy(b.data, from, len);
	return b;
}

bytes tape_raw(tape *t)
{
	size_t len = tape_byte(t);
	bytes b;

	/* 255 is for all that follows. */
	if (len == 255 || len > t->left)
		len = t->left;
	b = block(t->at, len);
	t->at += len;
	t->left -= len;
	return b;
}

static void cut(bytes *b, size_t len)
{
	const bytes shorter = block(b->data, len);

	bytes_free(b);
	*b = shorter;
}

void tape_edit(tape *t, bytes *b)
{
	unsigned edits = tape_byte(t);

	if (edits >= 0x80 && b->len > 0)
		cut(b, tape_u16(t) % (b->len + 1));
	for (edits %= 8; edits > 0; edits--) {
		const unsigned at = tape_u16(t);

		if (b->len > 0)
			b->data[at % b->len] ^= tape_byte(t);
	}
}

bytes tape_blob(tape *t)
{
	const unsigned which = tape_byte(t) % (HONESTS + 1);
	bytes b;

	if (which == HONESTS)
		return tape_raw(t);
	b = block(honest[which].data, honest[which].len);
	tape_edit(t, &b);
	return b;
}

/* --- files -------------------------------------------------------------------------------------
 */

/* Files of the tokens, as they were when everything was ready. */
enum { MAX_FILES = 16 };
static struct {
	char path[256];
	bytes contents;
} files[MAX_FILES];
static size_t file_count;

const char *fuzz_token_directory(int place)
{
	return world_directory(place);
}

/* Databases and registers; byte 24 of their header begins a count of changes. */
static void read_contents(size_t i)
{
	struct stat st;
	const int fd = open(files[i].path, O_RDONLY);
	bytes *b = &files[i].contents;

	require(fd >= 0 && fstat(fd, &st) == 0);
	bytes_free(b);
	b->len = (size_t)st.st_size;
	b->data = malloc(b->len + 1);
	require(b->data != NULL && read(fd, b->data, b->len) == st.st_size);
	(void)close(fd);
}

static void keep_file(const char *path)
{
	if (access(path, R_OK) != 0)
		return;
	require(file_count < MAX_FILES);
	(void)snprintf(files[file_count].path, sizeof files[0].path, "%s", path);
	read_contents(file_count++);
}

static int is_changed(size_t i)
{
	uint8_t now[4];
	const int fd = open(files[i].path, O_RDONLY);
	const int same = fd >= 0 && pread(fd, now, 4, 24) == 4 &&
			 memcmp(now, files[i].contents.data + 24, 4) == 0;

	(void)close(fd);
	return !same;
}

static void restore_file(size_t i)
{
	const bytes *b = &files[i].contents;
	const int fd = open(files[i].path, O_WRONLY | O_TRUNC);

	require(fd >= 0 && write(fd, b->data, b->len) == (ssize_t)b->len);
	(void)close(fd);
}

/* --- the world ---------------------------------------------------------------------------------
 */

static CK_OBJECT_HANDLE key_of(int place, CK_OBJECT_CLASS class, CK_ULONG role)
{
	return find_key(user[place], class, role);
}

static void make_lists(const bytes *order)
{
	const uint8_t *const orders[] = {order->data};
	const size_t len = order->len;
	uint8_t out[4096];
	vldaa_verifier *v;
	size_t n;

	require(vldaa_verifier_new(&v, honest[HONEST_GROUP].data, honest[HONEST_GROUP].len) == 0);
	require(vldaa_empty_list(v, VLDAA_KIND_ROGUE_LIST, out, sizeof out, &n) == VLDAA_OK);
	honest[HONEST_ROGUE_LIST] = block(out, n);
	require(vldaa_revoked_list(orders, &len, 1, out, sizeof out, &n) == VLDAA_OK);
	honest[HONEST_REVOKED_LIST] = block(out, n);
	vldaa_verifier_free(v);
}

/* Orders against CAR's "platoon-7" and "gone"; the latter is obeyed. */
static void make_orders(CK_OBJECT_HANDLE issuer_key, CK_OBJECT_HANDLE member)
{
	bytes fleet = get_attribute(user[ISSUER], issuer_key, CKA_VLDAA_FLEET_KEY), order, sealed,
	      a;
	CK_OBJECT_HANDLE gone;

	require(try_create(user[CAR], member, "gone", 0, &gone) == CKR_OK);
	a = get_attribute(user[CAR], gone, CKA_VLDAA_ATTESTATION);
	sealed = order_against(&honest[HONEST_GROUP], &fleet, &a, 0, 1, NULL);
	honest[HONEST_CONFIRMATION] =
	    sign(user[CAR], CKM_VLDAA_REVOKE, NULL, member, sealed.data, sealed.len);
	honest[HONEST_ORDER] =
	    order_against(&honest[HONEST_GROUP], &fleet, &honest[HONEST_ATTESTATION], 0, 2, &order);
	make_lists(&order);
	bytes_free(&fleet);
	bytes_free(&order);
	bytes_free(&sealed);
	bytes_free(&a);
}

/* BLANK's member asks, is answered, and has not finished. */
static void make_join(CK_OBJECT_HANDLE issuer_key)
{
	const CK_SESSION_HANDLE issuer = user[ISSUER], blank = user[BLANK];
	CK_MECHANISM m = {CKM_VLDAA_MEMBER, honest[HONEST_GROUP].data, honest[HONEST_GROUP].len};
	CK_OBJECT_HANDLE public_key, member;
	bytes request;

	require(p11->C_GenerateKeyPair(blank, &m, NULL, 0, NULL, 0, &public_key, &member) ==
		CKR_OK);
	honest[HONEST_NONCE] = sign(issuer, CKM_VLDAA_JOIN_NONCE, NULL, issuer_key, "", 0);
	request = sign(blank, CKM_VLDAA_JOIN_REQUEST, NULL, member, honest[HONEST_NONCE].data,
		       honest[HONEST_NONCE].len);
	honest[HONEST_ANSWER] =
	    sign(issuer, CKM_VLDAA_JOIN_ISSUE, NULL, issuer_key, request.data, request.len);
	honest[HONEST_REQUEST] = request;
}

static void make_honest(void)
{
	const CK_OBJECT_HANDLE issuer_key = key_of(ISSUER, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_ISSUER);
	const CK_OBJECT_HANDLE member = key_of(CAR, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER);
	const CK_OBJECT_HANDLE key = key_of(CAR, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM);
	CK_OBJECT_CLASS class = CKO_CERTIFICATE;
	CK_ATTRIBUTE certificate = {CKA_CLASS, &class, sizeof class};

	honest[HONEST_GROUP] = get_attribute(
	    user[ISSUER], key_of(ISSUER, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP), CKA_VALUE);
	honest[HONEST_ATTESTATION] = get_attribute(user[CAR], key, CKA_VLDAA_ATTESTATION);
	honest[HONEST_SIGNATURE] = sign(user[CAR], CKM_VLDAA_SIGN, NULL, key, "x", 1);
	honest[HONEST_COMPACT] = sign(user[CAR], CKM_VLDAA_SIGN_COMPACT, NULL, key, "x", 1);
	/* Without ML-DSA there is none; what it is then is as good as any. */
	if (strcmp(world_set, "VLDAA-42") == 0)
		honest[HONEST_BARE] =
		    block(honest[HONEST_COMPACT].data, honest[HONEST_COMPACT].len);
	else
		honest[HONEST_BARE] = sign(user[CAR], 0x1d, NULL, key, "x", 1);
	honest[HONEST_TOKEN] = sign(user[CAR], CKM_VLDAA_REVOCATION_TOKEN, NULL, key, "", 0);
	honest[HONEST_CERTIFICATE] =
	    get_attribute(user[CAR], find_one(user[CAR], &certificate, 1), CKA_VALUE);
	honest[HONEST_ROOTS] = get_attribute(user[ISSUER], issuer_key, CKA_VLDAA_ROOTS);
	honest[HONEST_SPKI] = get_attribute(user[ISSUER], issuer_key, CKA_VLDAA_REVOCATION_KEY);
	make_orders(issuer_key, member);
	make_join(issuer_key);
}

static void log_in(void)
{
	for (int place = 0; place < 3; place++)
		user[place] = user_session((CK_SLOT_ID)place);
}

static void remove_world(void)
{
	world_leave();
	world_remove();
}

/* Files in memory, where there is such a place: what is measured is not the disk. */
void fuzz_token_enter(const char *set)
{
	static int is_made;

	if (is_made)
		return;
	is_made = 1;
	if (getenv("TMPDIR") == NULL && access("/dev/shm", W_OK) == 0)
		require(setenv("TMPDIR", "/dev/shm", 1) == 0);
	require(RAND_set_rand_method(&repeatable) == 1);
	world_set = set;
	world_make();
	world_enter();
	require(atexit(remove_world) == 0);
	log_in();
	make_honest();
	for (int place = 0; place < 3; place++)
		require(p11->C_CloseAllSessions((CK_SLOT_ID)place) == CKR_OK);
	log_in();
	for (int place = 0; place < 3; place++) {
		char path[256], name[64];
		bytes id =
		    get_attribute(user[ISSUER], key_of(ISSUER, CKO_PUBLIC_KEY, CK_VLDAA_ROLE_GROUP),
				  CKA_VLDAA_KEY_ID);
		size_t at = 0;

		(void)snprintf(path, sizeof path, "%s/token.db", world_directory(place));
		keep_file(path);
		for (CK_ULONG i = 0; i < id.len / 2; i++, at += 2)
			(void)snprintf(name + at, 3, "%02x", id.data[i]);
		(void)snprintf(path, sizeof path, "%s/register-%s.db", world_directory(place),
			       name);
		keep_file(path);
		bytes_free(&id);
	}
	/* Three databases and the issuer's register. */
	require(file_count == 4);
	kept_counter = source.counter;
}

static void end_operations(CK_SESSION_HANDLE s)
{
	(void)p11->C_SignInit(s, NULL, 0);
	(void)p11->C_VerifyInit(s, NULL, 0);
	(void)p11->C_FindObjectsFinal(s);
}

void fuzz_token_reset(void)
{
	int changed = 0;

	for (size_t i = 0; i < file_count; i++)
		changed |= is_changed(i);
	if (changed) {
		require(p11->C_Finalize(NULL) == CKR_OK);
		for (size_t i = 0; i < file_count; i++)
			restore_file(i);
		require(p11->C_Initialize(NULL) == CKR_OK);
		log_in();
		/* Logging in writes. */
		for (size_t i = 0; i < file_count; i++)
			read_contents(i);
	} else {
		for (int place = 0; place < 3; place++)
			end_operations(user[place]);
	}
	source.counter = kept_counter;
}

void require_code(CK_RV rv)
{
	/* 0x300 is past all codes of 3.2; ours have an error of the library in them. */
	require(rv < 0x300 || (rv >= CKR_VLDAA && rv < CKR_VLDAA + 100));
	require(rv != CKR_GENERAL_ERROR && rv != CKR_FUNCTION_FAILED && rv != CKR_DEVICE_ERROR &&
		rv != CKR_HOST_MEMORY && rv != CKR_TOKEN_NOT_RECOGNIZED);
}
