/*
 * Promises of the module as such: it starts, stops and says what it is as PKCS#11 has it; whatever a
 * client passes that is NULL, of no length or no handle is refused with the code for it, and nothing
 * crashes; C_Finalize may come while other calls are on their way.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module.h"
#include "vldaa/error.h"

/* --- start and stop ----------------------------------------------------------------------------
 */

START_TEST(before_initialize_nothing_works_and_finalize_makes_it_so_again)
{
	CK_INFO info;
	CK_ULONG count;
	CK_SESSION_HANDLE session;

	assert_rv(p11->C_Initialize(NULL), CKR_CRYPTOKI_ALREADY_INITIALIZED);
	assert_ok(p11->C_GetInfo(&info));
	assert_rv(p11->C_Finalize(&info), CKR_ARGUMENTS_BAD);
	assert_ok(p11->C_Finalize(NULL));
	assert_rv(p11->C_Finalize(NULL), CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_rv(p11->C_GetInfo(&info), CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_rv(p11->C_GetSlotList(CK_TRUE, NULL, &count), CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_rv(p11->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &session),
		  CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_rv(p11->C_CloseSession(1), CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_rv(p11->C_EncryptInit(1, NULL, 1), CKR_CRYPTOKI_NOT_INITIALIZED);
	assert_ok(p11->C_Initialize(NULL));
	assert_ok(p11->C_GetInfo(&info));
	ck_assert_uint_eq(info.cryptokiVersion.major, 2);
	ck_assert_uint_eq(info.cryptokiVersion.minor, 40);
	ck_assert_int_eq(info.manufacturerID[31], ' ');
}
END_TEST

static CK_RV mutex(void *unused)
{
	(void)unused;
	return CKR_OK;
}

static CK_RV create_mutex(void **unused)
{
	(void)unused;
	return CKR_OK;
}

START_TEST(initialize_wants_the_systems_locks)
{
	CK_C_INITIALIZE_ARGS args;

	assert_ok(p11->C_Finalize(NULL));
	memset(&args, 0, sizeof args);
	args.pReserved = &args;
	assert_rv(p11->C_Initialize(&args), CKR_ARGUMENTS_BAD);
	args.pReserved = NULL;
	args.CreateMutex = create_mutex;
	assert_rv(p11->C_Initialize(&args), CKR_ARGUMENTS_BAD);
	args.DestroyMutex = args.LockMutex = args.UnlockMutex = mutex;
	assert_rv(p11->C_Initialize(&args), CKR_CANT_LOCK);
	args.flags = CKF_OS_LOCKING_OK;
	assert_ok(p11->C_Initialize(&args));
}
END_TEST

/* The lists of 3.0: the name is PKCS 11, and the functions of 2.40 come first. */
typedef struct {
	unsigned char *name;
	void *functions;
	CK_FLAGS flags;
} interface;

START_TEST(both_function_lists_are_found_by_their_version)
{
	typedef CK_RV get(unsigned char *, CK_VERSION *, interface **, CK_FLAGS);
	typedef CK_RV list(interface *, CK_ULONG *);
	void *symbols[] = {module_symbol("C_GetInterface"), module_symbol("C_GetInterfaceList")};
	unsigned char name[] = "PKCS 11", other[] = "PKCS 12";
	CK_VERSION v240 = {2, 40}, v30 = {3, 0}, v31 = {3, 1}, got;
	get *get_interface;
	list *get_list;
	interface *found, all[2];
	CK_ULONG count = 0;

	memcpy(&get_interface, &symbols[0], sizeof get_interface);
	memcpy(&get_list, &symbols[1], sizeof get_list);
	assert_ok(get_interface(name, &v240, &found, 0));
	ck_assert_ptr_eq(found->functions, p11);
	assert_ok(get_interface(NULL, &v30, &found, 0));
	memcpy(&got, found->functions, sizeof got);
	ck_assert_uint_eq(got.major, 3);
	assert_ok(get_interface(NULL, NULL, &found, 0));
	memcpy(&got, found->functions, sizeof got);
	ck_assert_uint_eq(got.major, 3);
	assert_rv(get_interface(other, NULL, &found, 0), CKR_FUNCTION_FAILED);
	assert_rv(get_interface(name, &v31, &found, 0), CKR_FUNCTION_FAILED);
	assert_rv(get_interface(name, NULL, NULL, 0), CKR_ARGUMENTS_BAD);
	assert_ok(get_list(NULL, &count));
	ck_assert_uint_eq(count, 2);
	count = 1;
	assert_rv(get_list(all, &count), CKR_BUFFER_TOO_SMALL);
	assert_ok(get_list(all, &count));
	ck_assert_str_eq((const char *)all[0].name, "PKCS 11");
	/* Every function is there. */
	const CK_FUNCTION_LIST *list_30 = all[0].functions;
	CK_ULONG functions[92];

	memcpy(functions, &list_30->C_Initialize, sizeof functions);
	for (size_t i = 0; i < 92; i++)
		ck_assert_uint_ne(functions[i], 0);
	ck_assert_ptr_eq((void *)functions[0], (void *)p11->C_Initialize);
}
END_TEST

START_TEST(a_user_of_3_0_has_no_name)
{
	typedef CK_RV get(unsigned char *, CK_VERSION *, interface **, CK_FLAGS);
	struct {
		CK_FUNCTION_LIST base;
		void *get_interface_list, *get_interface;
		CK_RV(*login_user)
		(CK_SESSION_HANDLE, CK_USER_TYPE, unsigned char *, CK_ULONG, unsigned char *,
		 CK_ULONG);
	} list;
	void *symbol = module_symbol("C_GetInterface");
	unsigned char pin[] = USER_PIN, name[] = "me";
	CK_SESSION_HANDLE s = open_session(CAR, 0);
	interface *found;
	get *get_interface;

	memcpy(&get_interface, &symbol, sizeof get_interface);
	assert_ok(get_interface(NULL, NULL, &found, 0));
	memcpy(&list, found->functions, sizeof list);
	assert_rv(list.login_user(s + 1, CKU_USER, pin, sizeof pin - 1, name, 2),
		  CKR_SESSION_HANDLE_INVALID);
	assert_rv(list.login_user(s, CKU_USER, pin, sizeof pin - 1, name, 2), CKR_ARGUMENTS_BAD);
	assert_ok(list.login_user(s, CKU_USER, pin, sizeof pin - 1, name, 0));
	assert_ok(p11->C_Finalize(NULL));
	assert_rv(list.login_user(s, CKU_USER, pin, sizeof pin - 1, name, 2),
		  CKR_CRYPTOKI_NOT_INITIALIZED);
}
END_TEST

/* --- slots -------------------------------------------------------------------------------------
 */

START_TEST(each_directory_is_a_slot_in_its_place)
{
	CK_SLOT_ID slots[PLACES];
	CK_ULONG count = 0;
	CK_SLOT_INFO info;
	CK_TOKEN_INFO token;

	assert_ok(p11->C_GetSlotList(CK_TRUE, NULL, &count));
	ck_assert_uint_eq(count, PLACES);
	count = PLACES - 1;
	assert_rv(p11->C_GetSlotList(CK_FALSE, slots, &count), CKR_BUFFER_TOO_SMALL);
	ck_assert_uint_eq(count, PLACES);
	assert_ok(p11->C_GetSlotList(CK_FALSE, slots, &count));
	for (CK_ULONG i = 0; i < PLACES; i++)
		ck_assert_uint_eq(slots[i], i);
	assert_ok(p11->C_GetSlotInfo(EMPTY, &info));
	ck_assert(info.flags & CKF_TOKEN_PRESENT);
	assert_ok(p11->C_GetTokenInfo(EMPTY, &token));
	ck_assert_uint_eq(token.flags & CKF_TOKEN_INITIALIZED, 0);
	assert_ok(p11->C_GetTokenInfo(CAR, &token));
	ck_assert(token.flags & CKF_TOKEN_INITIALIZED);
	ck_assert(token.flags & CKF_USER_PIN_INITIALIZED);
	ck_assert_int_eq(memcmp(token.label, "car                             ", 32), 0);
	ck_assert_uint_eq(token.ulMinPinLen, 4);
	ck_assert_uint_eq(token.ulMaxPinLen, 255);
	assert_rv(p11->C_GetSlotInfo(PLACES, &info), CKR_SLOT_ID_INVALID);
	assert_rv(p11->C_GetTokenInfo(PLACES, &token), CKR_SLOT_ID_INVALID);
}
END_TEST

/* 64 bytes have room for the end of a path, which is where paths differ. */
START_TEST(slots_with_long_paths_are_told_apart)
{
	char *list = strdup(getenv("VLDAA_TOKEN_DIR"));
	char both[512], base[128];
	CK_SLOT_INFO one, two;

	assert_ok(p11->C_Finalize(NULL));
	memset(base, 'x', sizeof base - 1);
	base[sizeof base - 1] = '\0';
	(void)snprintf(both, sizeof both, "/%s/car 1:/%s/car 2", base, base);
	ck_assert_int_eq(setenv("VLDAA_TOKEN_DIR", both, 1), 0);
	assert_ok(p11->C_Initialize(NULL));
	assert_ok(p11->C_GetSlotInfo(0, &one));
	assert_ok(p11->C_GetSlotInfo(1, &two));
	ck_assert_int_eq(memcmp(one.slotDescription, "...xxx", 6), 0);
	ck_assert_int_eq(memcmp(one.slotDescription + 64 - 7, "x/car 1", 7), 0);
	ck_assert_int_eq(memcmp(two.slotDescription + 64 - 7, "x/car 2", 7), 0);
	ck_assert_int_eq(setenv("VLDAA_TOKEN_DIR", list, 1), 0);
	free(list);
}
END_TEST

START_TEST(what_is_not_initialised_has_no_sessions)
{
	CK_SESSION_HANDLE session;

	assert_rv(p11->C_OpenSession(EMPTY, CKF_SERIAL_SESSION, NULL, NULL, &session),
		  CKR_TOKEN_NOT_RECOGNIZED);
}
END_TEST

START_TEST(the_mechanisms_say_what_they_are_for)
{
	CK_MECHANISM_TYPE types[32];
	CK_MECHANISM_INFO info;
	CK_ULONG count = 0;

	assert_ok(p11->C_GetMechanismList(CAR, NULL, &count));
	ck_assert_uint_eq(count, 13);
	count = 1;
	assert_rv(p11->C_GetMechanismList(CAR, types, &count), CKR_BUFFER_TOO_SMALL);
	assert_ok(p11->C_GetMechanismList(CAR, types, &count));
	for (CK_ULONG i = 0; i < count; i++)
		assert_ok(p11->C_GetMechanismInfo(CAR, types[i], &info));
	assert_ok(p11->C_GetMechanismInfo(CAR, CKM_VLDAA_SIGN, &info));
	ck_assert_uint_eq(info.flags, CKF_SIGN | CKF_VERIFY);
	assert_ok(p11->C_GetMechanismInfo(CAR, CKM_VLDAA_CREATE, &info));
	ck_assert_uint_eq(info.flags, CKF_DERIVE);
	assert_rv(p11->C_GetMechanismInfo(CAR, CKM_RSA_PKCS, &info), CKR_MECHANISM_INVALID);
}
END_TEST

/* --- nonsense ----------------------------------------------------------------------------------
 */

START_TEST(null_is_refused_wherever_there_must_be_something)
{
	const CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION);
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	CK_OBJECT_HANDLE o, p;
	CK_ULONG n = 1;
	uint8_t b[4] = {0};

	assert_rv(p11->C_GetInfo(NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetFunctionList(NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetSlotList(CK_TRUE, NULL, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetSlotInfo(0, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetTokenInfo(0, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetMechanismList(0, NULL, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetMechanismInfo(0, CKM_VLDAA_SIGN, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_InitToken(EMPTY, NULL, 0, b), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_InitToken(EMPTY, b, 4, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, NULL, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetSessionInfo(s, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_Login(s, CKU_USER, NULL, 0), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_SetPIN(s, NULL, 0, b, 4), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_SetPIN(s, b, 4, NULL, 0), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_CreateObject(s, NULL, 0, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_CreateObject(s, NULL, 1, &o), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_CreateObject(s, NULL, 0, &o), CKR_TEMPLATE_INCOMPLETE);
	assert_rv(p11->C_FindObjectsInit(s, NULL, 1), CKR_ARGUMENTS_BAD);
	assert_ok(p11->C_FindObjectsInit(s, NULL, 0));
	assert_rv(p11->C_FindObjects(s, NULL, 1, &n), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_FindObjects(s, &o, 1, NULL), CKR_ARGUMENTS_BAD);
	assert_ok(p11->C_FindObjects(s, &o, 1, &n));
	assert_ok(p11->C_FindObjectsFinal(s));
	assert_rv(p11->C_GetAttributeValue(s, o, NULL, 1), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GetObjectSize(s, o, NULL), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_SignInit(s, NULL, o), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_VerifyInit(s, NULL, o), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GenerateKeyPair(s, NULL, NULL, 0, NULL, 0, &o, &p), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, NULL, &p), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &o, &p), CKR_MECHANISM_INVALID);
	assert_rv(p11->C_DeriveKey(s, NULL, o, NULL, 0, &p), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_DeriveKey(s, &m, o, NULL, 0, &p), CKR_MECHANISM_INVALID);
	assert_rv(p11->C_UnwrapKey(s, NULL, o, b, 4, NULL, 0, &p), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_UnwrapKey(s, &m, o, NULL, 4, NULL, 0, &p), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_UnwrapKey(s, &m, o, b, 4, NULL, 0, &p), CKR_MECHANISM_INVALID);
	assert_rv(p11->C_GenerateRandom(s, NULL, 4), CKR_ARGUMENTS_BAD);
	assert_rv(p11->C_SeedRandom(s, NULL, 4), CKR_ARGUMENTS_BAD);
	assert_ok(p11->C_GenerateRandom(s, b, 4));
	assert_ok(p11->C_SeedRandom(s, b, 4));
}
END_TEST

START_TEST(handles_of_nothing_are_told_apart)
{
	const CK_SESSION_HANDLE s = open_session(CAR, CKF_RW_SESSION);
	const CK_SESSION_HANDLE none[] = {0, s + 1, (CK_SESSION_HANDLE)-1};
	CK_MECHANISM m = {CKM_VLDAA_SIGN, NULL, 0};
	CK_SESSION_INFO info;
	CK_OBJECT_HANDLE o;
	CK_ULONG n = 0;
	uint8_t b[4] = {0};

	for (int i = 0; i < 3; i++) {
		const CK_SESSION_HANDLE x = none[i];

		assert_rv(p11->C_GetSessionInfo(x, &info), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_CloseSession(x), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_Login(x, CKU_USER, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_Logout(x), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_InitPIN(x, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_SetPIN(x, b, 4, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_FindObjectsInit(x, NULL, 0), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_FindObjects(x, &o, 1, &n), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_FindObjectsFinal(x), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_SignInit(x, &m, 2), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_Sign(x, b, 4, NULL, &n), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_SignUpdate(x, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_SignFinal(x, NULL, &n), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_VerifyInit(x, &m, 2), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_Verify(x, b, 4, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_VerifyUpdate(x, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_VerifyFinal(x, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_GenerateRandom(x, b, 4), CKR_SESSION_HANDLE_INVALID);
		assert_rv(p11->C_DestroyObject(x, 2), CKR_SESSION_HANDLE_INVALID);
	}
	assert_rv(p11->C_DestroyObject(s, 0), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_GetObjectSize(s, 77777, &n), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_GetAttributeValue(s, 77777, NULL, 0), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_SetAttributeValue(s, 77777, NULL, 0), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_CopyObject(s, 77777, NULL, 0, &o), CKR_OBJECT_HANDLE_INVALID);
	assert_rv(p11->C_VerifyInit(s, &m, 77777), CKR_KEY_HANDLE_INVALID);
	assert_rv(p11->C_SignInit(s, &m, 77777), CKR_USER_NOT_LOGGED_IN);
	assert_rv(p11->C_CloseAllSessions(PLACES), CKR_SLOT_ID_INVALID);
	assert_rv(p11->C_OpenSession(PLACES, CKF_SERIAL_SESSION, NULL, NULL, &o),
		  CKR_SLOT_ID_INVALID);
	assert_rv(p11->C_OpenSession(CAR, 0, NULL, NULL, &o), CKR_SESSION_PARALLEL_NOT_SUPPORTED);
}
END_TEST

START_TEST(what_there_is_not_says_so)
{
	const CK_SESSION_HANDLE s = open_session(CAR, 0);
	CK_MECHANISM m = {CKM_RSA_PKCS, NULL, 0};
	CK_OBJECT_HANDLE o;

	assert_rv(p11->C_EncryptInit(s, &m, 2), CKR_FUNCTION_NOT_SUPPORTED);
	assert_rv(p11->C_DigestInit(s, &m), CKR_FUNCTION_NOT_SUPPORTED);
	assert_rv(p11->C_GenerateKey(s, &m, NULL, 0, &o), CKR_MECHANISM_INVALID);
	assert_rv(p11->C_GetFunctionStatus(s), CKR_FUNCTION_NOT_PARALLEL);
	assert_rv(p11->C_CancelFunction(s), CKR_FUNCTION_NOT_PARALLEL);
	assert_rv(p11->C_VerifyInit(s, &m, 2), CKR_MECHANISM_INVALID);
}
END_TEST

/* --- the end, while others are busy ------------------------------------------------------------
 */

static void *wait_for_event(void *unused)
{
	CK_SLOT_ID slot;
	CK_RV *rv = malloc(sizeof *rv);

	(void)unused;
	if (rv != NULL)
		*rv = p11->C_WaitForSlotEvent(0, &slot, NULL);
	return rv;
}

START_TEST(finalize_wakes_who_waits_for_a_slot_event)
{
	CK_SLOT_ID slot;
	pthread_t thread;
	void *result;

	assert_rv(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, &slot, NULL), CKR_NO_EVENT);
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_event, NULL), 0);
	pause_ms(20);
	assert_ok(p11->C_Finalize(NULL));
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_nonnull(result);
	assert_rv(*(CK_RV *)result, CKR_CRYPTOKI_NOT_INITIALIZED);
	free(result);
}
END_TEST

enum { BUSY = 4 };

/* Opens, looks and closes until there is no library any more. */
static void *be_busy(void *count)
{
	CK_SESSION_HANDLE s;
	CK_OBJECT_HANDLE o[4];
	CK_ULONG n;
	CK_RV rv = CKR_OK;

	while (rv == CKR_OK) {
		rv = p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s);
		if (rv == CKR_OK)
			rv = p11->C_FindObjectsInit(s, NULL, 0);
		if (rv == CKR_OK)
			rv = p11->C_FindObjects(s, o, 4, &n);
		if (rv == CKR_OK)
			rv = p11->C_CloseSession(s);
		if (rv == CKR_OK)
			++*(unsigned *)count;
	}
	/* A session that Finalize has closed may be told first. */
	return rv == CKR_CRYPTOKI_NOT_INITIALIZED || rv == CKR_SESSION_HANDLE_INVALID ? count
										      : NULL;
}

START_TEST(finalize_may_race_any_call)
{
	unsigned counts[BUSY];
	pthread_t threads[BUSY];
	void *result;

	for (int round = 0; round < 5; round++) {
		memset(counts, 0, sizeof counts);
		for (int i = 0; i < BUSY; i++)
			ck_assert_int_eq(pthread_create(&threads[i], NULL, be_busy, &counts[i]), 0);
		pause_ms(10);
		assert_ok(p11->C_Finalize(NULL));
		for (int i = 0; i < BUSY; i++) {
			ck_assert_int_eq(pthread_join(threads[i], &result), 0);
			ck_assert_ptr_nonnull(result);
		}
		assert_ok(p11->C_Initialize(NULL));
	}
}
END_TEST

#ifndef __SANITIZE_ADDRESS__
static CK_RV make_issuer(CK_SESSION_HANDLE s)
{
	char set[] = "VLDAA2-87";
	CK_MECHANISM m = {CKM_VLDAA_SETUP, set, sizeof set - 1};
	CK_OBJECT_HANDLE o, p;
	CK_RV rv = p11->C_GenerateKeyPair(s, &m, NULL, 0, NULL, 0, &o, &p);

	if (rv == CKR_OK)
		rv = p11->C_DestroyObject(s, o);
	return rv == CKR_OK ? p11->C_DestroyObject(s, p) : rv;
}

static void *make_issuers(void *session)
{
	while (make_issuer(*(CK_SESSION_HANDLE *)session) == CKR_OK)
		;
	return NULL;
}

/* The threads that make some are not in the child, nor is what they had locked. */
START_TEST(a_child_that_was_forked_while_an_issuer_is_made_makes_one)
{
	CK_SESSION_HANDLE sessions[BUSY] = {user_session(ISSUER)};
	pthread_t threads[BUSY];
	int status;

	for (int i = 1; i < BUSY; i++)
		sessions[i] = open_session(ISSUER, CKF_RW_SESSION);
	for (int i = 0; i < BUSY; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, make_issuers, &sessions[i]), 0);
	for (int i = 0; i < 10; i++) {
		pid_t child;

		pause_ms(5);
		child = fork();

		ck_assert_int_ge(child, 0);
		if (child == 0) {
			CK_SESSION_HANDLE own;

			/* Who hangs is killed. */
			(void)alarm(60);
			if (p11->C_Initialize(NULL) != CKR_OK ||
			    p11->C_OpenSession(ISSUER, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL,
					       NULL, &own) != CKR_OK ||
			    login(own, CKU_USER, USER_PIN) != CKR_OK)
				_exit(1);
			_exit(make_issuer(own) == CKR_OK ? 0 : 2);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
	}
	assert_ok(p11->C_Finalize(NULL));
	for (int i = 0; i < BUSY; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST
#endif

START_TEST(a_forked_child_starts_anew_and_leaves_the_parent_alone)
{
	CK_SESSION_HANDLE s = user_session(CAR);
	int status;
	pid_t child;

	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		CK_SESSION_INFO info;
		int good = p11->C_GetSessionInfo(s, &info) == CKR_CRYPTOKI_NOT_INITIALIZED &&
			   p11->C_Initialize(NULL) == CKR_OK &&
			   p11->C_GetSessionInfo(s, &info) == CKR_SESSION_HANDLE_INVALID &&
			   p11->C_OpenSession(CAR, CKF_SERIAL_SESSION, NULL, NULL, &s) == CKR_OK &&
			   p11->C_GetSessionInfo(s, &info) == CKR_OK &&
			   info.state == CKS_RO_PUBLIC_SESSION &&
			   login(s, CKU_USER, USER_PIN) == CKR_OK &&
			   find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_MEMBER) != 0 &&
			   p11->C_Finalize(NULL) == CKR_OK;
		_exit(good ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	/* The parent is logged in still. */
	bytes sig = sign(s, CKM_VLDAA_SIGN, NULL,
			 find_key(s, CKO_PRIVATE_KEY, CK_VLDAA_ROLE_PSEUDONYM), "x", 1);
	bytes_free(&sig);
}
END_TEST

/* --- errors ------------------------------------------------------------------------------------
 */

/* Codes of the library that PKCS#11 has words for, as result.c has it. */
static int has_standard_code(int err)
{
	static const int standard[] = {VLDAA_ERR_ARGUMENT, VLDAA_ERR_BUFFER,   VLDAA_ERR_STATE,
				       VLDAA_ERR_SET,      VLDAA_ERR_BASENAME, VLDAA_ERR_FORM,
				       VLDAA_ERR_RANDOM,   VLDAA_ERR_MEMORY,   VLDAA_ERR_ATTEMPTS,
				       VLDAA_ERR_STORE,    VLDAA_ERR_SERVICE,  VLDAA_ERR_CRYPTO,
				       VLDAA_ERR_INTERNAL};

	for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++) {
		if (standard[i] == err)
			return 1;
	}
	return 0;
}

START_TEST(every_error_of_the_library_has_a_name_for_clients)
{
	static const struct {
		CK_RV rv;
		int err;
	} names[] = {
	    {CKR_VLDAA_NO_KEY, VLDAA_ERR_NO_KEY},
	    {CKR_VLDAA_NOT_JOINED, VLDAA_ERR_NO_CREDENTIAL},
	    {CKR_VLDAA_HAVE_KEY, VLDAA_ERR_HAVE_KEY},
	    {CKR_VLDAA_EXHAUSTED, VLDAA_ERR_EXHAUSTED},
	    {CKR_VLDAA_TRUNCATED, VLDAA_ERR_TRUNCATED},
	    {CKR_VLDAA_TRAILING, VLDAA_ERR_TRAILING},
	    {CKR_VLDAA_KIND, VLDAA_ERR_KIND},
	    {CKR_VLDAA_VERSION, VLDAA_ERR_VERSION},
	    {CKR_VLDAA_ENCODING, VLDAA_ERR_ENCODING},
	    {CKR_VLDAA_RANGE, VLDAA_ERR_RANGE},
	    {CKR_VLDAA_WRONG_SET, VLDAA_ERR_WRONG_SET},
	    {CKR_VLDAA_WRONG_ISSUER, VLDAA_ERR_WRONG_ISSUER},
	    {CKR_VLDAA_WRONG_BASENAME, VLDAA_ERR_WRONG_BASENAME},
	    {CKR_VLDAA_NORM, VLDAA_ERR_NORM},
	    {CKR_VLDAA_PROOF, VLDAA_ERR_PROOF},
	    {CKR_VLDAA_ATTESTATION, VLDAA_ERR_ATTESTATION},
	    {CKR_VLDAA_ROGUE, VLDAA_ERR_ROGUE},
	    {CKR_VLDAA_REVOKED_LISTED, VLDAA_ERR_REVOKED},
	    {CKR_VLDAA_NONCE, VLDAA_ERR_NONCE},
	    {CKR_VLDAA_CERTIFICATE, VLDAA_ERR_CERTIFICATE},
	    {CKR_VLDAA_ENDORSEMENT, VLDAA_ERR_ENDORSEMENT},
	    {CKR_VLDAA_KEY_REGISTERED, VLDAA_ERR_KEY_REGISTERED},
	    {CKR_VLDAA_MEMBER_EXISTS, VLDAA_ERR_MEMBER_EXISTS},
	    {CKR_VLDAA_BANNED, VLDAA_ERR_BANNED},
	    {CKR_VLDAA_CREDENTIAL, VLDAA_ERR_CREDENTIAL},
	    {CKR_VLDAA_KEY, VLDAA_ERR_KEY},
	    {CKR_VLDAA_UNSEAL, VLDAA_ERR_UNSEAL},
	    {CKR_VLDAA_REVOKED, VLDAA_ERR_TOMBSTONE},
	    {CKR_VLDAA_NOT_MINE, VLDAA_ERR_NOT_MINE},
	    {CKR_VLDAA_ORDER_SIGNATURE, VLDAA_ERR_ORDER_SIGNATURE},
	    {CKR_VLDAA_ORDER_SEQUENCE, VLDAA_ERR_ORDER_SEQUENCE},
	    {CKR_VLDAA_ORDER_EXPIRED, VLDAA_ERR_ORDER_EXPIRED},
	    {CKR_VLDAA_CONFIRMATION, VLDAA_ERR_CONFIRMATION},
	    {CKR_VLDAA_TAG, VLDAA_ERR_TAG},
	    {CKR_VLDAA_EXPELLED, VLDAA_ERR_EXPELLED},
	    {CKR_VLDAA_TOKEN, VLDAA_ERR_TOKEN},
	    {CKR_VLDAA_KEY_NEAR, VLDAA_ERR_KEY_NEAR},
	};
	const char *unknown = vldaa_error_name(-99);
	int named[100] = {0};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ck_assert_uint_eq(names[i].rv, CKR_VLDAA + (CK_RV)-names[i].err);
		named[-names[i].err]++;
	}
	for (int n = 1; n < 100; n++) {
		const int known = strcmp(vldaa_error_name(-n), unknown) != 0;

		ck_assert_msg(named[n] == (known && !has_standard_code(-n)),
			      "error %d %s: named %d times", -n, vldaa_error_name(-n), named[n]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pkcs11_general");
	TCase *c = tcase_create("general");
	SRunner *runner;
	int failed;

	tcase_add_unchecked_fixture(c, world_make, world_remove);
	tcase_add_checked_fixture(c, world_enter, world_leave);
	tcase_add_test(c, before_initialize_nothing_works_and_finalize_makes_it_so_again);
	tcase_add_test(c, initialize_wants_the_systems_locks);
	tcase_add_test(c, both_function_lists_are_found_by_their_version);
	tcase_add_test(c, each_directory_is_a_slot_in_its_place);
	tcase_add_test(c, a_user_of_3_0_has_no_name);
	tcase_add_test(c, slots_with_long_paths_are_told_apart);
	tcase_add_test(c, what_is_not_initialised_has_no_sessions);
	tcase_add_test(c, the_mechanisms_say_what_they_are_for);
	tcase_add_test(c, every_error_of_the_library_has_a_name_for_clients);
	tcase_add_test(c, null_is_refused_wherever_there_must_be_something);
	tcase_add_test(c, handles_of_nothing_are_told_apart);
	tcase_add_test(c, what_there_is_not_says_so);
	tcase_add_test(c, finalize_wakes_who_waits_for_a_slot_event);
	tcase_add_test(c, finalize_may_race_any_call);
	/* AddressSanitizer's malloc (of gcc 12) may stay locked in such a child. */
#ifndef __SANITIZE_ADDRESS__
	tcase_add_test(c, a_child_that_was_forked_while_an_issuer_is_made_makes_one);
#endif
	tcase_add_test(c, a_forked_child_starts_anew_and_leaves_the_parent_alone);
	suite_add_tcase(suite, c);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
