#!/bin/sh
# Promises about keys in tokens, by URI: `openssl` signs with them in every form, as often as it does with keys in
# files, prints, checks and lists them, and they stay where they are; the PIN comes from a file, the URI, -passin or
# the terminal, and is in no output; a wrong one costs one try, and one in a file never the last; whatever is wrong is
# said by name.
. "$(dirname "$0")/lib.sh"

with_pin='?pin-source=user.pin'

# sign KEY MESSAGE OUT OPTIONS...
sign() {
	key=$1 message=$2 signature=$3
	shift 3
	o pkeyutl -sign -rawin -inkey "$key" -in "$message" -out "$signature" "$@"
}

# verified SIGNATURE MESSAGE OPTIONS...: by the group's key, from a file and from a token.
verified() {
	signature=$1 message=$2
	shift 2
	for group in group.pem 'vldaa:token=car2;object=group'; do
		expect 0 'Signature Verified Successfully' \
			o pkeyutl -verify -rawin -pubin -inkey "$group" -in "$message" -sigfile "$signature" "$@"
	done
	expect 1 'Signature Verification Failure' \
		o pkeyutl -verify -rawin -pubin -inkey group.pem -in user.pin -sigfile "$signature" "$@"
}

# silently COMMAND...: works without a word, so without the PIN.
silently() {
	quietly "$@"
	[ ! -s out ] || fail "$*: $(cat out)"
}

# told WORDS COMMAND...: refused, and the PIN is not in what is said.
told() {
	refused "$@"
	grep -q 'PIN of the user' out && fail "the PIN is in: $(cat out)"
	return 0
}

in_tokens() {
	VLDAA_TOKEN_DIR=$PWD/issuer:$PWD/car1:$PWD/car2:$PWD/empty
	export VLDAA_TOKEN_DIR
}

# per_world FUNCTION: in the directory of every set, with its tokens.
per_world() {
	for set in $sets; do
		cd "$set" || exit 1
		in_tokens
		"$@"
		cd ..
	done
}

in_one_world() {
	cd VLDAA2-44 || exit 1
	in_tokens
}

member_case() {
	cp user.pin pin.txt
	# as it is written in the manual, but for the token's name and the message's
	# shellcheck disable=SC2086 # the options
	silently "$openssl" pkeyutl $P -sign -rawin -inkey "vldaa:token=car1;object=member?pin-source=pin.txt" \
		-in report.txt -out sig -pkeyopt basename:platoon-7
	verified sig report.txt -pkeyopt basename:platoon-7
	expect 0 '' "$vldaa" verify --group group.pem --basename platoon-7 --signature sig report.txt
	# its owner's other signatures under the name are linked with it, also those that the token's command makes
	quietly "$vldaa" token sign report.txt --token car1 --pin-file user.pin --basename platoon-7 -o there.sig
	expect 0 '' "$vldaa" link --group group.pem sig report.txt there.sig report.txt
	quietly sign "vldaa:token=car2;object=member$with_pin" report.txt other.sig -pkeyopt basename:platoon-7
	expect 1 '' "$vldaa" link --group group.pem sig report.txt other.sig report.txt
	# no pseudonym stays behind
	expect 0 'Total found: 5' o storeutl -noout "vldaa:token=car1$with_pin"
}

a_member_in_a_token_signs_under_the_basename_that_it_is_told() {
	P="-provider-path $modules -provider vldaa -provider default"
	per_world member_case
}

