/*
 * Promises: whichever allocation fails, the library's own or one of libcrypto's, a function fails
 * with an error that says so (class FAILED: nothing was decided, above all not that somebody's
 * object is invalid), frees what it had allocated, gives out nothing, stores nothing, and works
 * when there is memory again.
 *
 * Every allocation of ours fails once, and of libcrypto's every 29th (all of them when the
 * environment has VLDAA_EVERY_ALLOCATION: a minute).  Allocations are counted through the linker's
 * --wrap and CRYPTO_set_mem_functions.  libcrypto does without some allocations that fail (caches);
 * then the result must be the right one.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

#include "../support/stage.h"
#include "role/evp.h"
#include "vldaa/keyfile.h"

static const uint8_t one[] = "one";

/* --- allocation that fails
 * ------------------------------------------------------------------------ */

enum { MOST = 1 << 16 }; /* allocations in an operation; a few thousand, mostly libcrypto's */

static struct {
	int armed;
	long calls, fail_at;
	int for_ever; /* from fail_at on all fail, not only that one */
	int hit;
	char ours[MOST]; /* 1: that allocation was ours, in the last run */
	long own_live;   /* blocks of ours that were allocated while armed and are still there */
} memory;

static int refused(int ours)
{
	if (!memory.armed)
		return 0;
	if (memory.calls < MOST)
		memory.ours[memory.calls] = (char)ours;
	if (memory.calls++ != memory.fail_at &&
	    (!memory.for_ever || memory.calls <= memory.fail_at))
		return 0;
	memory.hit = 1;
	return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);
void *__real_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset);
int __real_munmap(void *p, size_t size);
void *__wrap_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset);
int __wrap_munmap(void *p, size_t size);

static void *counted(void *p)
{
	memory.own_live += memory.armed && p;
	return p;
}

