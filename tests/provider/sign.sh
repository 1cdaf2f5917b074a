#!/bin/sh
# Promises about signing with a member's key: `openssl` signs under the basename that it is told, or by the default
# in openssl.cnf, in every form; the group's key verifies it, and so does the vldaa command.
. "$(dirname "$0")/lib.sh"

# sign KEY MESSAGE OUT OPTIONS...
sign() {
	key=$1 message=$2 signature=$3
	shift 3
	o pkeyutl -sign -rawin -inkey "$key" -in "$message" -out "$signature" "$@"
}

# verified SIGNATURE MESSAGE OPTIONS...: by the group's key, with openssl.
verified() {
	signature=$1 message=$2
	shift 2
	expect 0 'Signature Verified Successfully' \
		o pkeyutl -verify -rawin -pubin -inkey group.pem -in "$message" -sigfile "$signature" "$@"
}

basename_case() {
	quietly sign member.pem msg new.sig -pkeyopt basename:platoon-7
	verified new.sig msg -pkeyopt basename:platoon-7
	expect 0 '' "$vldaa" verify --group group.pem --signature new.sig msg
	expect 0 'platoon-7' "$vldaa" inspect new.sig
	expect 1 'Signature Verification Failure' \
		o pkeyutl -verify -rawin -pubin -inkey group.pem -in other -sigfile new.sig
	# one member under one basename: linked, also with what its TPM signed
	expect 0 '' "$vldaa" link --group group.pem sig msg new.sig msg
	quietly sign member2.pem msg other.sig -pkeyopt basename:platoon-7
	expect 1 '' "$vldaa" link --group group.pem other.sig msg new.sig msg
	quietly sign member.pem msg there.sig -pkeyopt basename:there
	expect 1 '' "$vldaa" link --group group.pem there.sig msg new.sig msg
	# bytes that no text has
	quietly sign member.pem msg new.sig -pkeyopt hexbasename:00ff0a
	verified new.sig msg -pkeyopt hexbasename:00ff0a
}

a_member_signs_under_the_basename_that_it_is_told() {
	per_set basename_case
}

dgst_case() {
	quietly o dgst -sign member.pem -sigopt basename:platoon-7 -out new.sig msg
	expect 0 'Verified OK' o dgst -verify group.pem -signature new.sig msg
	expect 0 'Verified OK' o dgst -prverify member.pem -signature new.sig msg
	expect 1 'Verification failure' o dgst -verify group.pem -signature new.sig other
	refused 'VLDAA hashes the message itself' \
		o dgst -sha512 -sign member.pem -sigopt basename:platoon-7 -out new.sig msg
}

dgst_signs_and_verifies() {
	per_set dgst_case
}

form_case() {
	quietly sign member.pem msg new.sig -pkeyopt basename:platoon-7 -pkeyopt form:compact
	[ "$(size_of new.sig)" -lt 3000 ] || fail "compact: $(size_of new.sig) bytes"
	# the attestation of the TPM is another one than this signature names
	refused 'Failure' o pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile new.sig \
		-pkeyopt attestation-file:att
	quietly sign pseudonym.pem msg new.sig -pkeyopt form:compact
	quietly o pkey -in pseudonym.pem -pubout -outform DER -out public.der
	quietly sign pseudonym.pem msg whole.sig -pkeyopt form:self-contained
	verified new.sig msg -pkeyopt attestation-file:whole.sig
	if [ "$1" = bare ]; then
		quietly sign pseudonym.pem msg new.sig -pkeyopt form:bare
		[ "$(size_of new.sig)" = 2420 ] || fail "bare: $(size_of new.sig) bytes"
		verified new.sig msg -pkeyopt attestation-file:whole.sig
		verified new.sig msg -pkeyopt attestation-file:whole.sig -pkeyopt form:bare
		refused 'Failure' o pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile new.sig
	else
		refused 'not ML-DSA keys' sign pseudonym.pem msg new.sig -pkeyopt form:bare
	fi
	refused 'no such form' sign pseudonym.pem msg new.sig -pkeyopt form:square
}

a_signature_has_the_form_that_is_asked_for() {
	cd VLDAA2-44 || exit 1
	form_case bare
	cd ../VLDAA-128 || exit 1
	form_case none
}

pseudonym_case() {
	quietly sign pseudonym.pem msg new.sig
	verified new.sig msg -pkeyopt basename:platoon-7
	quietly sign pseudonym.pem msg new.sig -pkeyopt basename:platoon-7
	verified new.sig msg
	expect 0 '' "$vldaa" link --group group.pem sig msg new.sig msg
	refused 'for another basename' sign pseudonym.pem msg new.sig -pkeyopt basename:there
}

a_pseudonym_signs_under_its_basename_alone() {
	per_set pseudonym_case
}

