#!/bin/sh
# Promises of `vldaa issuer`: an issuer is founded whole or not at all, and never overwritten; its secrets are
# readable by nobody else and in no message; its register tells who joined, and keeps out who was banned.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/cars.sh"

init() {
	"$vldaa" issuer init "$@" --revocation-key ra.pub.pem --manufacturer-roots roots.pem
}

an_issuers_secrets_are_its_owners_alone() {
	(
		umask 022
		init new --set VLDAA-42 >out 2>&1
	) || fail 'init'
	[ "$(stat -c %a new)" = 700 ] || fail 'the directory is open'
	for file in issuer.pem fleet.key register.db; do
		[ "$(stat -c %a new/$file)" = 600 ] || fail "$file is open"
	done
	expect 0 '^-----BEGIN PUBLIC KEY-----$' cat new/group.pem
	[ "$(ls new | wc -l)" = 6 ] || fail "files: $(ls new)"
}

a_set_that_can_be_forged_is_chosen_with_a_warning() {
	for set in VLDAA-42 vldaa-128 VLDAA-256; do
		init "$set" --set "$set" >out 2>err || fail "init $set"
		grep -q "^vldaa: warning: VLDAA-.*: not unforgeable" err || fail "no warning for $set"
		grep -qi warning out && fail 'a warning on standard output'
	done
	expect 2 'there is no parameter set VLDAA-1, but .*VLDAA-128, VLDAA-256' init new --set VLDAA-1
	[ ! -e new ] || fail 'a directory of an issuer that was refused'
}

without_a_choice_the_group_has_the_sound_default_set_and_no_warning() {
	init new >out 2>err || fail "init: $(cat err)"
	[ ! -s err ] || fail "$(cat err)"
	grep -q "^set  *$default_set\$" out || fail "another set: $(cat out)"
	grep -q '^security .*120 bits against forgery, .* 118 for anonymity$' out || fail "no bits: $(cat out)"
	grep -q '^assumes .*Module-SIS' out || fail "no assumptions: $(cat out)"
	expect 0 '"signature_bits": 120' init another --json
	grep -q '"anonymity_bits": 118' out || fail 'no anonymity bits in JSON'
	grep -q '"assumptions": "Module-SIS' out || fail 'no assumptions in JSON'
}

an_issuer_is_never_overwritten() {
	cp -r issuer before
	expect 2 'issuer: there is an issuer already' init issuer --set VLDAA-42
	diff -r before issuer || fail 'something changed'
	mkdir full empty
	: >full/file
	expect 3 'full: Directory not empty' init full --set VLDAA-42
	expect 0 '"set": "VLDAA-42"' init empty/ --set VLDAA-42 --json
	[ -e empty/issuer.pem ] || fail 'no issuer in the empty directory'
}

inputs_of_init_that_are_no_good_are_named() {
	expect 3 'absent: No such file' "$vldaa" issuer init new --set VLDAA-42 --revocation-key absent \
		--manufacturer-roots roots.pem
	expect 3 'report.txt: not a public key' "$vldaa" issuer init new --set VLDAA-42 \
		--revocation-key report.txt --manufacturer-roots roots.pem
	expect 3 'report.txt: there is no certificate' "$vldaa" issuer init new --set VLDAA-42 \
		--revocation-key ra.pub.pem --manufacturer-roots report.txt
	expect 3 'ra.pub.pem: this is a public key, not a private key' init new --set VLDAA-42 --authority ra.pub.pem
	[ ! -e new ] || fail 'a directory of an issuer that was refused'
	# any key that signs is an authority's
	expect 0 '' init new --set VLDAA-42 --authority ra.pem
}

# trusting REVOCATION-KEY ROOTS
trusting() {
	"$vldaa" issuer init new --set VLDAA-42 --revocation-key "$1" --manufacturer-roots "$2"
}