form_case() {
	for key in "vldaa:token=car1;object=member$with_pin" "vldaa:token=car1;object=parking;type=private$with_pin"; do
		quietly sign "$key" report.txt whole.sig -pkeyopt basename:parking -pkeyopt form:self-contained
		verified whole.sig report.txt -pkeyopt basename:parking
		quietly sign "$key" report.txt sig -pkeyopt basename:parking -pkeyopt form:compact
		[ "$(size_of sig)" -lt 3000 ] || fail "compact: $(size_of sig) bytes"
		verified sig report.txt -pkeyopt attestation-file:car1.att
		if [ "$set" = VLDAA-128 ]; then
			told 'not ML-DSA keys' sign "$key" report.txt sig -pkeyopt basename:parking -pkeyopt form:bare
		else
			quietly sign "$key" report.txt sig -pkeyopt basename:parking -pkeyopt form:bare
			[ "$(size_of sig)" = 2420 ] || fail "bare: $(size_of sig) bytes"
			verified sig report.txt -pkeyopt attestation-file:car1.att -pkeyopt form:bare
		fi
		told 'no such form' sign "$key" report.txt sig -pkeyopt basename:parking -pkeyopt form:square
	done
	# a pseudonym has its own basename, and no other
	key="vldaa:token=car1;object=parking$with_pin"
	quietly sign "$key" report.txt sig
	verified sig report.txt -pkeyopt basename:parking
	told 'for another basename' sign "$key" report.txt sig -pkeyopt basename:there
}

a_key_in_a_token_signs_in_every_form() {
	per_world form_case
}

dgst_case() {
	key="vldaa:token=car1;object=parking;type=private$with_pin"
	quietly o dgst -sign "$key" -out sig report.txt
	for public in group.pem 'vldaa:token=car1;object=group' 'vldaa:token=car1;object=parking;type=public'; do
		expect 0 'Verified OK' o dgst -verify "$public" -signature sig report.txt
		expect 1 'Verification failure' o dgst -verify "$public" -signature sig second.txt
	done
	expect 0 'Verified OK' o dgst -prverify "$key" -signature sig report.txt
	told 'VLDAA hashes the message itself' o dgst -sha256 -sign "$key" -out sig report.txt
	head -c 3000000 /dev/zero >large
	quietly o dgst -sign "vldaa:token=car1;object=member$with_pin" -sigopt basename:x -out sig large
	expect 0 'Verified OK' o dgst -verify group.pem -signature sig large
	: >nothing
	quietly o dgst -sign "$key" -out sig nothing
	expect 0 'Verified OK' o dgst -verify group.pem -signature sig nothing
	quietly o pkeyutl -sign -inkey "$key" -in second.txt -out sig
	verified sig second.txt
}

dgst_and_messages_of_any_length_work_as_with_files() {
	per_world dgst_case
}

print_case() {
	for object in member 'parking;type=private'; do
		key="vldaa:token=car1;object=$object$with_pin"
		expect 0 "^$set (member|pseudonym) key" o pkey -in "$key" -noout -text -check
		grep -Eq '^Token: +car1' out || fail "no token in: $(cat out)"
		grep -Eq '^Object: +(member|parking)' out || fail "no label in: $(cat out)"
		[ "$(size_of out)" -lt 2000 ] || fail "too much is printed"
		expect 0 '^Key is valid' o pkey -in "$key" -noout -check
		expect 0 '^Key is valid' o pkey -in "$key" -noout -pubcheck
		quietly o pkey -in "$key" -pubout -out public.pem
		quietly o pkey -pubin -in public.pem -noout -pubcheck
	done
	expect 0 "^$set issuer key" o pkey -in "vldaa:token=issuer;object=issuer$with_pin" -noout -text -check
	expect 0 "^$set group key" o pkey -pubin -in 'vldaa:token=car1;object=group' -noout -text -pubcheck
	quietly o pkey -pubin -in 'vldaa:token=car1;object=group' -out public.pem
	same public.pem group.pem
	quietly o pkey -in "vldaa:token=car1;object=member$with_pin" -pubout -out public.pem
	same public.pem group.pem
	expect 0 "^$set pseudonym key" o pkey -pubin -in 'vldaa:token=car1;object=parking' -noout -text -pubcheck
	grep -q 'Basename: *parking' out || fail "no basename in: $(cat out)"
}

keys_in_tokens_are_printed_and_checked() {
	per_world print_case
}

