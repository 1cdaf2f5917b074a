#!/bin/sh
# Promises of `vldaa token`: the whole story works with keys in tokens and what other commands verify, confirm and
# list; a PIN that is wrong, missing, locked or forgotten is told as such; nothing is overwritten, and nothing made
# twice, unasked; what is missing is named together with the command that makes it; several keys have names; a new
# certificate is in place of those before it; what is lost for good (a locked officer's PIN, an expelled member) is
# told as such.
. "$(dirname "$0")/lib.sh"

vldaa=$1

# t COMMAND...: with the user's PIN
t() {
	command=$1
	shift
	"$vldaa" token "$command" --pin-file user.pin "$@"
}

# join STEP...: the same
join() {
	step=$1
	shift
	"$vldaa" token join "$step" --pin-file user.pin "$@"
}

every_command_explains_itself_and_tells_wrong_usage() {
	for name in init endorse setup 'join nonce' 'join request' 'join issue' 'join finish' create sign basename obey list show pin; do
		# shellcheck disable=SC2086 # one or two words
		{
			expect 0 "^usage: vldaa token $name " "$vldaa" token $name --help
			grep -q "^  vldaa token $name" out || fail "$name: no example"
			awk 'length > 110 { exit 1 }' out || fail "$name: long lines in --help"
			expect 2 "^vldaa token $name: there is no option --frob$" "$vldaa" token $name --frob
		}
	done
	expect 2 '^usage: vldaa token COMMAND' "$vldaa" token
	expect 2 'is missing' t sign --token car1 --basename x -o sig
	expect 2 '--basename is needed, or a default .*vldaa token basename' t sign report.txt --token car1 -o sig
	expect 2 '--basename is needed, or a default .*vldaa token basename' t create --token car1
	expect 2 'one too many' t sign report.txt --token car1 --basename x --compact --bare -o sig
	expect 2 'report.txt' t sign report.txt --token car1 --basename x -o report.txt
}

the_default_basename_is_shown_and_signed_by_and_can_be_taken_away() {
	quietly t basename epoch:3600 --token car1
	expect 0 "^member's key .* basename epoch:3600 " t show --token car1
	expect 2 'neither a basename' t basename epoch:0 --token car1
	expect 0 "^member's key .* basename epoch:3600 " t show --token car1
	quietly t basename '' --token car1
	t show --token car1 | grep "^member's key" >line
	! grep -q epoch line || fail "$(cat line)"
	expect 2 "no member's key" t basename platoon-7 --token issuer
}

the_default_basename_is_what_sign_and_create_use_without_one() {
	quietly t basename parking --token car1
	quietly t sign report.txt --token car1 -o sig
	expect 0 '^valid' "$vldaa" verify --group group.pem --basename parking --signature sig report.txt
	quietly t create --token car1 -o again.att
	same car1.att again.att
	quietly t sign report.txt --token car1 --basename toll -o sig
	expect 0 '^valid' "$vldaa" verify --group group.pem --basename toll --signature sig report.txt
	# A period that does not end while this runs.
	quietly t basename epoch:9999999999 --token car1
	quietly t create --token car1 -o epoch.att
	expect 0 'basename epoch:9999999999:0 ' t show --token car1
	quietly t sign report.txt --token car1 --bare -o bare
	expect 0 '^valid' "$vldaa" verify --group group.pem --attestation epoch.att --signature bare report.txt
}