a_revocation_key_is_a_public_key_and_nothing_else() {
	expect 3 'car1.ek.pem: this is a certificate, a public key is needed' trusting car1.ek.pem roots.pem
	expect 3 'ra.pem: this is a private key, .* the public key is needed' trusting ra.pem roots.pem
	openssl pkcs8 -topk8 -in ra.pem -passout pass:x -out locked.pem
	expect 3 'locked.pem: this is a private key' trusting locked.pem roots.pem
	openssl pkey -in ra.pem -pubout -outform DER -out ra.der
	expect 3 'ra.der: not a public key in PEM' trusting ra.der roots.pem
	cat ra.pub.pem ra.pem >both.pem
	expect 3 'both.pem: more than one' trusting both.pem roots.pem
	expect 3 'group.pem: not a public key that OpenSSL verifies' trusting group.pem roots.pem
	openssl genpkey -algorithm X25519 | openssl pkey -pubout -out x.pem
	expect 3 'x.pem: not a public key that OpenSSL verifies' trusting x.pem roots.pem
	[ -z "$(ls -d new* 2>err)" ] || fail 'an issuer'
	for kind in 'RSA -pkeyopt rsa_keygen_bits:2048' ED25519; do
		rm -rf new
		# shellcheck disable=SC2086 # several arguments
		openssl genpkey -algorithm $kind 2>err | openssl pkey -pubout -out key.pem
		expect 0 '' trusting key.pem roots.pem
	done
}

a_manufacturers_root_is_a_self_signed_authority() {
	new_authority inter root.key roots.pem
	expect 3 'inter.pem: CN=inter: not self-signed: an intermediate' trusting ra.pub.pem inter.pem
	cat roots.pem inter.pem >two.pem
	expect 3 'two.pem: CN=inter: not self-signed' trusting ra.pub.pem two.pem
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.pem \
		-subj '/CN=leaf' -addext 'basicConstraints=critical,CA:FALSE' 2>err
	expect 3 'leaf.pem: CN=leaf: not a certificate authority' trusting ra.pub.pem leaf.pem
	# self-signed by its name only
	openssl req -new -key car1.ek.key -subj /CN=manufacturer -out forged.csr
	printf 'basicConstraints=critical,CA:TRUE\n' >ca.ext
	openssl x509 -req -in forged.csr -CA roots.pem -CAkey root.key -CAcreateserial -extfile ca.ext \
		-out forged.pem 2>err
	expect 3 'forged.pem: CN=manufacturer: not self-signed' trusting ra.pub.pem forged.pem
	cat roots.pem root.key >key.pem
	expect 3 'key.pem: there is a .*PRIVATE KEY in it' trusting ra.pub.pem key.pem
	[ -z "$(ls -d new* 2>err)" ] || fail 'an issuer'
}

an_init_tells_whom_the_group_trusts() {
	revocation=$(openssl pkey -pubin -in ra.pub.pem -outform DER | sha256sum | cut -d ' ' -f 1)
	root=$(openssl x509 -in roots.pem -outform DER | sha256sum | cut -d ' ' -f 1)
	expect 0 "^trusts +SHA-256 $revocation revocation authority$" trusting ra.pub.pem roots.pem
	grep -q "^trusts *SHA-256 $root manufacturer CN=manufacturer$" out || fail "$(cat out)"
	rm -rf new
	expect 0 "\"revocation_key_sha256\": \"$revocation\"" init new --set VLDAA-42 --json
	grep -q "\"sha256\": \"$root\"" out || fail 'no fingerprint of the root'
}

an_init_on_a_full_disk_leaves_nothing_and_can_be_begun_again() {
	# every limit stops at another file
	for bytes in 1 100 300 600 1200 2000 20000; do
		expect 3 'File too large|disk' small_disk $bytes "$vldaa" issuer init new --set VLDAA-128 \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		[ -z "$(ls -d new* 2>err)" ] || fail "left over after $bytes bytes: $(ls -d new*)"
	done
	expect 0 '' init new --set VLDAA-128
	quietly "$vldaa" issuer list new
}

kill_9_of_an_init_leaves_an_issuer_or_none() {
	for delay in 0.001 0.002 0.003 0.004 0.005 0.006 0.008 0.010 0.015; do
		rm -rf new
		"$vldaa" issuer init new --set VLDAA-42 --revocation-key ra.pub.pem \
			--manufacturer-roots roots.pem >out 2>&1 &
		process=$!
		sleep $delay
		kill -9 $process 2>err
		wait $process 2>err
		[ -e new ] || quietly init new --set VLDAA-42
		quietly "$vldaa" issuer nonce new -o nonce
	done
}