list_case() {
	expect 0 '^Total found: 3' o storeutl -noout 'vldaa:token=car1'
	grep -q Pkey out && fail 'private objects without a PIN'
	expect 0 '^Total found: 5' o storeutl -noout "vldaa:token=car1$with_pin"
	expect 0 '^Total found: 2' o storeutl -noout -keys "vldaa:token=car1$with_pin"
	expect 0 '^Total found: 1' o storeutl -noout -certs 'vldaa:token=car1'
	expect 0 'Subject: CN *= *V-LDAA token' o storeutl -noout -certs -text 'vldaa:token=car1'
	expect 0 '^Total found: 1' o storeutl -noout "vldaa:token=car1;object=parking;type=private$with_pin"
	expect 0 '^Total found: 1' o storeutl -noout 'vldaa:token=car1;type=cert'
	expect 0 "^$set member key" o storeutl -noout -text "vldaa:token=car1$with_pin"
	quietly o storeutl 'vldaa:token=car1'
	[ "$(grep -c 'BEGIN PUBLIC KEY' out)" = 2 ] || fail 'not both public keys'
	[ "$(grep -c 'BEGIN CERTIFICATE' out)" = 1 ] || fail 'no certificate'
	# storeutl says nothing of a key that it cannot write
	quietly o storeutl "vldaa:token=car1$with_pin"
	grep -q 'PRIVATE KEY' out && fail 'a private key'
	[ "$(grep -c '^[0-4]: ' out)" = 5 ] || fail 'not all objects'
}

a_tokens_objects_are_listed() {
	per_world list_case
}

export_case() {
	for key in member 'parking;type=private'; do
		for options in '' '-outform DER' '-aes-128-cbc -passout pass:x'; do
			# shellcheck disable=SC2086 # options or none
			told 'in a token, and stays there' \
				o pkey -in "vldaa:token=car1;object=$key$with_pin" $options -out key.out
			[ ! -s key.out ] || fail "$key is written"
		done
	done
}

a_private_key_stays_in_its_token() {
	per_world export_case
}

request_case() {
	key="vldaa:token=car1;object=parking;type=private$with_pin"
	quietly o req -new -key "$key" -subj /CN=nobody -out new.csr
	expect 0 'verify OK' o req -in new.csr -noout -verify
	quietly o req -x509 -key "$key" -subj /CN=nobody -days 1 -out new.crt
	expect 0 'new.crt: OK' o verify -CAfile new.crt new.crt
	quietly "$openssl" req -x509 -newkey ed25519 -nodes -keyout ca.key -out ca.pem -subj /CN=ca
	quietly o x509 -req -in new.csr -CA ca.pem -CAkey ca.key -out certified.crt
	expect 0 'certified.crt: OK' o verify -CAfile ca.pem certified.crt
	told 'name their signer.*use an ordinary key' o req -new -key "vldaa:token=car1;object=member$with_pin" \
		-subj /CN=x -sigopt basename:parking -out no.csr
	[ ! -s no.csr ] || fail 'a request'
}

a_pseudonym_in_a_token_can_have_a_certificate() {
	per_world request_case
}

configuration() {
	cat >openssl.cnf <<-END
		openssl_conf = init
		[init]
		providers = providers
		[providers]
		default = default_section
		vldaa = vldaa_section
		[default_section]
		activate = 1
		[vldaa_section]
		module = $modules/vldaa.so
		$1
		activate = 1
	END
	export OPENSSL_CONF="$PWD/openssl.cnf"
}

default_case() {
	key="vldaa:token=car1;object=member$with_pin"
	configuration 'basename = epoch:1000000000'
	quietly "$openssl" pkeyutl -sign -rawin -inkey "$key" -in report.txt -out sig
	expect 0 'epoch:1000000000:1000000000' "$vldaa" inspect sig
	quietly "$openssl" pkeyutl -sign -rawin -inkey "$key" -in report.txt -out sig -pkeyopt basename:there
	expect 0 '^basename +there$' "$vldaa" inspect sig
	# the key's own comes before the configuration's
	quietly "$vldaa" token basename epoch:1500000000 --token car1 --pin-file user.pin
	quietly "$openssl" pkeyutl -sign -rawin -inkey "$key" -in report.txt -out sig
	expect 0 'epoch:1500000000:1500000000' "$vldaa" inspect sig
	unset OPENSSL_CONF
	quietly sign "$key" report.txt sig
	expect 0 'epoch:1500000000:1500000000' "$vldaa" inspect sig
	expect 0 '^Default basename: epoch:1500000000$' o pkey -in "$key" -noout -text
	told 'no basename: give one .-pkeyopt basename:NAME' sign "vldaa:token=car2;object=member$with_pin" report.txt sig
}