# typing COMMAND PROMPT ANSWER...: on a terminal, where the answers are typed when their prompts are there.
typing() {
	rm -f keys
	mkfifo keys
	script -qec "'$vldaa' token $1; echo status \$?" /dev/null <keys >screen 2>&1 &
	terminal=$!
	exec 9>keys
	shift
	while [ $# -ge 2 ]; do
		wait_for "$1: " screen
		echo "$2" >&9
		shift 2
	done
	wait_for 'status ' screen
	exec 9>&-
	wait $terminal
}

a_terminal_is_asked_for_pins() {
	typing 'show --token car1' 'User.s PIN for car1' 'PIN of the user'
	grep -q 'basename parking' screen || fail "not logged in: $(cat screen)"
	grep -q 'PIN of the user' screen && fail 'the terminal shows the PIN'
	typing 'show --token car1' 'User.s PIN for car1' 'not the PIN'
	grep -q 'car1: wrong PIN' screen || fail "$(cat screen)"
	typing 'pin --token car1 --new-pin-file so.pin' 'User.s PIN for car1' 'PIN of the user'
	grep -q 'status 0' screen || fail "$(cat screen)"
	expect 0 'basename parking' "$vldaa" token show --token car1 --pin-file so.pin
}

a_new_pin_is_typed_twice() {
	typing 'pin --token car1 --pin-file user.pin' 'User.s new PIN for car1' 'some PIN' \
		'The same again' 'another PIN'
	grep -q 'the two differ' screen || fail "$(cat screen)"
	expect 0 'basename parking' t show --token car1
	typing 'pin --token car1 --pin-file user.pin' 'User.s new PIN for car1' 'some PIN' \
		'The same again' 'some PIN'
	grep -q 'status 0' screen || fail "$(cat screen)"
	echo 'some PIN' >some
	expect 0 'basename parking' "$vldaa" token show --token car1 --pin-file some
}

a_tokens_signatures_are_the_commands_own() {
	for form in '' --compact; do
		quietly t sign report.txt --token car1 --basename parking $form -o sig
		expect 0 '' "$vldaa" verify --group group.pem --attestation car1.att --basename parking --signature sig report.txt
		expect 1 '' "$vldaa" verify --group group.pem --attestation car1.att --signature sig second.txt
	done
	quietly t sign report.txt --token car1 --basename parking --bare -o bare
	[ "$(size_of bare)" = 2420 ] || fail "a bare signature of $(size_of bare) bytes"
	expect 0 '' "$vldaa" verify --group group.pem --attestation car1.att --signature bare report.txt
	# Without a pseudonym that is kept one is made, which is the same one again.
	quietly t sign report.txt --token car1 --basename toll -o toll1
	quietly t sign second.txt --token car1 --basename toll -o toll2
	expect 0 '' "$vldaa" link --group group.pem toll1 report.txt toll2 second.txt
	quietly t sign report.txt --token car2 --basename toll -o toll3
	expect 1 '' "$vldaa" link --group group.pem toll1 report.txt toll3 report.txt
	for form in --bare --compact; do
		expect 2 "${form#--} signature needs .*vldaa token create makes one" \
			t sign report.txt --token car1 --basename toll $form -o lost
		[ ! -e lost ] || fail "a $form signature that nobody can verify"
	done
	expect 0 '"basename_hex": "7061726b696e67"' t show --token car1 --json
	[ "$(grep -c 746f6c6c out)" = 0 ] || fail 'a pseudonym for one signature was kept'
}

a_large_file_is_signed_and_so_is_an_empty_one() {
	head -c 3000000 /dev/zero >large
	: >none
	for message in large none; do
		quietly t sign $message --token car1 --basename parking -o sig
		expect 0 '' "$vldaa" verify --group group.pem --signature sig $message
	done
}

an_order_is_obeyed_by_the_token_that_it_is_for_and_for_ever() {
	quietly t sign report.txt --token car1 --basename parking -o sig
	quietly "$vldaa" revoke order RA --signature sig --soft --expires-in 1d -o order
	expect 1 '^vldaa: order: ' t obey order --token car2 -o none
	[ ! -e none ] || fail 'a confirmation of nothing'
	quietly t obey order --token car1 -o confirmation
	expect 0 '' "$vldaa" revoke confirm RA confirmation --token car1.token
	expect 1 'revoked' t sign report.txt --token car1 --basename parking -o never
	expect 1 'revoked' t create --token car1 --basename parking
	quietly t create --token car1 --basename platoon
	t show --token car1 >out
	grep -q 'basename parking' out && fail 'the pseudonym is still there'
	grep -q 'basename platoon' out || fail 'no pseudonym for platoon'
	quietly t sign report.txt --token car2 --basename parking -o sig
}

a_token_joins_once_and_an_answer_is_its_own() {
	expect 2 'car1 has joined already' join request car1.nonce --token car1 -o new
	expect 2 'no member.s key on this token \(vldaa token join request makes one\)' t create --token issuer --basename x
	expect 2 'no issuer.s key on this token \(vldaa token setup makes one\)' join nonce --token car1 -o new
	expect 2 'issuer has an issuer.s key already' t setup --token issuer --set VLDAA2-44
	quietly t setup --token issuer --group-key again.pem
	same group.pem again.pem
	expect 0 '' join issue car1.request --token issuer -o again
	same car1.answer again
	expect 1 'car2.answer: ' join finish car2.answer --token car1
	expect 1 'report.txt: ' join issue report.txt --token issuer -o new
}

an_unendorsed_token_is_told_to_be() {
	quietly t init --token new --so-pin-file so.pin
	quietly join nonce --token issuer -o nonce
	expect 2 '--group says of which group' join request nonce --token new -o request
	expect 1 'new: this token has no certificate .*vldaa token endorse' join request nonce --token new --group group.pem -o request
	quietly "$vldaa" token endorse --token new --request new.csr
	expect 0 'verify OK' openssl req -in new.csr -noout -verify
	expect 3 'report.txt: no certificate' t endorse --token new --certificate report.txt
	expect 2 'either --request or --certificate' t endorse --token new
	expect 2 'no kind of key "P-257"' t endorse --token new --request none.csr --new-key P-257
	expect 2 '--new-key goes with --request' t endorse --token new --certificate root.pem --new-key P-256
	[ ! -e none.csr ] || fail 'a request for a key of no kind'
	quietly t endorse --token new --request new.csr --new-key ED25519
	expect 0 'ED25519' openssl req -in new.csr -noout -text -verify
	openssl x509 -req -in new.csr -CA roots.pem -CAkey root.key -CAcreateserial -days 9 -out new.pem 2>/dev/null
	quietly t endorse --token new --certificate new.pem
	quietly t endorse --token new --certificate new.pem
	[ "$(t show --token new | grep -c ^certificate)" = 1 ] || fail 'the same certificate twice'
	expect 3 'has a certificate, and stays' t endorse --token new --request none.csr --new-key P-256
	quietly join request nonce --token new --group group.pem -o request
	quietly join issue request --token issuer -o answer
	quietly join finish answer --token new
	expect 0 '^member.s key  *joined' t show --token new
}

# certificate NAME CA: of car1's endorsement key, by the authority in CA.pem and CA.key.
certificate() {
	openssl x509 -req -in car1.csr -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days 9 -out "$1.ek.pem" 2>/dev/null
}

# authority NAME [CA]: a root, or an authority below another.
authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -days 9 \
		${2:+-CA "$2.pem" -CAkey "$2.key"} -keyout "$1.key" -out "$1.pem" 2>/dev/null
}