an_encrypted_issuer_key_needs_its_passphrase_which_is_in_no_message() {
	printf 'correct horse\nsecond line\n' >pass
	printf 'wrong donkey\n' >wrong
	expect 0 '' init new --set VLDAA-42 --passphrase-file pass
	grep -q 'BEGIN ENCRYPTED PRIVATE KEY' new/issuer.pem || fail 'not encrypted'
	expect 2 'issuer.pem: .* encrypted; give its passphrase \(--passphrase-file or --passphrase-env\)' \
		detached "$vldaa" issuer nonce new -o nonce
	expect 3 'issuer.pem: wrong passphrase' "$vldaa" issuer nonce new -o nonce --passphrase-file wrong
	grep -Eq 'horse|donkey' out && fail 'a passphrase in a message'
	[ ! -e nonce ] || fail 'a nonce without a key'
	expect 0 '' "$vldaa" issuer nonce new -o nonce --passphrase-file pass
	PASS='correct horse' expect 0 '' "$vldaa" issuer nonce new -o nonce --passphrase-env PASS
	expect 2 'environment variable NOPASS must hold' "$vldaa" issuer nonce new -o nonce --passphrase-env NOPASS
	: >empty
	expect 2 'empty: its first line must be a passphrase' "$vldaa" issuer nonce new -o nonce \
		--passphrase-file empty
	# what needs no key needs no passphrase
	expect 0 '' detached "$vldaa" issuer list new
	expect 0 '' detached "$vldaa" issuer export new --group-key g --fleet-key f
}

a_passphrase_can_be_typed_on_a_terminal() {
	mkfifo keys
	script -qec "'$vldaa' issuer init new --set VLDAA-42 --passphrase --revocation-key ra.pub.pem \
		--manufacturer-roots roots.pem" /dev/null <keys >screen 2>&1 &
	terminal=$!
	exec 9>keys
	wait_for "Passphrase for the issuer's new key: " screen
	echo 'my secret' >&9
	wait_for 'The same again: ' screen
	echo 'my secret' >&9
	wait $terminal || fail 'init'
	exec 9>&-
	grep -q 'my secret' screen && fail 'the passphrase is on the screen'
	grep -q 'BEGIN ENCRYPTED' new/issuer.pem || fail 'not encrypted'
	printf 'my secret\n' >pass
	expect 0 '' "$vldaa" issuer nonce new -o nonce --passphrase-file pass
}

a_passphrase_that_cannot_be_asked_for_makes_no_issuer() {
	expect 2 'no terminal: use --passphrase-file or --passphrase-env' detached "$vldaa" issuer init new \
		--set VLDAA-42 --passphrase --revocation-key ra.pub.pem --manufacturer-roots roots.pem
	[ -z "$(ls -d new* 2>err)" ] || fail "an issuer with an unencrypted key: $(ls -d new*)"
	# where it comes from elsewhere, no terminal is needed
	expect 0 '' env P=secret setsid -w "$vldaa" issuer init new --set VLDAA-42 --passphrase \
		--passphrase-env P --revocation-key ra.pub.pem --manufacturer-roots roots.pem
	grep -q 'BEGIN ENCRYPTED' new/issuer.pem || fail 'not encrypted'
}

# typing FIRST SECOND: `issuer init --passphrase` on a terminal, where these are typed.
typing() {
	rm -f keys
	mkfifo keys
	script -qec "'$vldaa' issuer init new --set VLDAA-42 --passphrase --revocation-key ra.pub.pem \
		--manufacturer-roots roots.pem; echo status \$?; stty -a" /dev/null <keys >screen 2>&1 &
	terminal=$!
	exec 9>keys
	wait_for "Passphrase for the issuer's new key: " screen
	printf '%b' "$1" >&9
	if [ -n "$2" ]; then
		wait_for 'The same again: ' screen
		printf '%b' "$2" >&9
	fi
	wait_for 'status ' screen
	exec 9>&-
	wait $terminal
}

