#!/bin/sh
# Promises: pkcs11-tool, p11tool and p11-kit, as Debian has them, work with the token unmodified: they find it,
# initialise it, set and change PINs, list what is on it, read and write data and certificates, and pass their own
# tests of random numbers, fork and threads.
#   clients.sh MODULE VLDAA MODULE_FILE WORLD SCENARIO
# MODULE_FILE is what cmake --install makes p11-kit's file of.  WORLD is the directory of tests/tool/token_world.sh.
. "$(dirname "$0")/../tool/lib.sh"

module=$1 vldaa=$2 module_file=$3

# tool OPTION...: pkcs11-tool
tool() {
	pkcs11-tool --module "$module" "$@"
}

# user OPTION...: with the user's PIN, on car1
user() {
	tool --token-label car1 --login --pin 'PIN of the user' "$@"
}

pkcs11_tool_initialises_a_token_and_its_pins() {
	expect 0 'uninitialized' tool --list-slots
	quietly tool --slot-index 3 --init-token --label new --so-pin 12345678
	expect 0 'token label  *: new' tool --list-slots
	grep -q 'uninitialized' out && fail 'a slot is empty still'
	quietly tool --token-label new --login --login-type so --so-pin 12345678 --init-pin --new-pin first
	quietly tool --token-label new --login --pin first --change-pin --new-pin second
	expect 1 'CKR_PIN_INCORRECT' tool --token-label new --login --pin first --list-objects
	expect 0 'endorsement certificate request' tool --token-label new --login --pin second --list-objects
	quietly tool --token-label new --login --login-type so --so-pin 12345678 --change-pin --new-pin 87654321
	expect 1 'CKR_PIN_INCORRECT' tool --token-label new --login --login-type so --so-pin 12345678 --init-pin --new-pin x234
	# Initialised anew it needs the security officer's PIN.
	expect 1 'CKR_PIN_INCORRECT' tool --slot-index 3 --init-token --label again --so-pin 12345678
	quietly tool --slot-index 3 --init-token --label again --so-pin 87654321
	expect 0 'token label  *: again' tool --list-slots
}

pkcs11_tool_lists_what_there_is_and_private_keys_after_login_only() {
	expect 0 '^Public Key Object' tool --token-label car1 --list-objects
	for words in '^Certificate Object; type = X.509' "^  label: *'endorsement certificate request'" '^  label: *parking'; do
		grep -q "$words" out || fail "no $words: $(cat out)"
	done
	grep -q '^Private Key' out && fail 'private keys without a PIN'
	expect 0 '^Private Key Object' user --list-objects
	[ "$(grep -c '^Private Key Object' out)" = 2 ] || fail "private keys: $(cat out)"
	grep -q 'sensitive, always sensitive, never extractable, local' out || fail 'no word of sensitive'
	grep -q 'Usage: *sign, unwrap, derive' out || fail 'not what a member is for'
	expect 0 'mechtype-0xD6440008, sign, verify' tool --token-label car1 --list-mechanisms
	expect 0 'mechtype-0x1D, sign, verify' tool --token-label car1 -M
	expect 0 'Cryptoki version 2.40' tool --show-info
}

pkcs11_tool_reads_and_writes_data_and_certificates() {
	quietly tool --token-label car1 --read-object --type data --label 'endorsement certificate request' -o csr
	expect 0 'verify OK' openssl req -inform DER -in csr -noout -verify
	quietly tool --token-label car1 --read-object --type cert --label 'endorsement certificate' -o ek.der
	openssl x509 -in car1.ek.pem -outform DER -out given.der
	same ek.der given.der
	quietly user --write-object report.txt --type data --label note --application-label traffic
	quietly tool --token-label car1 --read-object --type data --label note -o back
	same report.txt back
	quietly user --write-object second.txt --type data --label secret --private
	expect '1' '' tool --token-label car1 --read-object --type data --label secret -o back
	quietly user --read-object --type data --label secret -o back
	same second.txt back
	quietly user --delete-object --type data --label note
	expect 1 '' tool --token-label car1 --read-object --type data --label note -o back
}

pkcs11_tools_own_tests_pass() {
	expect 0 '^No errors' user --test
	expect 0 'Calling C_Initialize in forked child' user --test-fork
	grep -Eq 'CKR|rror' out && fail "--test-fork: $(cat out)"
	# Logging in takes longer than the threads do; when they are slower, pkcs11-tool waits for 30 seconds.
	expect 0 'all threads have ended with CKR_OK' user --test-threads ILGISLT0GISLT1 --test-threads ILGISLT2GISLT3 \
		--list-objects
	expect 0 '' tool --generate-random 32 -o random
	[ "$(size_of random)" = 32 ] || fail 'not as many random bytes'
}

