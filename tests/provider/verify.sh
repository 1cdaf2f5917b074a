#!/bin/sh
# Promises about verification with a group's key: `openssl` accepts what members signed, for the message, the basename and the
# group that they signed for, and nothing else; options that say more are obeyed.
. "$(dirname "$0")/lib.sh"

# check GROUP SIGNATURE MESSAGE OPTIONS...
check() {
	group=$1 signature=$2 message=$3
	shift 3
	o pkeyutl -verify -rawin -pubin -inkey "$group" -in "$message" -sigfile "$signature" "$@"
}

valid() {
	expect 0 'Signature Verified Successfully' check "$@"
}

# invalid GROUP SIGNATURE MESSAGE OPTIONS...
invalid() {
	expect 1 'Signature Verification Failure' check "$@"
}

plain_case() {
	valid group.pem sig msg
	valid group.pem sig msg -pkeyopt basename:platoon-7
	valid group.pem sig msg -pkeyopt hexbasename:706c61746f6f6e2d37
	valid group.pem sig msg -pkeyopt form:self-contained
	expect 0 'Verified OK' o dgst -verify group.pem -signature sig msg
	expect 0 'Verified OK' o dgst -verify group.pem -sigopt basename:platoon-7 -signature sig msg
	invalid group.pem sig other
	invalid group.pem sig msg -pkeyopt basename:platoon-8
	invalid group.pem sig msg -pkeyopt form:compact
	invalid foreign.pem sig msg
	expect 1 'Verification failure' o dgst -verify group.pem -signature sig other
	expect 1 'made for another basename' o dgst -verify group.pem -sigopt basename:x -signature sig msg
	expect 1 'other issuer|another issuer' o dgst -verify foreign.pem -signature sig msg
}

a_members_signature_is_verified() {
	per_set plain_case
}

private_case() {
	quietly o pkeyutl -verify -rawin -inkey issuer.pem -in msg -sigfile sig
	expect 1 Failure o pkeyutl -verify -rawin -inkey issuer.pem -in other -sigfile sig
	expect 0 'Verified OK' o dgst -prverify issuer.pem -signature sig msg
}

an_issuers_key_verifies_as_its_groups_does() {
	per_set private_case
}

short_case() {
	head -c 20 msg >short
	# what was signed is not the short message; but there is no need to hash it
	expect 1 'Signature Verification Failure' o pkeyutl -verify -pubin -inkey group.pem -in short -sigfile sig
	expect 0 'Signature Verified Successfully' o pkeyutl -verify -pubin -inkey group.pem -in msg -sigfile sig
}

a_short_message_is_verified_without_rawin() {
	per_set short_case
}

compact_case() {
	valid group.pem compact.sig msg -pkeyopt attestation-file:att
	valid group.pem compact.sig msg -pkeyopt attestation-file:att -pkeyopt form:compact
	# a self-contained signature brings the attestation along
	valid group.pem compact.sig msg -pkeyopt attestation-file:sig
	invalid group.pem compact.sig msg
	invalid group.pem compact.sig msg -pkeyopt attestation-file:car2.sig
	invalid group.pem compact.sig other -pkeyopt attestation-file:att
	invalid group.pem compact.sig msg -pkeyopt attestation-file:group.pem
	expect 1 'names another attestation|attestation' \
		o dgst -verify group.pem -signature compact.sig msg
	refused 'nothing: No such file' o dgst -verify group.pem -sigopt attestation-file:nothing \
		-signature compact.sig msg
	truncate -s 2M large
	refused 'large: File too large' o dgst -verify group.pem -sigopt attestation-file:large -signature compact.sig msg
	flip att 700 bad.att
	invalid group.pem compact.sig msg -pkeyopt attestation-file:bad.att
}

a_compact_signature_needs_its_attestation() {
	per_set compact_case
}