another_passphrase_the_second_time_makes_no_issuer() {
	typing 'my secret\n' 'my sacred\n'
	grep -q 'the two differ' screen || fail "$(cat screen)"
	grep -q 'status 2' screen || fail "$(cat screen)"
	[ ! -e new ] || fail 'an issuer'
}

ctrl_c_at_the_prompt_ends_the_command_and_restores_the_terminal() {
	typing '\003' ''
	grep -q 'status 130' screen || fail "$(cat screen)"
	grep -Eq '(^|[; ])echo([; ]|$)' screen || fail "the terminal does not echo: $(cat screen)"
	[ ! -e new ] || fail 'an issuer'
}

a_directory_that_is_none_of_an_issuer_is_a_failure() {
	mkdir empty
	for directory in empty absent report.txt car1 RA; do
		expect 3 "^vldaa: $directory is not an issuer's directory \(vldaa issuer init makes one\)\$" \
			"$vldaa" issuer nonce $directory -o x
	done
	chmod 000 issuer
	expect 3 'Permission denied' ordinary "$vldaa" issuer list issuer
	chmod 700 issuer
	# files of another issuer are noticed
	cp foreign/register.db issuer
	expect 3 "register.db: the object belongs to another issuer's group" "$vldaa" issuer list issuer
	cp foreign/group.pem foreign/register.db issuer
	expect 3 "issuer.pem: the object belongs to another issuer's group" "$vldaa" issuer nonce issuer -o x
	head -c 5000 foreign/register.db >issuer/register.db
	expect 3 'register.db: the durable store failed' "$vldaa" issuer list issuer
	head -c 31 foreign/issuer.pem >foreign/fleet.key
	expect 3 'foreign/fleet.key: this is PEM of another kind .*, not a fleet key' "$vldaa" issuer issue foreign car1.request -o x
}

the_register_lists_its_members() {
	expect 0 '^ +1  live      20[0-9-]+T[0-9:]+Z  CN=car1$' "$vldaa" issuer list issuer
	expect 0 '"subject": "CN=car2"' "$vldaa" issuer list issuer --json
	[ "$(grep -c '"state": "live"' out)" = 2 ] || fail 'not two live members'
	expect 0 '' "$vldaa" issuer list issuer --state banned
	[ ! -s out ] || fail 'a banned member'
	expect 2 'live, replaced or banned' "$vldaa" issuer list issuer --state dead
	# the name of a certificate is a stranger's text: it moves no cursor
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out odd.ek.key 2>err
	openssl req -new -key odd.ek.key -utf8 -subj "/CN=$(printf 'od\033[2Jd\302\233x')" -out odd.csr 2>err
	openssl x509 -req -in odd.csr -CA roots.pem -CAkey root.key -CAcreateserial -days 365 \
		-extfile leaf.ext -out odd.ek.pem 2>err
	new_car odd
	ask odd
	quietly "$vldaa" issuer issue issuer odd.request -o odd.answer
	expect 0 'CN=od' "$vldaa" issuer list issuer
	grep -q "$(printf '\033')" out && fail 'an escape sequence got through'
	grep -q "$(printf '\302\233')" out && fail 'a control character got through'
	expect 0 '"subject": "CN=od' "$vldaa" issuer list issuer --json
	grep -q "$(printf '\033')" out && fail 'an escape sequence in JSON'
	expect 3 'standard output: ' sh -c "'$vldaa' issuer list issuer >/dev/full"
}

