#!/bin/sh
# Promises of `vldaa member export`: the file signs as the member, or under one pseudonym, without the member's
# directory and its TPM; it is the owner's alone, never overwritten, encrypted when that is asked for; what was
# revoked before does not come back by it.
vldaa=$1
sign_with=$5
. "$(dirname "$0")/lib.sh"

mode_of() {
	stat -c %a "$1"
}

an_exported_member_signs_as_the_member() {
	quietly "$vldaa" member export car1 -o member.pem
	rm -r car1 car1.tpm
	quietly "$sign_with" member.pem parking whole hello exported.sig
	printf hello >hello
	expect 0 '^basename +parking$' "$vldaa" verify -g group.pem -s exported.sig hello
	expect 0 '^linked' "$vldaa" link -g group.pem exported.sig hello car1.sig report.txt
	expect 1 '^not linked: two members' "$vldaa" link -g group.pem exported.sig hello car2.sig report.txt
	expect 1 '^invalid: PROOF' "$vldaa" verify -g group.pem -s exported.sig report.txt
}

an_exported_pseudonym_signs_under_the_attestation_that_is_kept() {
	quietly "$vldaa" member export car1 --basename parking -o pseudonym.pem
	rm -r car1 car1.tpm
	printf hello >hello
	quietly "$sign_with" pseudonym.pem '' compact hello exported.sig
	expect 0 '^basename +parking$' "$vldaa" verify -g group.pem -s exported.sig -a car1.att hello
	expect 1 '^invalid: ATTESTATION' "$vldaa" verify -g group.pem -s exported.sig -a toll.att hello
	if is_forgeable; then
		expect 1 '^FORM' "$sign_with" pseudonym.pem '' bare hello bare.sig
		return
	fi
	quietly "$sign_with" pseudonym.pem '' bare hello bare.sig
	expect 0 '^valid' "$vldaa" verify -g group.pem -s bare.sig -a car1.att hello
}

a_pseudonym_that_there_is_not_yet_is_made() {
	quietly "$vldaa" member export car1 --basename-hex 6e6577 -o new.pem
	quietly "$vldaa" member create car1 --basename new -o new.att
	quietly "$sign_with" new.pem '' compact hello new.sig
	printf hello >hello
	expect 0 '^basename +new$' "$vldaa" verify -g group.pem -s new.sig -a new.att hello
}

an_exported_key_is_its_owners_alone_and_says_what_it_is() {
	umask 022
	quietly "$vldaa" member export car1 -o member.pem
	quietly "$vldaa" member export car1 --basename parking -o pseudonym.pem
	for file in member.pem pseudonym.pem; do
		[ "$(mode_of $file)" = 600 ] || fail "$file is open"
		expect 0 '^secret +yes' "$vldaa" inspect $file
		grep -Eq '^form +PKCS#8$' out || fail "$file: no PKCS#8"
	done
	expect 0 '^kind +member private key$' "$vldaa" inspect member.pem
	expect 0 '^kind +pseudonym private key$' "$vldaa" inspect pseudonym.pem
	grep -Eq '^basename +parking$' out || fail 'no basename'
	expect 0 '"secret": true' "$vldaa" inspect --json pseudonym.pem
	# never over a file that is there
	cp member.pem before
	expect 3 'member.pem: File exists' "$vldaa" member export car1 -o member.pem
	same member.pem before
	# a secret is no argument where a public file belongs
	expect 1 'this is a pseudonym private key, not an attestation' \
		"$vldaa" verify -g group.pem -a pseudonym.pem
	grep -q PRIVATE out && fail 'the key is in the answer'
	expect 3 'this is a member private key, not a group PUBLIC key' "$vldaa" verify -g member.pem -s car1.sig report.txt
}

an_exported_key_is_encrypted_when_that_is_asked_for() {
	printf 'secret\n' >pass
	quietly "$vldaa" member export car1 --encrypt-file pass -o member.pem
	grep -q 'BEGIN ENCRYPTED PRIVATE KEY' member.pem || fail 'not encrypted'
	expect 0 '^kind +member private key$' "$vldaa" inspect --passphrase-file pass member.pem
	expect 1 '^NO_PASSPHRASE' "$sign_with" member.pem parking whole hello x.sig
	quietly env P=secret "$vldaa" member export car1 --basename parking --encrypt-env P -o pseudonym.pem
	expect 0 '^kind +pseudonym private key$' "$vldaa" inspect --passphrase-file pass pseudonym.pem
	# a passphrase that was wanted and is not there is no key in clear
	expect 2 'environment variable NONE' "$vldaa" member export car1 --encrypt-env NONE -o clear.pem
	expect 3 'missing: No such file' "$vldaa" member export car1 --encrypt-file missing -o clear.pem
	[ ! -e clear.pem ] || fail 'a key in clear'
}