lists_case() {
	quietly "$vldaa" revoke init RA --authority ../ra.pem --fleet-key fleet.key --group group.pem
	quietly "$vldaa" revoke order RA --signature sig --soft --expires-in 30d -o order
	quietly "$vldaa" revoke list RA -o revoked.list
	expect 1 'revo' o dgst -verify group.pem -sigopt revoked-list:revoked.list -signature sig msg
	expect 0 'Verified OK' o dgst -verify group.pem -sigopt revoked-list:revoked.list -signature car2.sig msg
	# a member whose secret key became known, under whatever basename
	quietly "$leak" car2.tpm/tpm.db group.pem leaked.key
	expect 0 '1 members? had this key' "$vldaa" issuer rogue issuer leaked.key
	quietly "$vldaa" issuer export issuer --rogue-list rogue.list
	expect 1 'on the rogue list' o dgst -verify group.pem -sigopt rogue-list:rogue.list -signature car2.sig msg
	expect 0 'Verified OK' o dgst -verify group.pem -sigopt rogue-list:rogue.list -signature sig msg
	expect 1 'on the rogue list' o dgst -verify group.pem -sigopt rogue-list:rogue.list \
		-sigopt revoked-list:revoked.list -signature car2.sig msg
	refused 'another issuer.*rogue-list' \
		o dgst -verify foreign.pem -sigopt rogue-list:rogue.list -signature sig msg
	cut_to rogue.list 200 cut.list
	refused 'rogue-list' o dgst -verify group.pem -sigopt rogue-list:cut.list -signature sig msg
	# a list of another kind is no list
	refused 'rogue-list' o dgst -verify group.pem -sigopt rogue-list:revoked.list -signature sig msg
	refused 'revoked-list' o dgst -verify group.pem -sigopt revoked-list:msg -signature sig msg
	refused 'nothing: No such file' o dgst -verify group.pem -sigopt rogue-list:nothing -signature sig msg
}

lists_are_obeyed() {
	per_set lists_case
}

damage_case() {
	size=$(size_of sig)
	for at in 0 4 9 20 100 $((size / 2)) $((size - 1)); do
		flip sig "$at" bad
		invalid group.pem bad msg
	done
	for cut in 0 1 9 41 1000 $((size - 1)); do
		cut_to sig "$cut" bad
		refused 'Verification Failure|Error reading|read' check group.pem bad msg
	done
	cat sig msg >bad
	invalid group.pem bad msg
	head -c 10000000 /dev/zero >bad
	invalid group.pem bad msg
	expect 1 'another kind of object' o dgst -verify group.pem -signature bad msg
}

a_damaged_signature_is_invalid() {
	per_set damage_case
}

a_signature_of_another_set_is_invalid() {
	invalid VLDAA2-44/group.pem VLDAA-128/sig VLDAA-128/msg
	invalid VLDAA-128/group.pem VLDAA2-44/sig VLDAA2-44/msg
}

a_digest_is_refused() {
	for set in $sets; do
		refused 'VLDAA hashes the message itself' \
			o dgst -sha256 -verify "$set/group.pem" -signature "$set/sig" "$set/msg"
		refused 'VLDAA hashes the message itself' \
			o pkeyutl -verify -pubin -inkey "$set/group.pem" -in "$set/msg" -sigfile "$set/sig" \
			-pkeyopt digest:sha256
	done
}

an_unknown_option_is_refused() {
	refused 'parameter "colour:red"' check VLDAA2-44/group.pem VLDAA2-44/sig VLDAA2-44/msg -pkeyopt colour:red
	refused 'no such form' check VLDAA2-44/group.pem VLDAA2-44/sig VLDAA2-44/msg -pkeyopt form:round
	refused '1 to 255 bytes' check VLDAA2-44/group.pem VLDAA2-44/sig VLDAA2-44/msg \
		-pkeyopt "basename:$(printf '%0256d' 0)"
}

a_property_query_is_obeyed() {
	cd VLDAA2-44 || exit 1
	valid group.pem sig msg -propquery '?fips=yes'
	valid group.pem sig msg -propquery '?provider=vldaa'
	refused 'not supported|unsupported|Could not (read|find)' check group.pem sig msg -propquery 'provider=default'
}

run_scenario "$@"
