#!/bin/sh
# Promises of `vldaa inspect`: every object says what it is, in text and in JSON; what is none of ours, or
# damaged, is exit status 1 with what it seems to be.
vldaa=$1
. "$(dirname "$0")/lib.sh"

inspect() {
	expect "$1" "$2" "$vldaa" inspect "$3"
}

every_object_says_what_it_is() {
	quietly "$vldaa" revoke order RA -a car1.att --hard --reason 5 -o order
	quietly "$vldaa" revoke obey car1 order -o confirmation
	quietly "$vldaa" issuer export issuer --rogue-list rogue.list
	quietly "$vldaa" revoke list RA -o revoked.list
	inspect 0 '^kind +group public key' group.pem
	inspect 0 '^kind +issuer private key' issuer/issuer.pem
	inspect 0 '^secret +yes' issuer/issuer.pem
	inspect 0 '^kind +host member key' car1/host.pem
	inspect 0 '^kind +credential' car1/credential
	inspect 0 '^secret +yes' car1/credential
	inspect 0 "^kind +issuer's nonce" car1.nonce
	inspect 0 '^kind +join request' car1.request
	inspect 0 '^kind +join answer' car1.answer
	inspect 0 '^kind +attestation' car1.att
	inspect 0 '^kind +self-contained signature' car1.sig
	inspect 0 '^kind +compact signature' compact.sig
	inspect 0 '^kind +revocation token' car1.token
	inspect 0 '^kind +revocation order' "$(echo RA/orders/*.order)"
	inspect 0 '^mode +hard' "$(echo RA/orders/*.order)"
	inspect 0 '^reason +5' "$(echo RA/orders/*.order)"
	inspect 0 '^kind +sealed revocation order' order
	inspect 0 '^kind +revocation confirmation' confirmation
	inspect 0 '^kind +rogue list' rogue.list
	inspect 0 '^kind +list of revoked pseudonyms' revoked.list
	inspect 0 '^entries +1$' revoked.list
}

a_group_key_says_what_its_set_gives_and_assumes() {
	inspect 0 '^kind +group public key' group.pem
	if is_forgeable; then
		inspect 0 '^security +not unforgeable' group.pem
		grep -q '^assumes' out && fail 'a forgeable set assumes something'
	else
		inspect 0 '^security +120 bits against forgery, 121 against finding .*, 118 for anonymity$' group.pem
		inspect 0 '^assumes +.*Module-SIS.*NTRU-ISIS_f.*Joins answered one after another$' group.pem
		expect 0 '"anonymity_bits": 118' "$vldaa" inspect --json group.pem
		grep -q '"assumptions": "Module-SIS' out || fail 'no assumptions in JSON'
	fi
}

