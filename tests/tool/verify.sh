#!/bin/sh
# Promises of `vldaa verify`: valid is exit status 0, refused is 1 with the reason's name, wrong usage 2, no
# verdict 3; with nothing but the group's public key.
vldaa=$1
. "$(dirname "$0")/lib.sh"

verify() {
	expect "$1" "$2" "$vldaa" verify --group group.pem --signature "$3" "$4"
}

a_members_signature_is_valid() {
	verify 0 '^valid: ' car1.sig report.txt
	verify 0 '^valid: ' car2.sig report.txt
	verify 0 '^basename +parking$' car1.sig report.txt
	if is_forgeable; then
		verify 0 '^vldaa: VLDAA-42 signatures are forgeable by anybody \(vldaa-params check VLDAA-42\)$' \
			car1.sig report.txt
		bits=0
	else
		verify 0 "^valid: made by a member of this $default_set group\$" car1.sig report.txt
		grep -q forgeable out && fail 'a warning about a sound set'
		bits=120
	fi
	# as a stream, in JSON
	expect 0 '"valid": true' sh -c \
		"cat report.txt | '$vldaa' verify -g group.pem -s car1.sig --json --basename parking -"
	grep -Eq "\"set\": \"$(set_of_world)\"" out || fail 'no set'
	grep -Eq "\"signature_bits\": $bits" out || fail 'no security bits'
	grep -Eq '"key_id": "[0-9a-f]{64}"' out || fail 'no key id'
	grep -Eq '"basename": "parking"' out || fail 'no basename'
	grep -Eq '"nym_sha256": "[0-9a-f]{64}"' out || fail 'no pseudonym'
	grep -Eq '"attestation": "[0-9a-f]{64}"' out || fail 'no attestation digest'
	quietly "$vldaa" verify -g group.pem -s car1.sig --json --basename-hex 7061726b696e67 report.txt
}

another_message_is_invalid() {
	verify 1 '^invalid: PROOF: car1.sig: ' car1.sig second.txt
	printf . >>report.txt
	verify 1 '^invalid: PROOF' car1.sig report.txt
	: >empty
	verify 1 '^invalid: PROOF' car1.sig empty
	expect 1 '"error": "PROOF"' "$vldaa" verify -g group.pem -s car1.sig --json second.txt
	grep -q '"valid": false' out || fail 'JSON does not say that it is invalid'
}

a_flipped_byte_is_invalid() {
	size=$(size_of car1.sig)
	for at in 0 4 5 9 20 60 100 $((size / 4)) $((size / 2)) $((size - 500)) $((size - 60)) $((size - 2)); do
		flip car1.sig "$at" flipped.sig
		verify 1 '^invalid: ' flipped.sig report.txt
	done
}

a_truncated_or_extended_signature_is_invalid() {
	size=$(size_of car1.sig)
	for len in 0 3 9 10 41 $((size / 2)) $((size - 1)); do
		cut_to car1.sig "$len" cut.sig
		verify 1 '^invalid: ' cut.sig report.txt
	done
	cp car1.sig long.sig
	printf x >>long.sig
	verify 1 '^invalid: ' long.sig report.txt
	for _ in 1 2 3; do
		cat car1.sig car1.sig car1.sig >long.sig
		cp long.sig car1.sig
	done
	verify 1 '^invalid: FILE_TOO_LARGE' long.sig report.txt
}

what_is_no_signature_is_told_what_it_is() {
	verify 1 '^invalid: KIND: car1.att: this is an attestation, not a signature$' car1.att report.txt
	verify 1 '^invalid: KIND: report.txt: this is text, not a signature$' report.txt report.txt
	expect 1 '^invalid: KIND: car1.sig: this is a self-contained signature, not an attestation$' \
		"$vldaa" verify -g group.pem -a car1.sig
	expect 1 '^invalid: KIND: group.pem: this is a group public key, not an attestation$' \
		"$vldaa" verify -g group.pem -s compact.sig -a group.pem report.txt
	expect 1 '"text": "this is an attestation, not a signature"' \
		"$vldaa" verify -g group.pem --json -s car1.att report.txt
}

another_groups_key_refuses() {
	expect 1 '^invalid: WRONG_ISSUER: .*vldaa inspect tells which' "$vldaa" verify --group foreign.pem -s car1.sig report.txt
	expect 1 '^invalid: WRONG_SET: car1.sig: it belongs to parameter set [A-Z0-9-]+, and the group to [A-Z0-9-]+$' \
		"$vldaa" verify --group other-set.pem -s car1.sig report.txt
	expect 1 '^invalid: WRONG_ISSUER' "$vldaa" verify --group foreign.pem -a car1.att
	expect 1 '^invalid: WRONG_ISSUER' "$vldaa" verify --group foreign.pem -a car1.att -s compact.sig report.txt
}