the_default_basename_is_the_members_or_the_configurations() {
	per_world default_case
}

the_pin_comes_from_a_file_in_any_spelling() {
	in_one_world
	mkdir 'a b'
	cp user.pin 'a b/p=;n'
	printf 'PIN of the user\r\nand a second line' >windows.pin
	here=${PWD#"$root"}
	for source in user.pin ./user.pin file:user.pin "file:$here/user.pin" "file://$here/user.pin" \
		"file://localhost$here/user.pin" 'a%20b/p%3D%3Bn' windows.pin; do
		silently sign "vldaa:token=car1;object=member?pin-source=$source" report.txt sig -pkeyopt basename:x
	done
	verified sig report.txt
}

the_pin_comes_by_the_uri_or_by_passin() {
	in_one_world
	silently sign 'vldaa:token=car1;object=member?pin-value=PIN%20of%20the%20user' report.txt sig -pkeyopt basename:x
	silently sign 'vldaa:token=car1;object=member' report.txt sig -pkeyopt basename:x -passin 'pass:PIN of the user'
	silently sign 'vldaa:token=car1;object=member' report.txt sig -pkeyopt basename:x -passin file:user.pin
	silently o dgst -sign 'vldaa:token=car1;object=member' -sigopt basename:x -passin file:user.pin -out sig report.txt
	verified sig report.txt
	told 'wrong PIN' sign 'vldaa:token=car1;object=member' report.txt sig -pkeyopt basename:x -passin pass:wrong
}

# typing PROMPT ANSWER: into the terminal of the command in the file run.
typing() {
	rm -f keys
	mkfifo keys
	script -qec "sh run; echo status \$?" /dev/null <keys >screen 2>&1 &
	terminal=$!
	exec 9>keys
	wait_for "$1" screen
	echo "$2" >&9
	wait_for 'status ' screen
	exec 9>&-
	wait $terminal
}

the_terminal_is_asked_for_the_pin() {
	in_one_world
	cat >run <<-END
		"$openssl" pkeyutl -provider-path "$modules" -provider vldaa -provider default -sign -rawin \\
			-inkey 'vldaa:token=car1;object=member' -in report.txt -out sig -pkeyopt basename:x
	END
	typing 'pass phrase for car1' 'PIN of the user'
	grep -q 'status 0' screen || fail "not signed: $(cat screen)"
	grep -q 'PIN of the user' screen && fail 'the terminal shows the PIN'
	verified sig report.txt
	typing 'pass phrase for car1' 'not the PIN'
	grep -q 'wrong PIN.*car1; some tries are left' screen || fail "$(cat screen)"
	grep -q 'status 1' screen || fail "$(cat screen)"
	# nobody is asked for what everybody may see
	quietly o pkey -pubin -in 'vldaa:token=car1;object=group' -noout
	told 'needs the token.s PIN: give pin-source=FILE, or type it' \
		sign 'vldaa:token=car1;object=member' report.txt sig -pkeyopt basename:x
}

a_pin_file_without_a_pin_is_said() {
	in_one_world
	: >empty.pin
	printf '\nPIN of the user\n' >second.pin
	head -c 256 /dev/zero | tr '\0' x >long.pin
	head -c 1000000 /dev/zero | tr '\0' x >longer.pin
	for source in empty.pin second.pin long.pin longer.pin issuer; do
		told "no PIN of 1 to 255 bytes: $source" \
			sign "vldaa:token=car1;object=member?pin-source=$source" report.txt sig -pkeyopt basename:x
		grep -q xxx out && fail 'the PIN is in the output'
	done
	told 'cannot be read: absent' sign 'vldaa:token=car1;object=member?pin-source=absent' report.txt sig
	told 'pin-source names a file' sign 'vldaa:token=car1;object=member?pin-source=%7Ccat%20user.pin' report.txt sig
	told 'pin-value is empty' sign 'vldaa:token=car1;object=member?pin-value=' report.txt sig
	told 'at most 255 bytes' sign "vldaa:token=car1;object=member?pin-value=$(cat long.pin)" report.txt sig
	# and none of them was tried
	expect 0 '^slot 1  car1 .*ready' "$vldaa" token list
	quietly sign "vldaa:token=car1;object=member$with_pin" report.txt sig -pkeyopt basename:x
}

# Ten wrong ones lock it: the ninth command is told of the last try, and not before.
a_wrong_pin_costs_one_try_and_locks_at_last() {
	in_one_world
	wrong='vldaa:token=car1;object=member?pin-value=not%20this'
	for _ in 1 2 3 4 5 6 7 8; do
		told 'vldaa:.*wrong PIN.*car1; some tries are left' sign "$wrong" report.txt sig -pkeyopt basename:x
	done
	told 'wrong PIN.*one try is left' o storeutl -noout "$wrong"
	# a right one sets the count back
	quietly sign 'vldaa:token=car1;object=member' report.txt sig -pkeyopt basename:x -passin file:user.pin
	for _ in 1 2 3 4 5 6 7 8; do
		told 'some tries are left' o dgst -sign "$wrong" -sigopt basename:x -out sig report.txt
	done
	told 'wrong PIN.*one try is left' o pkey -in "$wrong" -noout
	told 'wrong PIN.*it is locked now' o pkey -in "$wrong" -noout
	told 'the PIN is locked.*vldaa token pin --unlock' o pkey -in "$wrong" -noout
	told 'the PIN is locked.*vldaa token pin --unlock' \
		sign "vldaa:token=car1;object=member?pin-value=PIN%20of%20the%20user" report.txt sig -pkeyopt basename:x
	# the other token, and what needs no PIN, are as before
	quietly sign "vldaa:token=car2;object=member$with_pin" report.txt sig -pkeyopt basename:x
	quietly o pkey -pubin -in 'vldaa:token=car1;object=group' -noout
	quietly "$vldaa" token pin --token car1 --unlock --so-pin-file so.pin --new-pin-file user.pin
	quietly sign "vldaa:token=car1;object=member$with_pin" report.txt sig -pkeyopt basename:x
}

# A service that is started again and again with the old PIN in its file.
a_wrong_pin_in_a_file_never_takes_the_last_try() {
	in_one_world
	echo 'the old PIN' >old.pin
	for _ in 1 2 3 4 5 6 7 8 9; do
		told 'wrong PIN' o pkey -in 'vldaa:token=car1;object=member?pin-source=old.pin' -noout
	done
	for file in old.pin old.pin user.pin; do
		told 'only one try is left before the PIN is locked.*type the right one once' \
			o pkey -in "vldaa:token=car1;object=member?pin-source=$file" -noout
	done
	quietly o pkey -in 'vldaa:token=car1;object=member' -noout -passin file:user.pin
	quietly o pkey -in "vldaa:token=car1;object=member$with_pin" -noout
}

a_uri_that_is_none_is_said() {
	in_one_world
	told 'an attribute is unknown' o pkey -in 'vldaa:token=car1;frob=member' -noout
	told 'an attribute is unknown' o pkey -in 'vldaa:token=car1;object=member?pin-sauce=user.pin' -noout
	told 'an attribute is unknown' o pkey -in 'vldaa:token=car1;object=member?pin-source=user.pin&frob=1' -noout
	told 'not a URI like vldaa:token=LABEL' o pkey -in 'vldaa:car1' -noout
	told 'not a URI like vldaa:token=LABEL' o pkey -in 'vldaa:token=%zz' -noout
	told 'module-name is not supported' o pkey -in 'vldaa:token=car1?module-name=vldaa' -noout
	told 'exclude each other' o pkey -in 'vldaa:token=car1?pin-source=user.pin&pin-value=x' -noout
}

what_is_not_there_is_said() {
	in_one_world
	told 'there is no such token.*vldaa:token=car9' o pkey -in 'vldaa:token=car9;object=member' -noout
	told 'there is no such token' env VLDAA_TOKEN_DIR="$PWD/empty" \
		"$openssl" storeutl -provider-path "$modules" -provider vldaa -provider default 'vldaa:'
	told 'several tokens match.*matches 3' o pkey -in "vldaa:object=member$with_pin" -noout
	told 'the token has no such key.*object=nothing' o storeutl -noout "vldaa:token=car1;object=nothing$with_pin"
	told 'needs the token.s PIN' o storeutl -noout 'vldaa:token=car1;object=nothing'
	told 'the token has no such key.*object=nothing' o pkey -in "vldaa:token=car1;object=nothing$with_pin" -noout
	told 'the token has no such key' o pkey -in "vldaa:token=car1;object=group$with_pin" -noout
	told 'cannot be used: install libvldaa-pkcs11.*absent.so' \
		o pkey -in 'vldaa:token=car1;object=member?module-path=/absent.so' -noout
	told 'cannot be used: install libvldaa-pkcs11' \
		o pkey -in 'vldaa:token=car1;object=member?module-path=/etc/passwd' -noout
	serial=$("$vldaa" token list --json | sed -n 's/.*"serial": "\([0-9a-f]*\)".*/\1/p' | head -n 1)
	quietly o storeutl -noout "vldaa:serial=$(echo "$serial" | cut -c 1-16)"
	quietly o storeutl -noout 'vldaa:slot-id=1'
}

a_module_is_used_by_its_file() {
	in_one_world
	module=${modules%/*}/pkcs11/libvldaa-pkcs11.so
	quietly sign "vldaa:token=car1;object=member$with_pin&module-path=$module" report.txt sig -pkeyopt basename:x
	verified sig report.txt
}

a_member_that_has_not_joined_does_not_sign() {
	in_one_world
	quietly "$vldaa" token init --token new --so-pin-file so.pin --pin-file user.pin
	quietly "$vldaa" token endorse --token new --request new.csr
	quietly "$openssl" x509 -req -in new.csr -CA roots.pem -CAkey root.key -CAcreateserial -days 365 -out new.ek.pem
	quietly "$vldaa" token endorse --token new --pin-file user.pin --certificate new.ek.pem
	quietly "$vldaa" token join nonce --token issuer --pin-file user.pin -o new.nonce
	quietly "$vldaa" token join request new.nonce --token new --pin-file user.pin --group group.pem -o request
	quietly o pkey -in "vldaa:token=new;object=member$with_pin" -noout -check
	told 'vldaa:.*(credential|join)' sign "vldaa:token=new;object=member$with_pin" report.txt sig -pkeyopt basename:x
	quietly "$vldaa" token join issue request --token issuer --pin-file user.pin -o answer
	quietly "$vldaa" token join finish answer --token new --pin-file user.pin
	quietly sign "vldaa:token=new;object=member$with_pin" report.txt sig -pkeyopt basename:x
	verified sig report.txt
}

issuer_case() {
	told 'signing takes a member key or a pseudonym key; this is an issuer key' \
		sign "vldaa:token=issuer;object=issuer$with_pin" report.txt sig -pkeyopt basename:x
}

an_issuers_key_does_not_sign() {
	per_world issuer_case
}

revoked_case() {
	quietly sign "vldaa:token=car1;object=parking$with_pin" report.txt sig
	quietly "$vldaa" revoke order RA --signature sig --soft --expires-in 1d -o order
	quietly "$vldaa" token obey order --token car1 --pin-file user.pin -o confirmation
	told 'the token has no such key' sign "vldaa:token=car1;object=parking$with_pin" report.txt no.sig
	told 'vldaa:.*revoked' sign "vldaa:token=car1;object=member$with_pin" report.txt no.sig -pkeyopt basename:parking
	quietly sign "vldaa:token=car1;object=member$with_pin" report.txt sig -pkeyopt basename:there
	verified sig report.txt
}

a_revoked_pseudonym_signs_no_more() {
	per_world revoked_case
}

# On no terminal.
exec </dev/null
run_scenario "$@"
