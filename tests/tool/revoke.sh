#!/bin/sh
# Promises of `vldaa revoke`: an order is obeyed by the pseudonym's owner and nobody else, for ever and
# with one confirmation; nothing but an order of this authority, in time and in its turn, is obeyed.
vldaa=$1
. "$(dirname "$0")/lib.sh"

order() {
	quietly "$vldaa" revoke order RA "$@"
}
obey() {
	expect "$1" "$2" "$vldaa" revoke obey "$3" "$4" -o confirmation
}
sign() {
	expect "$1" "$2" "$vldaa" member sign "$3" report.txt --basename "$4" -o new.sig
}

a_soft_order_ends_one_pseudonym() {
	order --signature car1.sig --message report.txt --soft -o order
	obey 0 '' car1 order
	sign 1 'revoked' car1 parking
	expect 0 '"revoked": true' "$vldaa" member show car1 --json
	[ "$(grep -c '"revoked": true' out)" = 1 ] || fail 'one pseudonym was revoked, not all'
	grep -B3 '"revoked": true' out | grep -q '"basename": "parking"' || fail 'another one was revoked'
	expect 1 'revoked' "$vldaa" member create car1 --basename parking -o new.att
	sign 0 '' car1 toll
	quietly "$vldaa" verify -g group.pem -s new.sig report.txt
	sign 0 '' car2 parking
	expect 0 'is confirmed' "$vldaa" revoke confirm RA confirmation --token car1.token
}

a_hard_order_ends_the_member() {
	order --signature car1.sig --hard --reason 7 -o order
	obey 0 '' car1 order
	cp confirmation first
	expelled='this member was expelled: its TPM can never join this group again'
	for basename in parking toll new; do
		sign 1 "$expelled" car1 $basename
	done
	expect 1 "$expelled" "$vldaa" member create car1 --basename toll --token new.token
	expect 1 "$expelled" "$vldaa" member keygen again --group group.pem --tpm car1.tpm
	[ ! -e new.sig ] && [ ! -e new.token ] && [ ! -e again/host.pem ] || fail 'an output'
	order --signature toll.sig --soft -o another
	obey 1 "$expelled" car1 another
	expect 1 '"error": "EXPELLED"' "$vldaa" revoke obey car1 another -o confirmation --json
	expect 0 'state +expelled' "$vldaa" member show car1
	[ "$(grep -c 'revoked: it never signs again' out)" = 2 ] || fail 'not two revoked pseudonyms'
	sign 0 '' car2 parking
	expect 0 'is confirmed' "$vldaa" revoke confirm RA first --token car1.token
	# the same order after the keys are gone
	obey 0 '' car1 order
	same first confirmation
}

an_order_for_another_member_changes_nothing() {
	order --signature car1.sig --soft -o order
	obey 1 "somebody else's pseudonym" car2 order
	expect 1 '"error": "NOT_MINE"' "$vldaa" revoke obey car2 order -o confirmation --json
	[ ! -e confirmation ] || fail 'car2 confirmed an order for car1'
	sign 0 '' car2 parking
	sign 0 '' car1 parking
}

the_same_order_gives_the_same_confirmation() {
	order --attestation car1.att --soft -o order
	obey 0 '' car1 order
	cp confirmation first
	obey 0 '' car1 order
	same first confirmation
	expect 0 '"obeyed": true' "$vldaa" revoke obey car1 order -o again --json
	same first again
	# the authority gives it out once more
	number=$(ls RA/orders | sed -n 's/^0*\([0-9]*\)\.order$/\1/p')
	expect 0 "order $number" "$vldaa" revoke order RA --repeat "$number" -o repeated
	same order repeated
	expect 3 'No such file' "$vldaa" revoke order RA --repeat 12345 -o repeated
}

an_expired_order_is_refused() {
	order --attestation car1.att --soft --expires-in 1s -o order
	sleep 2.1
	obey 1 "time is over" car1 order
	sign 0 '' car1 parking
	order --attestation car1.att --soft --expires-in 1h -o order
	obey 0 '' car1 order
}

an_order_is_refused_after_a_newer_one() {
	order --attestation car1.att --soft -o older
	order --attestation toll.att --soft -o newer
	obey 0 '' car1 newer
	obey 1 'not newer.*must make a new one' car1 older
	sign 0 '' car1 parking
}

an_order_of_another_authority_is_refused() {
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out forger.pem 2>/dev/null
	quietly "$vldaa" revoke init forger --authority forger.pem --fleet-key fleet.key --group group.pem
	quietly "$vldaa" revoke order forger --attestation car1.att --hard -o order
	obey 1 'did not sign the order' car1 order
	quietly "$vldaa" revoke init stranger --authority ra.pem --fleet-key foreign.fleet.key --group group.pem
	quietly "$vldaa" revoke order stranger --attestation car1.att --hard -o order
	obey 1 'do not open' car1 order
	sign 0 '' car1 parking
	# an authority cannot order against what is not of its group
	quietly "$vldaa" revoke init abroad --authority ra.pem --fleet-key fleet.key --group foreign.pem
	expect 1 "another issuer's group" "$vldaa" revoke order abroad --attestation car1.att --hard -o order
}