another_basename_is_refused() {
	expect 1 '^invalid: WRONG_BASENAME' "$vldaa" verify -g group.pem -s car1.sig --basename toll report.txt
	expect 1 '^invalid: WRONG_BASENAME' "$vldaa" verify -g group.pem -s car1.sig --basename parkin report.txt
	expect 1 '^invalid: WRONG_BASENAME' "$vldaa" verify -g group.pem -a car1.att --basename toll
	expect 1 '^invalid: WRONG_BASENAME' "$vldaa" verify -g group.pem -a car1.att -s compact.sig \
		--basename toll report.txt
	expect 0 '^valid' "$vldaa" verify -g group.pem -a toll.att --basename toll
}

a_compact_signature_needs_its_attestation() {
	expect 0 '^valid' "$vldaa" verify -g group.pem -s compact.sig -a car1.att report.txt
	expect 1 '^invalid: PROOF: compact.sig' "$vldaa" verify -g group.pem -s compact.sig -a car1.att second.txt
	verify 2 'name its attestation' compact.sig report.txt
	for other in car2.att toll.att; do
		expect 1 '^invalid: ATTESTATION: compact.sig' "$vldaa" verify -g group.pem -s compact.sig \
			-a $other report.txt
	done
	flip car1.att 400 flipped.att
	expect 1 '^invalid: ' "$vldaa" verify -g group.pem -s compact.sig -a flipped.att report.txt
	# an eighth of what carries the attestation, at most
	[ "$(size_of compact.sig)" -lt $(($(size_of car1.sig) / 8)) ] || fail 'a compact signature is not compact'
}

a_bare_signature_needs_its_attestation() {
	sign="$vldaa member sign car1 report.txt --basename parking --bare -o bare.sig"
	if is_forgeable; then
		expect 2 'VLDAA-42: pseudonyms of this parameter set are not ML-DSA keys' $sign
		[ ! -e bare.sig ] || fail 'a bare signature'
		return
	fi
	quietly $sign
	[ "$(size_of bare.sig)" = 2420 ] || fail "$(size_of bare.sig) bytes, not those of ML-DSA-44"
	expect 0 '^valid: ' "$vldaa" verify -g group.pem -s bare.sig -a car1.att report.txt
	expect 0 '"valid": true' sh -c \
		"cat report.txt | '$vldaa' verify -g group.pem -s bare.sig -a car1.att --json --basename parking -"
	verify 2 'bare.sig: a bare signature: name its attestation with --attestation' bare.sig report.txt
	expect 1 '^invalid: PROOF: bare.sig' "$vldaa" verify -g group.pem -s bare.sig -a car1.att second.txt
	for other in car2.att toll.att; do
		expect 1 '^invalid: PROOF: bare.sig' "$vldaa" verify -g group.pem -s bare.sig -a $other report.txt
	done
	expect 1 '^invalid: WRONG_BASENAME' "$vldaa" verify -g group.pem -s bare.sig -a car1.att \
		--basename toll report.txt
	expect 1 '^invalid: WRONG_ISSUER: car1.att' "$vldaa" verify -g foreign.pem -s bare.sig -a car1.att report.txt
	flip car1.att 5000 flipped.att
	expect 1 '^invalid: [A-Z]*: flipped.att' "$vldaa" verify -g group.pem -s bare.sig -a flipped.att report.txt
	for at in 0 31 32 1000 2300 2419; do
		flip bare.sig $at flipped.sig
		expect 1 '^invalid: ' "$vldaa" verify -g group.pem -s flipped.sig -a car1.att report.txt
	done
	# its length is what it is told by
	cut_to bare.sig 2419 cut.sig
	expect 1 '^invalid: KIND: cut.sig' "$vldaa" verify -g group.pem -s cut.sig -a car1.att report.txt
	cp bare.sig long.sig
	printf x >>long.sig
	expect 1 '^invalid: KIND: long.sig' "$vldaa" verify -g group.pem -s long.sig -a car1.att report.txt
	expect 2 "one too many" $sign --compact
	# and it links as every other form does
	expect 0 '^linked' "$vldaa" link -g group.pem -a car1.att bare.sig report.txt car1.sig report.txt
	expect 2 'name its attestation alone' "$vldaa" link -g group.pem -a car1.att -a toll.att bare.sig report.txt \
		car1.sig report.txt
	quietly "$vldaa" revoke order RA -s bare.sig -a car1.att -m report.txt --soft -o order
	quietly "$vldaa" revoke list RA --unconfirmed -o revoked.list
	expect 1 '^invalid: REVOKED' "$vldaa" verify -g group.pem -s bare.sig -a car1.att \
		--revoked-list revoked.list report.txt
}