# The car anew, with its certificate from before: it has not joined.
erase_car1() {
	quietly t init --token car1 --slot 1 --erase --so-pin-file so.pin
}

count_certificates() {
	t show --token car1 | grep -c '^certificate'
}

a_new_certificate_replaces_those_before_it() {
	erase_car1
	[ "$(count_certificates)" = 1 ] || fail 'the certificate did not survive --erase'
	authority wrong
	authority between wrong
	certificate bad between
	cat bad.ek.pem between.pem bad.ek.pem >bad.chain.pem
	expect 0 'car1: 1 certificate from before went' t endorse --token car1 --certificate bad.chain.pem
	[ "$(count_certificates)" = 2 ] || fail 'not the two of the chain, each once'
	join nonce --token issuer -o nonce
	quietly join request nonce --token car1 --group group.pem -o bad.request
	expect 1 'certificate' join issue bad.request --token issuer -o answer
	expect 0 'car1: 2 certificates from before went' t endorse --token car1 --certificate car1.ek.pem
	[ "$(count_certificates)" = 1 ] || fail 'more than the new one'
	expect 0 '' t endorse --token car1 --certificate car1.ek.pem
	[ ! -s out ] || fail "the same one again replaces: $(cat out)"
	quietly join request nonce --token car1 -o request
	quietly join issue request --token issuer --replace -o answer
	quietly join finish answer --token car1
}

what_others_use_of_a_replaced_chain_stays() {
	cp roots.pem root.pem
	authority shared root
	authority old shared
	certificate first old
	cat shared.pem old.pem first.ek.pem >first.chain.pem
	quietly t endorse --token car1 --certificate first.chain.pem
	[ "$(count_certificates)" = 3 ] || fail 'not the chain of three'
	# The new one is below the shared authority, whose certificate its file leaves out.
	certificate second shared
	expect 0 'car1: 2 certificates from before went' t endorse --token car1 --certificate second.ek.pem
	[ "$(count_certificates)" = 2 ] || fail 'the shared certificate went, or the old one stays'
	erase_car1
	join nonce --token issuer -o nonce
	quietly join request nonce --token car1 --group group.pem -o request
	quietly join issue request --token issuer --replace -o answer
}