a_damaged_order_is_refused() {
	order --attestation car1.att --hard -o order
	size=$(size_of order)
	for at in 4 20 46 60 1000 $((size - 1)); do
		flip order "$at" flipped
		obey 1 '' car1 flipped
	done
	flip order 20 flipped
	obey 1 'no key in the group' car1 flipped
	cut_to order $((size - 1)) cut
	obey 1 'cut' car1 cut
	cp order long
	printf x >>long
	obey 1 'long' car1 long
	obey 1 'this is an attestation' car1 car1.att
	obey 1 'this is a compact signature' car1 compact.sig
	obey 1 'report.txt: this is text, not a sealed revocation order' car1 report.txt
	obey 3 'No such file' car1 missing
	sign 0 '' car1 parking
	obey 0 '' car1 order
}

only_a_valid_signature_is_ordered_against() {
	expect 1 'signature or proof is not valid' "$vldaa" revoke order RA -s car1.sig -m second.txt --soft -o order
	flip car1.att 300 flipped.att
	expect 1 'car1.sig: this is a self-contained signature, not an attestation' \
		"$vldaa" revoke order RA -a car1.sig --soft -o order
	expect 1 'flipped.att' "$vldaa" revoke order RA -a flipped.att --soft -o order
	expect 2 'name its attestation' "$vldaa" revoke order RA -s compact.sig --soft -o order
	[ ! -e order ] || fail 'an order was written'
	expect 0 'no orders' "$vldaa" revoke list RA
	order -s compact.sig -a car1.att -m report.txt --soft -o order
	obey 0 '' car1 order
}

orders_need_to_be_asked_for_properly() {
	expect 2 'soft or --hard' "$vldaa" revoke order RA -a car1.att -o order
	expect 2 'soft or --hard' "$vldaa" revoke order RA -a car1.att --soft --hard -o order
	expect 2 'missing' "$vldaa" revoke order RA --soft -o order
	expect 2 'reason' "$vldaa" revoke order RA -a car1.att --soft --reason 256 -o order
	# 30 without a unit could be meant as days
	for odd in 1y 30 d -1d 1dd; do
		expect 2 'expires-in' "$vldaa" revoke order RA -a car1.att --soft --expires-in=$odd -o order
	done
	expect 2 'message' "$vldaa" revoke order RA -a car1.att -m report.txt --soft -o order
	expect 2 'repeat' "$vldaa" revoke order RA -a car1.att --repeat 5 -o order
	for never in 0 0s 0d; do
		expect 2 'nobody obeys' "$vldaa" revoke order RA -a car1.att --soft --expires-in $never -o order
	done
	none='is not a revocation authority.s directory \(vldaa revoke init makes one\)'
	expect 3 "^vldaa: nowhere $none" "$vldaa" revoke order nowhere -a car1.att --soft -o order
	expect 3 "^vldaa: issuer $none" "$vldaa" revoke order issuer -a car1.att --soft -o order
	expect 3 "$none" "$vldaa" revoke confirm car1 order
	expect 3 "$none" "$vldaa" revoke list car1
	[ ! -e order ] || fail 'an order was written'
	order -a car1.att --soft -o order
	obey 3 'issuer is not a member.s directory' issuer order
}

a_confirmation_is_checked() {
	order --attestation car1.att --soft --reason 9 -o order
	obey 0 '' car1 order
	size=$(size_of confirmation)
	for at in 4 20 50 80 $((size / 2)) $((size - 2)); do
		flip confirmation "$at" flipped
		expect 1 '' "$vldaa" revoke confirm RA flipped
	done
	# a token that is not this pseudonym's is what is wrong, and is named
	expect 1 '^invalid: TOKEN: car2.token: .*another pseudonym' \
		"$vldaa" revoke confirm RA confirmation --token car2.token
	expect 1 '"file": "car2.token"' "$vldaa" revoke confirm RA confirmation --token car2.token --json
	flip car1.token $(($(size_of car1.token) - 2)) flipped.token
	expect 1 '^invalid: [A-Z]+: flipped.token: ' "$vldaa" revoke confirm RA confirmation --token flipped.token
	expect 1 '' "$vldaa" revoke confirm RA order
	expect 0 '^[0-9]+  soft  reason 9 +unconfirmed  until .*parking$' "$vldaa" revoke list RA
	quietly "$vldaa" revoke init another --authority ra.pem --fleet-key fleet.key --group group.pem
	expect 1 'CONFIRMATION' "$vldaa" revoke confirm another confirmation
	expect 0 '"confirmed": true' "$vldaa" revoke confirm RA confirmation --json
	expect 0 'is confirmed' "$vldaa" revoke confirm RA confirmation
	expect 0 '  confirmed  ' "$vldaa" revoke list RA
	expect 0 '^no unconfirmed orders$' "$vldaa" revoke list RA --unconfirmed
}