a_pseudonyms_public_key_is_written_for_other_programs() {
	create="$vldaa member create car1 --basename parking --mldsa-key mine.pem"
	verify="$vldaa verify -g group.pem -a car1.att --mldsa-key verified.pem"
	if is_forgeable; then
		expect 2 'pseudonyms of this parameter set are not ML-DSA keys' $create
		expect 2 'pseudonyms of this parameter set are not ML-DSA keys' $verify
		[ ! -e mine.pem ] && [ ! -e verified.pem ] || fail 'a key'
		return
	fi
	quietly $create
	expect 0 '^valid' $verify
	same mine.pem verified.pem
	openssl asn1parse -in mine.pem | grep -Eq 'OBJECT +:(2.16.840.1.101.3.4.3.17|ML-DSA-44)$' || fail 'no ML-DSA-44'
	# another member's is another key; what does not verify gives none
	quietly "$vldaa" verify -g group.pem -a car2.att --mldsa-key other.pem
	cmp -s mine.pem other.pem && fail 'one key for two members'
	flip car1.att 5000 flipped.att
	expect 1 '^invalid' "$vldaa" verify -g group.pem -a flipped.att --mldsa-key bad.pem
	expect 1 '^invalid' "$vldaa" verify -g group.pem -s car1.sig --mldsa-key bad.pem second.txt
	[ ! -e bad.pem ] || fail 'a key of what does not verify'
	expect 2 'car1.att' "$vldaa" verify -g group.pem -a car1.att --mldsa-key car1.att
}

an_attestation_is_verified_alone() {
	expect 0 '^valid' "$vldaa" verify -g group.pem --attestation car1.att
	expect 0 '^valid' sh -c "'$vldaa' verify -g group.pem --attestation - <car1.att"
	size=$(size_of car1.att)
	for at in 4 50 60 300 $((size / 2)) $((size - 30)); do
		flip car1.att "$at" flipped.att
		expect 1 '^invalid: ' "$vldaa" verify -g group.pem --attestation flipped.att
	done
	cut_to car1.att $((size - 1)) cut.att
	expect 1 '^invalid: ' "$vldaa" verify -g group.pem --attestation cut.att
	# what is no attestation
	expect 1 '^invalid: KIND' "$vldaa" verify -g group.pem --attestation car1.token
	expect 1 '^invalid: ' "$vldaa" verify -g group.pem --attestation report.txt
	expect 1 '^invalid: KIND' "$vldaa" verify -g group.pem --signature car1.att report.txt
}

a_leaked_key_is_refused_by_the_rogue_list() {
	quietly "$vldaa" issuer export issuer --rogue-list empty.list
	expect 0 '^valid' "$vldaa" verify -g group.pem -s car1.sig --rogue-list empty.list report.txt
	"$leak" car1.tpm/tpm.db group.pem found.key || fail "no key in car1's TPM"
	quietly "$vldaa" issuer rogue issuer found.key
	quietly "$vldaa" issuer export issuer --rogue-list rogue.list
	expect 1 '^invalid: ROGUE' "$vldaa" verify -g group.pem -s car1.sig --rogue-list rogue.list report.txt
	expect 1 '^invalid: ROGUE' "$vldaa" verify -g group.pem -s toll.sig --rogue-list empty.list \
		--rogue-list rogue.list report.txt
	expect 1 '^invalid: ROGUE' "$vldaa" verify -g group.pem -a car1.att --rogue-list rogue.list
	expect 0 '^valid' "$vldaa" verify -g group.pem -s car2.sig --rogue-list rogue.list report.txt
}

a_revoked_pseudonym_is_refused_until_it_is_confirmed() {
	quietly "$vldaa" revoke order RA --attestation car1.att --soft -o order
	quietly "$vldaa" revoke list RA --unconfirmed -o revoked.list
	for target in '-s car1.sig report.txt' '-s second.sig second.txt' '-a car1.att'; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 '^invalid: REVOKED' "$vldaa" verify -g group.pem --revoked-list revoked.list $target
	done
	expect 0 '^valid' "$vldaa" verify -g group.pem --revoked-list revoked.list -s car2.sig report.txt
	expect 0 '^valid' "$vldaa" verify -g group.pem --revoked-list revoked.list -s toll.sig report.txt
	quietly "$vldaa" revoke obey car1 order -o confirmation
	quietly "$vldaa" revoke confirm RA confirmation
	quietly "$vldaa" revoke list RA --unconfirmed -o revoked.list
	expect 0 '^valid' "$vldaa" verify -g group.pem --revoked-list revoked.list -s car1.sig report.txt
}