an_authority_of_the_same_name_is_not_taken_for_the_one_that_signed() {
	erase_car1
	cp roots.pem root.pem
	authority between root
	certificate mine between
	cat between.pem >chain.pem
	authority between root
	cat between.pem mine.ek.pem >>chain.pem
	quietly t endorse --token car1 --certificate chain.pem
	join nonce --token issuer -o nonce
	quietly join request nonce --token car1 --group group.pem -o request
	quietly join issue request --token issuer --replace -o answer
}

a_certificate_that_cannot_be_stored_leaves_those_before_it() {
	authority wrong
	authority between wrong
	t show --token car1 >before
	{
		printf 'nsComment='
		head -c 300000 /dev/zero | tr '\0' x
	} >large.ext
	openssl x509 -req -in car1.csr -CA between.pem -CAkey between.key -CAcreateserial -days 9 -extfile large.ext -out large.pem 2>/dev/null
	cat between.pem large.pem >large.chain.pem
	blocks=$(($(size_of car1/token.db) / 512 + 100))
	# Writing beyond that is an error, not a signal.
	expect 3 'large.chain.pem: the token.s ' sh -c "trap '' XFSZ; ulimit -f $blocks; exec '$vldaa' token endorse --pin-file user.pin --token car1 --certificate large.chain.pem"
	t show --token car1 >after
	same before after
	quietly t endorse --token car1 --certificate large.chain.pem
	[ "$(count_certificates)" = 2 ] || fail 'a large certificate is none'
}

an_expelled_token_is_told_so_by_every_command() {
	quietly t sign report.txt --token car1 --basename parking -o sig
	quietly "$vldaa" revoke order RA --signature sig --hard --expires-in 1d -o order
	t show --token car1 >out
	grep -q 'expelled' out && fail 'expelled before it is'
	quietly t obey order --token car1 -o confirmation
	for erased in no yes; do
		[ $erased = no ] || erase_car1
		expect 1 'car1: a hard order has expelled this token' t create --token car1 --basename x
		expect 1 'car1: a hard order has expelled this token' t sign report.txt --token car1 --basename x -o never
		expect 1 'car1: a hard order has expelled this token' t basename x --token car1
		expect 1 'car1: a hard order has expelled this token' t obey order --token car1 -o never
		expect 1 'car1: a hard order has expelled this token' join request car2.nonce --token car1 -o never
		expect 1 'car1: .*expelled' join request car2.nonce --token car1 --group group.pem -o never
		expect 0 'a hard order has expelled the member' t show --token car1
		expect 0 '"expelled": true' t show --token car1 --json
	done
	expect 2 'no issuer.s key' join nonce --token car1 -o never
}

a_locked_security_officer_is_told_what_is_left() {
	echo 'not the PIN' >wrong
	echo 'another PIN' >new.pin
	so() {
		"$vldaa" token pin --token car1 --so --so-pin-file "$1" --new-pin-file new.pin
	}
	expect 3 'some more wrong PINs lock it' so wrong
	expect 0 '^slot 1  car1 .*  ready, security officer.s PIN: wrong ones were tried  ' "$vldaa" token list
	for _ in 2 3 4 5 6 7 8; do
		so wrong >out 2>&1
	done
	expect 3 'one more wrong PIN locks it' so wrong
	grep -q "nothing unlocks the security officer's PIN" out || fail 'no word of what is at stake'
	expect 0 '^slot 1  car1 .*  ready, security officer.s PIN: one more wrong one locks it  ' "$vldaa" token list
	expect 0 '"so_pin": "last try"' "$vldaa" token list --json
	expect 3 'last try: the security officer.s PIN is locked now' so wrong
	expect 3 'the security officer.s PIN is locked .*CKR_PIN_LOCKED' so so.pin
	grep -q 'The user.s PIN works as before' out || fail "$(cat out)"
	grep -q 'unlock sets' out && fail 'advice that cannot be followed'
	expect 3 'the security officer.s PIN is locked' t init --token car1 --slot 1 --erase --so-pin-file so.pin
	expect 0 '^slot 1  car1 .*  ready, security officer.s PIN locked  ' "$vldaa" token list
	expect 0 '"so_pin": "locked"' "$vldaa" token list --json
	expect 0 'basename parking' t show --token car1
	for _ in 1 2 3 4 5 6 7 8 9; do
		"$vldaa" token show --token car1 --pin-file wrong >out 2>&1
	done
	expect 0 '"user_pin": "last try"' "$vldaa" token list --json
	expect 3 'last try: the user.s PIN is locked now' "$vldaa" token show --token car1 --pin-file wrong
	grep -q 'both locked, and nothing unlocks them: only a new token in another directory' out || fail "$(cat out)"
	expect 3 'both locked' t show --token car1
	expect 0 '^slot 1  car1 .*  user.s PIN locked, security officer.s PIN locked  ' "$vldaa" token list
	expect 0 '"user_pin": "locked"' "$vldaa" token list --json
}