what_was_revoked_before_does_not_come_back() {
	quietly "$vldaa" revoke order RA -a car1.att --soft -o order
	quietly "$vldaa" revoke obey car1 order -o confirmation
	expect 1 'revoked' "$vldaa" member export car1 --basename parking -o pseudonym.pem
	quietly "$vldaa" member export car1 -o member.pem
	expect 1 '^TOMBSTONE' "$sign_with" member.pem parking whole hello x.sig
	expect 0 '' "$sign_with" member.pem toll whole hello toll.sig
	quietly "$vldaa" revoke order RA -a toll.att --hard -o hard
	quietly "$vldaa" revoke obey car1 hard -o confirmation
	expect 1 'car1: this member was expelled' "$vldaa" member export car1 -o expelled.pem
	[ ! -e pseudonym.pem ] && [ ! -e expelled.pem ] || fail 'a key'
	# the file of before goes on: verifiers' lists are for that
	quietly "$vldaa" revoke list RA -o revoked.list
	printf hello >hello
	expect 0 '^valid' "$vldaa" verify -g group.pem -s toll.sig hello
	expect 1 '^invalid: REVOKED' "$vldaa" verify -g group.pem --revoked-list revoked.list -s toll.sig hello
}

who_has_not_joined_or_has_another_tpm_is_refused() {
	quietly "$vldaa" member keygen late --group other-set.pem --tpm car1.tpm
	expect 2 'late: the member has no credential yet' "$vldaa" member export late -o late.pem
	printf '../car2.tpm\n' >car1/tpm
	expect 3 'car1: the credential was not made for this member' "$vldaa" member export car1 -o mixed.pem
	expect 2 '--output FILE is missing' "$vldaa" member export car1
	expect 3 'is not a member' "$vldaa" member export issuer -o x.pem
	[ ! -e late.pem ] && [ ! -e mixed.pem ] && [ ! -e x.pem ] || fail 'a key'
}

a_public_key_file_with_an_attestation_is_an_attestation() {
	# SubjectPublicKeyInfo around the object, assembled by the openssl command
	oid=$(openssl asn1parse -in group.pem | sed -n 's/.*OBJECT *://p')
	printf 'asn1=SEQUENCE:k\n[k]\na=SEQUENCE:a\nb=FORMAT:HEX,BITSTRING:%s\n[a]\no=OID:%s\n' \
		"$(od -An -v -tx1 car1.att | tr -d ' \n')" "$oid" >conf
	openssl asn1parse -genconf conf -noout -out att.der
	expect 0 '^valid' "$vldaa" verify -g group.pem -a att.der
	expect 0 '^valid' "$vldaa" verify -g group.pem -s compact.sig -a att.der report.txt
	expect 1 '^invalid: KIND: att.der: this is an attestation, not a signature' \
		"$vldaa" verify -g group.pem -s att.der report.txt
	flip att.der 9000 bad.der
	expect 1 '^invalid' "$vldaa" verify -g group.pem -a bad.der
}

an_exported_member_has_the_default_basename_that_was_given() {
	quietly "$vldaa" member export car1 --default-basename epoch:3600 -o epoch.pem
	expect 0 '^by default +epoch:3600$' "$vldaa" inspect epoch.pem
	expect 0 '"default_basename": "epoch:3600"' "$vldaa" inspect --json epoch.pem
	grep -q '"basename"' out && fail 'the default is called the basename'
	quietly "$vldaa" member export car1 -o plain.pem
	expect 0 '^kind +member private key$' "$vldaa" inspect plain.pem
	grep -q 'by default' out && fail 'a default that nobody gave'
	for text in epoch:0 epoch:060 epoch:3600s epoch: epoch:10000000000 ''; do
		expect 2 "default-basename '$text': neither" \
			"$vldaa" member export car1 --default-basename "$text" -o no.pem
	done
	expect 2 'default-basename is a member.s' \
		"$vldaa" member export car1 --basename parking --default-basename x -o no.pem
	[ ! -e no.pem ] || fail 'a key'
}

run_scenario "$@"