# With a pseudonym's key one sees that its owner signed, whoever that is, and needs no group's.
public_case() {
	quietly o pkey -in pseudonym.pem -pubout -out pseudonym.pub
	for form in self-contained compact ${1:-}; do
		quietly sign pseudonym.pem msg new.sig -pkeyopt form:$form
		expect 0 'Verified OK' o dgst -verify pseudonym.pub -signature new.sig msg
		expect 0 'Verified OK' o dgst -prverify pseudonym.pem -signature new.sig msg
		expect 1 'not valid' o dgst -verify pseudonym.pub -signature new.sig other
		expect 1 'for another basename' \
			o dgst -verify pseudonym.pub -sigopt basename:there -signature new.sig msg
	done
	# another member's, and another pseudonym's of the same member
	expect 1 'names another attestation|attestation' o dgst -verify pseudonym.pub -signature car2.sig msg
	quietly sign member.pem msg new.sig -pkeyopt basename:there
	expect 1 'names another attestation|attestation' o dgst -verify pseudonym.pub -signature new.sig msg
}

a_pseudonyms_public_key_verifies_what_it_signed() {
	cd VLDAA2-44 || exit 1
	public_case bare
	cd ../VLDAA-128 || exit 1
	public_case
}

plain_case() {
	quietly o pkeyutl -sign -inkey member.pem -in other -out new.sig -pkeyopt basename:platoon-7
	verified new.sig other
}

a_short_message_is_signed_without_rawin() {
	per_set plain_case
}

large_case() {
	head -c 3000000 /dev/zero >large
	quietly sign member.pem large new.sig -pkeyopt basename:platoon-7
	verified new.sig large
	printf x >>large
	expect 1 Failure o pkeyutl -verify -rawin -pubin -inkey group.pem -in large -sigfile new.sig
	: >empty
	quietly o dgst -sign member.pem -sigopt basename:platoon-7 -out new.sig empty
	expect 0 'Verified OK' o dgst -verify group.pem -signature new.sig empty
}

messages_of_any_length_are_signed() {
	per_set large_case
}

missing_case() {
	refused 'no basename: give one .-pkeyopt basename:NAME.*openssl.cnf' sign member.pem msg new.sig
	refused 'no basename: give one' o dgst -sign member.pem -out new.sig msg
	refused '1 to 255 bytes' sign member.pem msg new.sig -pkeyopt basename:
}

a_missing_basename_is_said_with_what_to_do() {
	per_set missing_case
}

kind_case() {
	refused 'signing takes a member key or a pseudonym key; this is an issuer key' \
		sign issuer.pem msg new.sig -pkeyopt basename:platoon-7
	refused 'signing takes a member key or a pseudonym key; this is an issuer key' \
		o dgst -sign issuer.pem -sigopt basename:platoon-7 -out new.sig msg
}

a_wrong_kind_of_key_is_refused_by_name() {
	per_set kind_case
}

# configuration BASENAME: openssl.cnf with this line in the provider's section.
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
	configuration 'basename = parking'
	quietly "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig
	quietly "$openssl" pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile new.sig \
		-pkeyopt basename:parking
	# an option comes first, and verification asks for no basename that nobody gave
	quietly "$openssl" dgst -sign member.pem -sigopt basename:there -out new.sig msg
	quietly "$openssl" dgst -verify group.pem -sigopt basename:there -signature new.sig msg
	quietly "$openssl" dgst -verify group.pem -signature new.sig msg
	configuration 'basename = epoch:100000000000'
	refused 'neither 1 to 255 bytes nor epoch:SECONDS' "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg
	configuration 'basename = epoch:1000000000'
	quietly "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig
	expect 0 'epoch:1000000000:1000000000' "$vldaa" inspect new.sig
	configuration 'basename = Epoch:1000000000'
	quietly "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig
	expect 0 'epoch:1000000000:1000000000' "$vldaa" inspect new.sig
	configuration 'basename = epoch:1'
	quietly "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out first.sig
	sleep 1.1
	quietly "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out second.sig
	expect 1 '' "$vldaa" link --group group.pem first.sig msg second.sig msg
	configuration ''
	refused 'no basename' "$openssl" pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig
	unset OPENSSL_CONF
}

the_default_basename_is_what_the_configuration_says() {
	per_set default_case
}

filed_case() {
	"$vldaa" member export car1 --default-basename epoch:1000000000 -o epoch.pem >out 2>&1 || fail 'no key'
	quietly sign epoch.pem msg new.sig
	expect 0 '^basename +epoch:1000000000:1000000000$' "$vldaa" inspect new.sig
	quietly sign epoch.pem msg new.sig -pkeyopt basename:there
	verified new.sig msg -pkeyopt basename:there
	expect 0 '^Default basename: epoch:1000000000$' o pkey -in epoch.pem -text -noout
	expect 0 'member key' o pkey -in member.pem -text -noout
	grep -q Default out && fail 'a default that there is not'
	# it goes with the key through another file, and comes before the configuration's
	quietly o pkcs8 -topk8 -in epoch.pem -v2 aes-256-cbc -passout pass:x -out sealed.pem
	configuration 'basename = parking'
	quietly "$openssl" dgst -sign sealed.pem -passin pass:x -out new.sig msg
	expect 0 '^basename +epoch:1000000000:1000000000$' "$vldaa" inspect new.sig
	quietly "$openssl" dgst -sign member.pem -out new.sig msg
	expect 0 '^basename +parking$' "$vldaa" inspect new.sig
	unset OPENSSL_CONF
}

a_default_basename_goes_with_the_key() {
	per_set filed_case
}

run_scenario "$@"