a_wrong_pin_is_counted_and_locks_and_the_officer_unlocks() {
	echo 'not the PIN' >wrong
	expect 3 'car1: wrong PIN' "$vldaa" token show --token car1 --pin-file wrong
	grep -q 'some more wrong PINs lock it' out || fail 'no word of the count'
	tries=1
	while "$vldaa" token show --token car1 --pin-file wrong 2>&1 | grep -q 'wrong PIN' && [ $tries -lt 30 ]; do
		tries=$((tries + 1))
	done
	expect 3 'the user.s PIN is locked' t show --token car1
	grep -q "officer's PIN unlocks it: vldaa token pin --unlock" out || fail "$(cat out)"
	expect 0 '^slot 1  car1 .*PIN locked' "$vldaa" token list
	echo 'another PIN' >user2.pin
	expect 3 'wrong PIN' "$vldaa" token pin --token car1 --unlock --so-pin-file wrong --new-pin-file user2.pin
	quietly "$vldaa" token pin --token car1 --unlock --so-pin-file so.pin --new-pin-file user2.pin
	expect 3 'wrong PIN' t show --token car1
	expect 0 'basename parking' "$vldaa" token show --token car1 --pin-file user2.pin
}

pins_are_changed_by_who_knows_them() {
	echo 'another PIN' >new.pin
	echo 'abc' >short
	expect 2 'must have 4 to 255 bytes' t pin --token car1 --new-pin-file short
	quietly t pin --token car1 --new-pin-file new.pin
	expect 3 'wrong PIN' t show --token car1
	expect 0 'basename parking' env PIN='another PIN' "$vldaa" token show --token car1 --pin-env PIN
	quietly "$vldaa" token pin --token car1 --so --so-pin-file so.pin --new-pin-file new.pin
	expect 3 'wrong PIN' "$vldaa" token pin --token car1 --unlock --so-pin-file so.pin --new-pin-file user.pin
	quietly "$vldaa" token pin --token car1 --unlock --so-pin-file new.pin --new-pin-file user.pin
	expect 0 'basename parking' t show --token car1
	expect 2 'one too many' "$vldaa" token pin --token car1 --so --unlock
	# Without a terminal nobody can be asked.
	expect 2 'use --pin-file or --pin-env' setsid "$vldaa" token show --token car1
	expect 0 'pseudonym.s public key' setsid "$vldaa" token show --token car1 --public
	grep -q "^pseudonym  " out && fail 'a private key without a PIN'
}

a_token_is_never_overwritten_unasked() {
	expect 2 'slot 1 has a token "car1" already' t init --token car1 --so-pin-file so.pin
	expect 2 'there is a token in slot 1; --erase' t init --token x --slot 1 --so-pin-file so.pin
	expect 2 'there is no slot 9' t init --token x --slot 9 --so-pin-file so.pin
	expect 2 'names the new token' t init --so-pin-file so.pin
	expect 2 '--slot names' t init --token x --erase --so-pin-file so.pin
	echo 'not the PIN' >wrong
	expect 3 'wrong PIN' t init --token x --slot 1 --erase --so-pin-file wrong
	expect 0 'basename parking' t show --token car1
	quietly t init --token x --slot 1 --erase --so-pin-file so.pin
	expect 0 'endorsement certificate request' t show --token x
	grep -q 'member\|pseudonym' out && fail 'keys of the erased token'
	quietly t init --token new --so-pin-file so.pin
	expect 2 'no slot is empty' t init --token more --so-pin-file so.pin
}

which_token_is_meant_is_asked_for() {
	expect 2 'there are 3 tokens: choose one with --token LABEL' t show
	expect 2 'there is no token "car3"' t show --token car3
	expect 0 'basename parking' env VLDAA_TOKEN_DIR="$PWD/car1" "$vldaa" token show --pin-file user.pin
	expect 2 'there is no token: vldaa token init makes one' env VLDAA_TOKEN_DIR="$PWD/empty" "$vldaa" token show
	expect 3 'module cannot be loaded: .*absent.*--module names it' "$vldaa" token list --module ./absent
	expect 0 '"state": "ready"' "$vldaa" token list --json
	echo 'no database' >car1/token.db
	expect 0 '^slot 1  -  -  cannot be read' "$vldaa" token list
	grep -q '^slot 2  car2' out || fail 'one bad token hides another'
}