without_its_lists_there_is_no_verdict() {
	quietly "$vldaa" issuer export issuer --rogue-list rogue.list
	quietly "$vldaa" issuer export foreign --rogue-list foreign.list
	expect 3 'No such file' "$vldaa" verify -g group.pem -s car1.sig --rogue-list missing report.txt
	expect 3 "another issuer's group" "$vldaa" verify -g group.pem -s car1.sig --rogue-list foreign.list report.txt
	expect 3 'this is a rogue list' "$vldaa" verify -g group.pem -s car1.sig --revoked-list rogue.list report.txt
	cut_to rogue.list 44 cut.list
	expect 3 'cut.list' "$vldaa" verify -g group.pem -s car1.sig --rogue-list cut.list report.txt
}

what_cannot_be_read_is_no_verdict() {
	verify 3 'missing: No such file' car1.sig missing
	verify 3 'missing.sig: No such file' missing.sig report.txt
	verify 3 '\.: Is a directory: a file is needed' car1.sig .
	expect 3 'missing.pem: No such file' "$vldaa" verify -g missing.pem -s car1.sig report.txt
	expect 3 'report.txt: this is text, not a group PUBLIC key' "$vldaa" verify -g report.txt -s car1.sig report.txt
	expect 3 'ra.pub.pem: this is PEM of another kind .*, not a group PUBLIC key' \
		"$vldaa" verify -g ra.pub.pem -s car1.sig report.txt
	expect 3 'fleet.key: this is a fleet key, not a group PUBLIC key' \
		"$vldaa" verify -g issuer/fleet.key -s car1.sig report.txt
	if ! is_forgeable; then
		quietly "$vldaa" verify -g group.pem -a car1.att --mldsa-key mldsa.pem
		expect 3 'mldsa.pem: this is an ML-DSA public key, not a group PUBLIC key' \
			"$vldaa" verify -g mldsa.pem -s car1.sig report.txt
	fi
	: >empty
	verify 1 '^invalid: TRUNCATED: empty: this is an empty file, not a signature' empty report.txt
	expect 3 'issuer.pem: this is an issuer private key, not a group PUBLIC key \(vldaa issuer export' \
		"$vldaa" verify -g issuer/issuer.pem -s car1.sig report.txt
	printf 'x\n' >pass
	quietly "$vldaa" issuer init new --set VLDAA-42 --revocation-key ra.pub.pem --manufacturer-roots roots.pem \
		--passphrase-file pass
	expect 3 'issuer.pem: this is an encrypted private key in PEM, not a group PUBLIC key' \
		"$vldaa" verify -g new/issuer.pem -s car1.sig report.txt
	expect 3 'car1.att: this is an attestation, not a group PUBLIC key' \
		"$vldaa" verify -g car1.att -s car1.sig report.txt
	if [ -w /dev/full ]; then
		"$vldaa" verify -g group.pem -s car1.sig report.txt >/dev/full 2>/dev/null
		status=$?
		[ "$status" = 3 ] || fail "an answer that was not written: status $status, not 3"
	fi
}

wrong_usage_is_told_from_an_invalid_signature() {
	expect 2 '--group GROUP is missing' "$vldaa" verify -s car1.sig report.txt
	expect 2 'is missing' "$vldaa" verify -g group.pem report.txt
	expect 2 'FILE' "$vldaa" verify -g group.pem -s car1.sig
	expect 2 'is of no FILE' "$vldaa" verify -g group.pem -a car1.att report.txt
	expect 2 'too many' "$vldaa" verify -g group.pem -s car1.sig report.txt second.txt
	expect 2 'basename' "$vldaa" verify -g group.pem -s car1.sig --basename '' report.txt
	expect 2 'basename' "$vldaa" verify -g group.pem -s car1.sig --basename "$(printf '%0256d' 1)" report.txt
	expect 2 'hexadecimal' "$vldaa" verify -g group.pem -s car1.sig --basename-hex 0 report.txt
	expect 2 'one too many' "$vldaa" verify -g group.pem -s car1.sig --basename-hex 00 --basename x report.txt
	expect 2 'standard input' "$vldaa" verify -g group.pem -s - -
	expect 0 'usage: vldaa verify' "$vldaa" verify --help
}

leak=${4:-}
run_scenario "$@"