void *__wrap_malloc(size_t size)
{
	return refused(1) ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return refused(1) ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (refused(1))
		return NULL;
	return p ? __real_realloc(p, size) : counted(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return refused(1) ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *p)
{
	memory.own_live -= memory.armed && p;
	__real_free(p);
}

void *__wrap_mmap(void *at, size_t size, int rights, int flags, int file, off_t offset)
{
	return refused(1) ? MAP_FAILED
			  : counted(__real_mmap(at, size, rights, flags, file, offset));
}

int __wrap_munmap(void *p, size_t size)
{
	memory.own_live -= memory.armed;
	return __real_munmap(p, size);
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return size == 0 || refused(0) ? NULL : __real_malloc(size);
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
	if (!p)
		return crypto_malloc(size, file, line);
	if (size == 0) {
		__real_free(p);
		return NULL;
	}
	return refused(0) ? NULL : __real_realloc(p, size);
}

static void crypto_free(void *p, const char *file, int line)
{
	(void)file;
	(void)line;
	__real_free(p);
}

/* --- operations
 * ----------------------------------------------------------------------------------- */

static buffer signature, token, confirmation;
static vldaa_verifier *scratch;
static buffer member_object, pseudonym_object;
static vldaa_member_key *member;
static vldaa_pseudonym_key *pseudonym;

static int (*commit)(void *ctx, const vldaa_change *changes, size_t count);

/* The store's own memory is not what fails here. */
static int commit_in_peace(void *ctx, const vldaa_change *changes, size_t count)
{
	const int armed = memory.armed;
	int err;

	memory.armed = 0;
	err = commit(ctx, changes, count);
	memory.armed = armed;
	return err;
}

static void set_up_keys(void)
{
	const vldaa_member_parts parts = car_parts(&t.c);

	member_object = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_MEMBER));
	pseudonym_object = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_PSEUDONYM));
	ck_assert_int_eq(vldaa_member_key_encode(&parts, member_object.data, member_object.len,
						 &member_object.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_member_key_new(&member, member_object.data, member_object.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_member_key_pseudonym(member, t.att.data, t.att.len,
						    pseudonym_object.data, pseudonym_object.len,
						    &pseudonym_object.len),
			 VLDAA_OK);
	ck_assert_int_eq(
	    vldaa_pseudonym_key_new(&pseudonym, pseudonym_object.data, pseudonym_object.len),
	    VLDAA_OK);
}

static void set_up(void)
{
	stage_set_up(vldaa_set_by_name("VLDAA-42"));
	commit = t.c.services.commit;
	t.c.services.commit = commit_in_peace;
	signature = car_sign(&t.c, t.att, VLDAA_FORM_SELF_CONTAINED, one, 3);
	token = buffer_new(vldaa_object_max_size(t.w.set, VLDAA_KIND_TOKEN));
	ck_assert_int_eq(vldaa_tpm_token(t.c.tpm, t.key_id, one, 3, vldaa_attestation_digest(t.a),
					 token.data, token.len, &token.len),
			 VLDAA_OK);
	ck_assert_int_eq(vldaa_verifier_new(&scratch, t.w.group_key.data, t.w.group_key.len),
			 VLDAA_OK);
	set_up_keys();
}

static void tear_down(void)
{
	vldaa_pseudonym_key_free(pseudonym);
	vldaa_member_key_free(member);
	buffer_free(&pseudonym_object);
	buffer_free(&member_object);
	vldaa_verifier_free(scratch);
	buffer_free(&signature);
	buffer_free(&token);
	buffer_free(&confirmation);
	stage_tear_down();
}

/* While allocations fail, Check must not need one to say so: it is asserted afterwards. */
static int broken;

static void must(int holds)
{
	broken |= !holds;
}

static int host_new(void)
{
	vldaa_host *h = NULL;
	int err = vldaa_host_new(&h, t.w.group_key.data, t.w.group_key.len);

	must((err != 0) == (h == NULL));
	if (!err)
		err = vldaa_host_keygen(h, t.out, sizeof t.out, &t.len);
	vldaa_host_free(h);
	return err;
}

/* The host that was loaded already keeps what it has. */
static int host_load(void)
{
	return vldaa_host_load(t.c.host, t.c.host_key.data, t.c.host_key.len, t.c.credential.data,
			       t.c.credential.len);
}

static int host_accept(void)
{
	size_t len;
	int err = vldaa_tpm_public_key(t.c.tpm, t.key_id, t.second, sizeof t.second, &len);

	return err ? err
		   : vldaa_host_accept(t.c.host, t.c.credential.data, t.c.credential.len, t.second,
				       len);
}

static int issuer_keygen(void)
{
	return vldaa_issuer_keygen(t.w.set, NULL, t.w.authority.pkcs8.data, t.w.authority.pkcs8.len,
				   t.out, sizeof t.out, &t.len);
}

static int issuer_new(void)
{
	vldaa_issuer *is = NULL;
	int err = vldaa_issuer_new(&is, t.w.issuer_key.data, t.w.issuer_key.len);

	must((err != 0) == (is == NULL));
	vldaa_issuer_free(is);
	return err;
}

static int issuer_check(void)
{
	vldaa_request_info info;
	int err = vldaa_issuer_check(t.w.issuer, t.request.data, t.request.len, t.w.roots_pem.data,
				     t.w.roots_pem.len, t.w.now, &info);

	if (err)
		must(all_zero(&info, sizeof info)); /* no reason: it is nobody's fault */
	return err;
}

static int issuer_answer(void)
{
	const vldaa_group_services services = {t.w.revocation.spki.data, t.w.revocation.spki.len,
					       t.w.fleet_key};
	uint8_t tag[VLDAA_MAX_TAG_BYTES];
	size_t tag_len;
	int err =
	    vldaa_issuer_answer(t.w.issuer, &services, tag, &tag_len, t.out, sizeof t.out, &t.len);

	if (err)
		must(all_zero(tag, sizeof tag) && tag_len == 0);
	return err;
}

static int tpm_request(void)
{
	return vldaa_tpm_request(t.c.tpm, t.call.data, t.call.len, t.out, sizeof t.out, &t.len);
}

static int tpm_accept(void)
{
	return vldaa_tpm_accept(t.c.tpm, t.answer.data, t.answer.len, t.out, sizeof t.out, &t.len);
}

static int verifier_new(void)
{
	vldaa_verifier *v = NULL;
	int err = vldaa_verifier_new(&v, t.w.group_key.data, t.w.group_key.len);

	must((err != 0) == (v == NULL));
	vldaa_verifier_free(v);
	return err;
}

static int verify(void)
{
	vldaa_verification *v = NULL;
	int err =
	    vldaa_verification_new(&v, t.w.verifier, signature.data, signature.len, NULL, NULL, 0);

	must((err != 0) == (v == NULL));
	if (!err)
		err = vldaa_verification_update(v, one, 3);
	if (!err)
		err = vldaa_verification_end(v);
	vldaa_verification_free(v);
	return err;
}

static int add_list(void)
{
	uint8_t list[8192];
	size_t len;
	int err = vldaa_revoked_list((const uint8_t *const[]){t.order.data}, &t.order.len, 1, list,
				     sizeof list, &len);

	if (!err)
		err = vldaa_verifier_add_list(scratch, list, len);
	/* What was added lives as long as the verifier. */
	memory.own_live -= !err && memory.armed;
	return err;
}

static int order_new(void)
{
	const vldaa_order_terms terms = {VLDAA_REVOKE_SOFT, 0, 9, t.w.now};
	int err = vldaa_order_new(t.a, &terms, t.w.revocation.pkcs8.data, t.w.revocation.pkcs8.len,
				  t.w.fleet_key, t.second, sizeof t.second, &t.second_len, t.out,
				  sizeof t.out, &t.len);

	if (err)
		must(all_zero(t.second, sizeof t.second) && t.second_len == 0);
	return err;
}

static int chain_from_pem(void)
{
	return vldaa_x509_chain_from_pem(t.out, sizeof t.out, &t.len, t.w.roots_pem.data,
					 t.w.roots_pem.len);
}

static int certificate_id(void)
{
	uint8_t id[VLDAA_X509_ID_BYTES];
	int err = vldaa_x509_certificate_id(id, t.w.roots_pem.data, t.w.roots_pem.len);

	if (err)
		must(all_zero(id, sizeof id));
	return err;
}

static int member_new(void)
{
	vldaa_member_key *k = NULL;
	int err = vldaa_member_key_new(&k, member_object.data, member_object.len);

	must((err != 0) == (k == NULL));
	vldaa_member_key_free(k);
	return err;
}

static int member_create(void)
{
	return vldaa_member_key_create(member, one, 3, t.out, sizeof t.out, &t.len);
}

static int pseudonym_new(void)
{
	vldaa_pseudonym_key *k = NULL;
	int err = vldaa_pseudonym_key_new(&k, pseudonym_object.data, pseudonym_object.len);

	must((err != 0) == (k == NULL));
	vldaa_pseudonym_key_free(k);
	return err;
}

static int pseudonym_sign(void)
{
	vldaa_signing *s = NULL, *copy = NULL;
	int err = vldaa_signing_new(&s, pseudonym, VLDAA_FORM_COMPACT);

	must((err != 0) == (s == NULL));
	if (!err)
		err = vldaa_signing_update(s, one, 3);
	if (!err)
		err = vldaa_signing_copy(&copy, s);
	must(!s || (err != 0) == (copy == NULL));
	if (!err)
		err = vldaa_signing_end(copy, t.second, sizeof t.second, &t.second_len);
	if (err && copy)
		must(all_zero(t.second, sizeof t.second) && t.second_len == 0);
	vldaa_signing_free(copy);
	vldaa_signing_free(s);
	return err;
}

static int mldsa_key_file(void)
{
	uint8_t *text = NULL, *key = NULL;
	size_t len = 0, key_len = 0;
	int err = vldaa_keyfile_encode_mldsa(&text, &len, VLDAA_KEYFILE_PEM, t.second, 1312);

	must((err != 0) == (text == NULL));
	if (!err) {
		err = vldaa_keyfile_decode_mldsa(&key, &key_len, text, len);
		must((err != 0) == (key == NULL));
	}
	vldaa_keyfile_free(key, key_len);
	vldaa_keyfile_free(text, len);
	return err;
}

/* Obeys, or gives the same confirmation again; the last operation. */
static int tpm_obey(void)
{
	return vldaa_tpm_obey(t.c.tpm, t.sealed.data, t.sealed.len, t.out, sizeof t.out, &t.len);
}

static int confirmation_check(void)
{
	return vldaa_confirmation_check(t.w.verifier, t.order.data, t.order.len, confirmation.data,
					confirmation.len, token.data, token.len);
}

static const struct {
	int (*run)(void);
	int has_output;
	int stores;
} operations[] = {
    {host_new, 0, 0},           {host_load, 0, 0},      {host_accept, 0, 0},
    {issuer_keygen, 1, 0},      {issuer_new, 0, 0},     {issuer_check, 0, 0},
    {issuer_answer, 1, 0},      {tpm_request, 1, 1},    {tpm_accept, 1, 1},
    {verifier_new, 0, 0},       {verify, 0, 0},         {add_list, 0, 0},
    {order_new, 1, 0},          {chain_from_pem, 1, 0}, {certificate_id, 0, 0},
    {member_new, 0, 0},         {member_create, 1, 0},  {pseudonym_new, 0, 0},
    {pseudonym_sign, 0, 0},     {mldsa_key_file, 0, 0}, {tpm_obey, 1, 1},
    {confirmation_check, 0, 0},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* One run in which an allocation fails; 1 when there was none left to fail. */
static int run_with_fault(size_t which, long fail_at, int for_ever)
{
	const store_state before = store_now(&t.c.store);
	int err;

	stage_spoil();
	memory.calls = memory.own_live = memory.hit = 0;
	memory.fail_at = fail_at;
	memory.for_ever = for_ever;
	memory.armed = 1;
	err = operations[which].run();
	memory.armed = 0;
	ck_assert_int_eq(broken, 0);
	ck_assert_int_eq(memory.own_live, 0);
	ck_assert_uint_eq(ERR_peek_error(), 0);
	if (!memory.hit)
		ck_assert_int_eq(err, VLDAA_OK);
	if (!err)
		return !memory.hit;
	ck_assert_msg(vldaa_error_class(err) == VLDAA_CLASS_FAILED,
		      "operation %zu, allocation %ld: %s", which, fail_at, vldaa_error_name(err));
	if (operations[which].has_output)
		ck_assert(all_zero(t.out, sizeof t.out) && t.len == 0);
	ck_assert(store_same(&t.c.store, before));
	return 0;
}

START_TEST(an_allocation_that_fails_is_said_to_have_failed)
{
	static char ours[MOST];
	const int every = getenv("VLDAA_EVERY_ALLOCATION") != NULL;
	const size_t which = (size_t)_i;
	memory_store kept;

	set_up();
	if (operations[which].run == confirmation_check) {
		ck_assert_int_eq(tpm_obey(), VLDAA_OK);
		confirmation = buffer_new(t.len);
		memcpy(confirmation.data, t.out, t.len);
	}
	/* What libcrypto sets up once, it has then. */
	kept = store_copy(&t.c.store);
	ck_assert_int_eq(operations[which].run(), VLDAA_OK);
	store_clear(&t.c.store);
	t.c.store = store_copy(&kept);
	ck_assert_int_eq(run_with_fault(which, MOST, 0), 1);
	const long calls = memory.calls;
	memcpy(ours, memory.ours, sizeof ours);
	ck_assert_int_lt(calls, MOST);
	ck_assert_int_gt(calls, 0);
	for (int for_ever = 0; for_ever < 2; for_ever++) {
		for (long n = 0; n < calls; n++) {
			if (!every && !ours[n] && (n + _i) % 29)
				continue;
			store_clear(&t.c.store);
			t.c.store = store_copy(&kept);
			(void)run_with_fault(which, n, for_ever);
		}
	}
	store_clear(&kept);
	ck_assert_int_eq(operations[which].run(), VLDAA_OK);
	tear_down();
}
END_TEST

int main(void)
{
	Suite *s;
	TCase *tc;
	SRunner *sr;

	/* Before libcrypto allocates anything. */
	if (CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free) != 1)
		return EXIT_FAILURE;
	s = suite_create("allocations that fail");
	tc = tcase_create("memory");
	sr = srunner_create(s);
	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(tc, an_allocation_that_fails_is_said_to_have_failed, 0, OPERATIONS);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_ENV);
	int failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