a_banned_member_and_a_banned_certificate_stay_out() {
	expect 0 '^member 1 is banned$' "$vldaa" issuer ban issuer --member 1 --reason 'sold; "abroad"'
	expect 0 '^ +1  banned ' "$vldaa" issuer list issuer --state banned
	expect 0 'member 1: sold; "abroad"$' "$vldaa" issuer list issuer --bans
	expect 0 '"reason": "sold; \\"abroad\\""$' "$vldaa" issuer list issuer --bans --json
	expect 1 'car1.request: this member key or endorsement .* is banned \(sold; "abroad"\)' \
		"$vldaa" issuer issue issuer car1.request -o again
	expect 1 '"reason": "sold; \\"abroad\\""$' "$vldaa" issuer issue issuer car1.request -o again --json
	# a reason moves no cursor
	quietly "$vldaa" issuer ban issuer --member 2 --reason "$(printf 'od\033[2Jd')"
	expect 1 'is banned \(od\\x1b\[2Jd\)' "$vldaa" issuer issue issuer car2.request -o again
	# a certificate that did not join yet, and its twin that may
	new_certified_car car3
	new_certified_car car4
	ask car3
	ask car4
	expect 0 '^certificate [0-9a-f]{64} is banned$' \
		"$vldaa" issuer ban issuer --certificate car3.ek.pem --reason stolen
	expect 1 'is banned \(stolen\)' "$vldaa" issuer issue issuer car3.request -o car3.answer --replace
	expect 0 '' "$vldaa" issuer issue issuer car4.request -o car4.answer
	expect 2 'there is no member 99' "$vldaa" issuer ban issuer --member 99
	expect 2 "member's number, not 1x" "$vldaa" issuer ban issuer --member 1x
	expect 2 'either --member or --certificate' "$vldaa" issuer ban issuer
	expect 2 'either --member or --certificate' "$vldaa" issuer ban issuer --member 1 --certificate car1.ek.pem
	expect 3 'report.txt: this is not a certificate' "$vldaa" issuer ban issuer --certificate report.txt
}

a_leaked_key_bans_its_member_and_is_on_the_exported_list() {
	quietly "$leak" car1.tpm/tpm.db group.pem leaked.key
	expect 0 '^1 members? had this key$' "$vldaa" issuer rogue issuer leaked.key
	expect 0 '^ +1  banned ' "$vldaa" issuer list issuer
	expect 0 'rogue' "$vldaa" issuer list issuer --bans
	expect 0 '' "$vldaa" issuer export issuer --rogue-list rogue.list
	expect 1 'ROGUE' "$vldaa" verify -g group.pem -s car1.sig --rogue-list rogue.list report.txt
	expect 0 '' "$vldaa" verify -g group.pem -s car2.sig --rogue-list rogue.list report.txt
	expect 0 '' "$vldaa" issuer rogue issuer rogue.list
	expect 1 "leaked.key: the object belongs to another issuer's group" "$vldaa" issuer rogue foreign leaked.key
	expect 1 'report.txt: this is text, not a TPM member key or rogue list' "$vldaa" issuer rogue issuer report.txt
}

what_others_need_is_exported() {
	expect 0 '' "$vldaa" issuer export issuer --group-key g.pem --fleet-key f.key --rogue-list r.list
	same g.pem group.pem
	same f.key fleet.key
	[ "$(stat -c %a f.key)" = 600 ] || fail 'the fleet key is open'
	expect 0 '' "$vldaa" verify -g g.pem -s car1.sig --rogue-list r.list report.txt
	expect 2 'nothing to export' "$vldaa" issuer export issuer
	expect 3 'No space left' "$vldaa" issuer export issuer --group-key /dev/full
	expect 0 '^-----BEGIN PUBLIC KEY-----$' "$vldaa" issuer export issuer --group-key -
}

a_backup_is_a_whole_register_and_overwrites_nothing() {
	expect 0 '' "$vldaa" issuer backup issuer copy.db
	[ "$(stat -c %a copy.db)" = 600 ] || fail 'the backup is open'
	cp issuer/register.db kept.db
	cp copy.db issuer/register.db
	expect 0 'CN=car2' "$vldaa" issuer list issuer
	expect 3 '^vldaa: copy.db: exists already$' "$vldaa" issuer backup issuer copy.db
	expect 3 'none/copy.db: ' "$vldaa" issuer backup issuer none/copy.db
}

what_an_operator_does_is_told_in_json() {
	expect 0 '"banned_member": 2' "$vldaa" issuer ban issuer --member 2 --json
	expect 0 '"banned_certificate": "[0-9a-f]{64}"' \
		"$vldaa" issuer ban issuer --certificate car1.ek.pem --json
	quietly "$leak" car1.tpm/tpm.db group.pem found.key
	expect 0 '"banned_members": 1' "$vldaa" issuer rogue issuer found.key --json
	expect 0 '"backup": "copy.db"' "$vldaa" issuer backup issuer copy.db --json
}

vldaa=$1
leak=${4:-}
run_scenario "$@"