several_keys_on_a_token_are_told_apart_by_label_or_id() {
	quietly t setup --token issuer --object second --revocation-key ra.pub.pem --manufacturer-roots roots.pem --group-key group2.pem
	expect 2 "2 issuer's keys .*--object" join nonce --token issuer -o nonce
	quietly t setup --token issuer --object issuer --group-key again.pem
	same group.pem again.pem
	quietly join nonce --token issuer --object second -o nonce
	quietly join request nonce --token car1 --object other --group group2.pem -o request
	quietly join issue request --token issuer --object second -o answer
	quietly join finish answer --token car1 --object other
	expect 2 "2 member's keys .*--object" t create --token car1 --basename toll
	quietly t create --token car1 --basename parking --object other
	expect 2 'several groups .*--object' t sign report.txt --token car1 --basename parking -o sig
	quietly t sign report.txt --token car1 --basename parking --object other -o sig
	expect 0 '^valid' "$vldaa" verify --group group2.pem --signature sig report.txt
	quietly t sign report.txt --token car1 --basename parking --object member -o sig
	expect 0 '^valid' "$vldaa" verify --group group.pem --signature sig report.txt
	expect 0 '' t show --token car1
	id=$(sed -n 's/^member.s key .*label other .*id //p' out)
	quietly t sign report.txt --token car1 --basename toll --object "$id" -o sig
	expect 0 '^valid' "$vldaa" verify --group group2.pem --signature sig report.txt
	# An order is for one of them, whichever it is given to.
	for obeying in other member; do
		quietly t create --token car1 --object member --basename "for $obeying" -o att --revocation-token token
		quietly t sign report.txt --token car1 --basename "for $obeying" --object member -o sig
		quietly "$vldaa" revoke order RA --signature sig --soft --expires-in 1d -o order
		quietly t obey order --token car1 --object $obeying -o confirmation
		expect 0 '' "$vldaa" revoke confirm RA confirmation --token token
		t show --token car1 >out
		grep -q "basename for $obeying" out && fail 'the revoked pseudonym is still there'
		rm -f att token sig order confirmation
	done
	quietly t sign report.txt --token car1 --basename parking --object member -o sig
	quietly "$vldaa" revoke order RA --signature sig --hard --expires-in 1d -o order
	quietly t obey order --token car1 -o confirmation
	t show --token car1 >out
	grep '^member.s key' out | grep -q 'label member' && fail 'the expelled member is still there'
	quietly t sign report.txt --token car1 --basename parking -o sig2
	expect 2 "no member's key called none" t create --token car1 --basename toll --object none
}

a_pseudonym_is_made_once() {
	quietly t create --token car1 --basename parking -o again.att
	same car1.att again.att
	[ "$(t show --token car1 | grep -c '^pseudonym  ')" = 1 ] || fail 'a second pseudonym for one basename'
}

another_tokens_certificate_is_refused() {
	expect 1 "car2.ek.pem: none .* this token's endorsement key" t endorse --token car1 --certificate car2.ek.pem
	[ "$(t show --token car1 | grep -c '^certificate')" = 1 ] || fail 'it was taken in'
	# In any order, with others.
	cat roots.pem car1.ek.pem >chain.pem
	quietly t endorse --token car1 --certificate chain.pem
	expect 0 'certificate  *label certificate' t show --token car1
}

where_a_file_lies_there_is_no_empty_slot() {
	expect 0 '^slot 0  -  -  cannot be read' env VLDAA_TOKEN_DIR="$PWD/report.txt" "$vldaa" token list
	expect 0 'there is no slot: VLDAA_TOKEN_DIR' env -u VLDAA_TOKEN_DIR -u XDG_DATA_HOME -u HOME "$vldaa" token list
	expect 2 'no slot is empty' env VLDAA_TOKEN_DIR="$PWD/report.txt" "$vldaa" token init --token x --pin-file user.pin --so-pin-file so.pin
}

run_tokens() {
	enter_copy "$2"
	VLDAA_TOKEN_DIR=$PWD/issuer:$PWD/car1:$PWD/car2:$PWD/empty
	export VLDAA_TOKEN_DIR
	"$3"
	[ "$failures" = 0 ]
}

run_tokens "$@"