a_signature_names_its_basename_and_attestation() {
	inspect 0 '^basename +parking' car1.sig
	inspect 0 '7061726b696e67' car1.sig
	inspect 0 "^set +$(set_of_world) " car1.sig
	if is_forgeable; then
		inspect 0 '^security +not unforgeable' car1.sig
		bits=0
	else
		inspect 0 '^security +120 bits against forgery' car1.sig
		bits=120
	fi
	inspect 0 "^bytes +$(size_of car1.sig)\$" car1.sig
	expect 0 '"basename": "parking"' "$vldaa" inspect --json car1.sig
	grep -Eq '"kind_number": 13' out || fail 'no kind number'
	grep -Eq "\"signature_bits\": $bits" out || fail 'no security bits'
	digest=$(sed -n 's/.*"attestation_digest": "\([0-9a-f]*\)".*/\1/p' out)
	[ ${#digest} = 64 ] || fail 'no digest'
	inspect 0 "^attestation +$digest" compact.sig
	inspect 0 "^attestation +$digest" car1.token
	expect 0 "\"attestation\": \"$digest\"" "$vldaa" verify -g group.pem -s car1.sig --json report.txt
}

a_fleet_key_says_that_it_is_one() {
	inspect 0 '^kind +fleet key$' fleet.key
	inspect 0 '^secret +yes' issuer/fleet.key
	inspect 0 '^kind +fleet key$' RA/fleet.key
	expect 0 '"kind": "fleet key"' "$vldaa" inspect --json fleet.key
	grep -q '"secret": true' out || fail 'it is no secret in JSON'
	key=$(sed -n 2p fleet.key)
	grep -qF "$key" out && fail 'the key is in the answer'
}

a_strangers_basename_does_not_reach_the_terminal() {
	quietly "$vldaa" member sign car1 report.txt --basename-hex 1b5b324a0aff -o odd.sig
	inspect 0 '^basename +\\x1b\[2J\\x0a\\xff$' odd.sig
	expect 0 '"basename": "\\u001b\[2J\\u000a\\ufffd"' "$vldaa" inspect --json odd.sig
	expect 0 '^basename +\\x1b\[2J\\x0a\\xff$' "$vldaa" verify -g group.pem -s odd.sig report.txt
}

an_mldsa_key_and_a_bare_signature_are_told() {
	is_forgeable && return
	quietly "$vldaa" member create car1 --basename parking --mldsa-key mldsa.pem
	inspect 0 '^kind +ML-DSA-44 public key$' mldsa.pem
	expect 0 '"kind": "ML-DSA-44 public key"' "$vldaa" inspect --json mldsa.pem
	grep -q '"secret": false' out || fail 'a public key is secret'
	quietly "$vldaa" member sign car1 report.txt --basename parking --bare -o bare.sig
	inspect 1 'looks like +a bare signature of VLDAA2-44, by its length' bare.sig
	sed 3d mldsa.pem >cut.pem
	inspect 1 'looks like +a damaged key file' cut.pem
}

anything_else_is_told_by_what_it_looks_like() {
	inspect 1 'looks like +text' report.txt
	inspect 1 'looks like +PEM of another kind than ours \(PUBLIC KEY\)' ra.pub.pem
	inspect 1 'looks like +PEM of another kind than ours \(CERTIFICATE\)' roots.pem
	inspect 1 'looks like +an SQLite database' issuer/register.db
	: >empty
	inspect 1 'looks like +an empty file' empty
	# none of these is a key, so that nothing is said about keys
	for other in report.txt empty issuer/register.db; do
		"$vldaa" inspect "$other" | grep -q because && fail "$other: a reason for not being a key"
	done
	sed 3d group.pem >cut.pem
	inspect 1 'looks like +a damaged key file' cut.pem
	inspect 1 'because +the key file is cut off' cut.pem
	inspect 3 'issuer: Is a directory: a file is needed' issuer
	openssl x509 -in roots.pem -outform DER -out roots.der
	inspect 1 'looks like +DER' roots.der
	head -c 40 roots.der >noise
	printf '\001\377' >>noise
	inspect 1 'looks like +binary data' noise
	cut_to car1.sig 30 cut
	inspect 1 'looks like +a damaged object' cut
	expect 1 '"kind": null' "$vldaa" inspect --json report.txt
	inspect 3 'No such file' missing
	expect 2 'missing' "$vldaa" inspect
}

an_encrypted_key_says_what_it_is_with_its_passphrase() {
	echo secret >pass
	quietly "$vldaa" issuer init locked --set VLDAA-42 --revocation-key ra.pub.pem \
		--manufacturer-roots roots.pem --passphrase-file pass
	mv locked/issuer.pem locked.pem
	inspect 1 'an encrypted private key' locked.pem
	expect 0 '^kind +issuer private key' "$vldaa" inspect --passphrase-file pass locked.pem
	expect 0 '^form +PKCS#8, encrypted' env P=secret "$vldaa" inspect --passphrase-env P locked.pem
	expect 1 'passphrase' env P=wrong "$vldaa" inspect --passphrase-env P locked.pem
}

run_scenario "$@"