p11tool_lists_tokens_and_objects_and_exports() {
	expect 0 'manufacturer=V-LDAA;serial=[0-9a-f]*;token=car1$' p11tool --provider "$module" --list-tokens
	expect 0 'object=endorsement%20certificate;type=cert$' p11tool --provider "$module" --list-all pkcs11:token=car1
	grep -q 'type=private' out && fail 'private keys without a PIN'
	expect 0 'object=parking;type=private$' p11tool --provider "$module" --login --set-pin 'PIN of the user' \
		--list-all pkcs11:token=car1
	grep -q 'object=member;type=private$' out || fail "no member's key"
	grep -q 'CKA_NEVER_EXTRACTABLE; CKA_SENSITIVE' out || fail 'a private key that may leave'
	p11tool --provider "$module" --export 'pkcs11:token=car1;object=endorsement%20certificate;type=cert' >cert 2>err
	expect 0 'CN = V-LDAA token' openssl x509 -in cert -noout -subject
}

p11tool_initialises_sets_pins_and_writes() {
	p11() {
		p11tool --provider "$module" "$@"
	}
	quietly p11 --initialize --set-so-pin 12345678 --label new 'pkcs11:model=V-LDAA%20token;serial='
	quietly p11 --initialize-pin --set-so-pin 12345678 --set-pin 'a first PIN' pkcs11:token=new
	# It says that it does not know our keys' algorithms, having written the certificate.
	p11 --login --set-pin 'PIN of the user' --write --load-certificate roots.pem --label root pkcs11:token=car1 >out 2>&1
	expect 0 'object=root;type=cert$' p11 --list-all-certs pkcs11:token=car1
	expect 0 '' p11 --login --set-pin 'a first PIN' --list-all pkcs11:token=new
	expect 0 'generate_key_pair' p11 --list-mechanisms pkcs11:token=new
}

several_clients_at_once_lose_nothing() {
	for i in 1 2 3 4 5 6; do
		user --write-object report.txt --type data --label "note $i" >"$i.out" 2>&1 &
	done
	wait
	expect 0 "label: *'note 1'" tool --token-label car1 --list-objects --type data
	[ "$(grep -c "'note [1-6]'" out)" = 6 ] || fail "lost: $(cat out ./?.out)"
}

# p11-kit reads a user's files for nobody who is root.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		chown -R 65534:65534 .
		setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$PWD/home" "$@"
	else
		HOME=$PWD/home "$@"
	fi
}

p11_kit_finds_the_module_by_its_file() {
	chmod 755 .
	mkdir -p home/.config/pkcs11/modules
	cp "$module" .
	sed "s|@VLDAA_PKCS11_MODULE@|$PWD/libvldaa-pkcs11.so|" "$module_file" >home/.config/pkcs11/modules/vldaa.module
	unset XDG_CONFIG_HOME
	expect 0 '^vldaa: .*/libvldaa-pkcs11.so$' as_user p11-kit list-modules
	for words in 'library-description: V-LDAA token' 'token: issuer' 'token: car1' 'token: car2' 'user-pin-initialized'; do
		grep -q "$words" out || fail "no $words: $(cat out)"
	done
	# And with it whoever asks p11-kit, which is nobody's option.
	expect 0 'serial=[0-9a-f]*;token=car2$' as_user p11tool --list-tokens
}

the_installed_command_and_files_find_the_installed_module() {
	build=$(dirname "$(dirname "$module")")
	quietly cmake --install "$build" --prefix "$PWD/prefix"
	expect 0 '^slot 1  car1 ' "$PWD/prefix/bin/vldaa" token list
	file=$PWD/prefix/share/p11-kit/modules/vldaa.module
	path=$(sed -n 's/^module: //p' "$file")
	expect 0 'car1' pkcs11-tool --module "$path" --list-slots
	expect 0 'CKM_VLDAA_SIGN ' cat "$PWD/prefix/include/vldaa/pkcs11-vldaa.h"
}

run_clients() {
	enter_copy "$4"
	VLDAA_TOKEN_DIR=$PWD/issuer:$PWD/car1:$PWD/car2:$PWD/empty
	export VLDAA_TOKEN_DIR
	"$5"
	[ "$failures" = 0 ]
}

run_clients "$@"