the_list_of_orders_is_complete() {
	order --attestation car1.att --soft -o first
	order --attestation car2.att --hard --reason 3 -o second
	expect 0 '"mode": "hard"' "$vldaa" revoke list RA --json -o revoked.list
	[ "$(grep -c '"sequence"' out)" = 2 ] || fail 'two orders are not two'
	grep -q '"reason": 3' out || fail 'no reason'
	grep -q '"basename": "parking"' out || fail 'no basename'
	expect 0 '^entries +2$' "$vldaa" inspect revoked.list
	obey 0 '' car2 second
	quietly "$vldaa" revoke confirm RA confirmation
	quietly "$vldaa" revoke list RA --unconfirmed -o revoked.list
	expect 0 '^entries +1$' "$vldaa" inspect revoked.list
}

no_number_serves_twice() {
	# eight at once
	for i in 1 2 3 4 5 6 7 8; do
		"$vldaa" revoke order RA -a car1.att --soft -o "order$i" >"number$i" 2>/dev/null &
	done
	wait
	[ "$(cat number? | sort -u | grep -c '^order [0-9]')" = 8 ] || fail 'eight orders are not eight numbers'
	# killed at any time
	for i in 1 2 3 4 5 6; do
		"$vldaa" revoke order RA -a car1.att --soft -o "killed$i" >/dev/null 2>&1 &
		sleep "0.00$i"
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
	done
	"$vldaa" revoke order RA -a car1.att --soft -o last >number 2>/dev/null
	last=$(ls RA/orders | sed -n 's/^0*\([0-9]*\)\.sealed$/\1/p' | sort -n | tail -1)
	[ "$(cat number)" = "order $last" ] || fail 'the last order has not the largest number'
	expect 0 '' "$vldaa" revoke list RA
	# whatever is out is kept
	for sealed in order? killed? last; do
		[ -e "$sealed" ] || continue
		found=0
		for kept in RA/orders/*.sealed; do
			cmp -s "$kept" "$sealed" && found=1
		done
		[ $found = 1 ] || fail "$sealed left without being kept"
	done
	# a clock that goes back
	: >RA/orders/0900000000000000000.sealed
	expect 0 '^order 900000000000000001$' "$vldaa" revoke order RA -a car1.att --soft -o order
}

a_directory_is_made_once_and_from_usable_keys() {
	expect 2 'already' "$vldaa" revoke init RA --authority ra.pem --fleet-key fleet.key --group group.pem
	expect 3 'not a private key' "$vldaa" revoke init new --authority ra.pub.pem --fleet-key fleet.key --group group.pem
	expect 3 'ra.pem: this is PEM of another kind than ours \(PRIVATE KEY\), not a fleet key' "$vldaa" revoke init new --authority ra.pem --fleet-key ra.pem --group group.pem
	expect 3 'ra.pem' "$vldaa" revoke init new --authority ra.pem --fleet-key fleet.key --group ra.pem
	[ ! -e new ] || fail 'a directory was made of unusable keys'
	# a key that comes from elsewhere
	sed -n 2p fleet.key | openssl enc -d -base64 >fleet.bytes
	[ "$(size_of fleet.bytes)" = 32 ] || fail 'the fleet key has not 32 bytes'
	od -An -tx1 fleet.bytes | tr -d ' \n' >fleet.hex
	for form in fleet.bytes fleet.hex fleet.key; do
		rm -rf new
		quietly "$vldaa" revoke init new --authority ra.pem --fleet-key $form --group group.pem
		same fleet.key new/fleet.key
	done
	[ "$(stat -c %a new new/fleet.key new/authority.pem | tr '\n' ' ')" = '700 600 600 ' ] ||
		fail 'secrets are readable by others'
}

an_encrypted_authority_key_opens_with_its_passphrase() {
	openssl pkcs8 -topk8 -in ra.pem -passout pass:secret -out locked.pem
	echo secret >pass
	echo wrong >wrong
	quietly "$vldaa" revoke init locked --authority locked.pem --fleet-key fleet.key --group group.pem \
		--passphrase-file pass
	expect 3 'wrong passphrase' "$vldaa" revoke order locked -a car1.att --soft -o order --passphrase-file wrong
	quietly env PASS=secret "$vldaa" revoke order locked -a car1.att --soft -o order --passphrase-env PASS
	obey 0 '' car1 order
}

run_scenario "$@"
