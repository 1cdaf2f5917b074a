#!/bin/sh
# Promises about keys: `openssl` generates, prints, checks, converts, encrypts and compares them as it does its own, and
# says what is wrong with those that it refuses.
. "$(dirname "$0")/lib.sh"

an_issuer_key_is_generated_printed_and_checked() {
	for set in $sets; do
		quietly o genpkey -algorithm "$set" -out new.pem
		expect 0 "^$set issuer key" o pkey -in new.pem -text -noout
		expect 0 '^Key is valid' o pkey -in new.pem -noout -check
		quietly o pkey -in new.pem -pubout -out new.pub
		expect 0 "^$set group key" o pkey -pubin -in new.pub -text -noout -pubcheck
		expect 0 '^Key is valid' o pkey -pubin -in new.pub -noout -pubcheck
		# two groups, not one
		cmp -s new.pub "$set/group.pem" && fail "$set: the same group again"
	done
}

a_member_and_a_pseudonym_are_printed_and_checked() {
	for set in $sets; do
		expect 0 "^$set member key" o pkey -in "$set/member.pem" -text -noout -check
		expect 0 '^Key is valid' o pkey -in "$set/member.pem" -noout -check
		expect 0 "^$set pseudonym key" o pkey -in "$set/pseudonym.pem" -text -noout -check
		grep -q 'Basename: *platoon-7' out || fail "no basename in $(cat out)"
		# the public half of a member is its group's, of a pseudonym its attestation
		quietly o pkey -in "$set/member.pem" -pubout -out member.pub
		same member.pub "$set/group.pem"
		quietly o pkey -in "$set/issuer.pem" -pubout -out issuer.pub
		same issuer.pub "$set/group.pem"
		quietly o pkey -in "$set/pseudonym.pem" -pubout -out pseudonym.pub
		expect 0 "^$set pseudonym key" o pkey -pubin -in pseudonym.pub -text -noout -pubcheck
	done
}

the_issuers_authority_can_be_chosen() {
	quietly o genpkey -algorithm VLDAA2-44 -pkeyopt authority:ED448 -out issuer.pem
	expect 0 'Key is valid' o pkey -in issuer.pem -noout -check
	"$openssl" ecparam -name prime256v1 -genkey -noout -out authority.pem
	quietly o genpkey -algorithm VLDAA2-44 -pkeyopt authority-file:authority.pem -out issuer.pem
	refused 'authority.s key cannot be had.*nothing.pem' \
		o genpkey -algorithm VLDAA2-44 -pkeyopt authority-file:nothing.pem
	# no such algorithm; one for key exchange; one whose new keys are issuers'
	for algorithm in NOTHING X25519 VLDAA2-44; do
		refused "authority.s key cannot be had.*$algorithm" \
			o genpkey -algorithm VLDAA2-44 -pkeyopt "authority:$algorithm" -out no.pem
	done
}

a_property_query_goes_on_to_what_is_fetched_for_the_key() {
	"$openssl" genpkey -algorithm ED448 -out authority.pem
	for set in $sets; do
		for query in '?fips=yes' 'provider=default' '?provider=nonesuch'; do
			quietly o genpkey -algorithm "$set" -pkeyopt "properties:$query" -out new.pem
			quietly o genpkey -algorithm "$set" -pkeyopt authority-file:authority.pem \
				-pkeyopt "properties:$query" -out new.pem
		done
		expect 0 'Key is valid' o pkey -in new.pem -noout -check
		refused "authority.s key cannot be had.*ED25519, with the properties provider=nonesuch" \
			o genpkey -algorithm "$set" -pkeyopt properties:provider=nonesuch -out no.pem
		refused "authority.s key cannot be had.*authority.pem, with the properties provider=nonesuch" \
			o genpkey -algorithm "$set" -pkeyopt authority-file:authority.pem \
			-pkeyopt properties:provider=nonesuch -out no.pem
		# whose key it is, a query of the command itself says
		quietly o genpkey -algorithm "$set" -propquery '?fips=yes' -out new.pem
		refused '.' o genpkey -algorithm "$set" -propquery provider=nonesuch -out no.pem
		[ ! -s no.pem ] || fail 'a key'
	done
}

a_missing_issuer_library_is_named() {
	modules=$modules_without_issuer
	refused 'libvldaa-issuer.*cannot be loaded.*libvldaa-absent' o genpkey -algorithm VLDAA2-44 -out no.pem
	# what needs no equation solved needs no library
	quietly o genpkey -algorithm VLDAA-128 -out issuer.pem
	quietly o pkey -in VLDAA2-44/issuer.pem -noout -check
}

keys_go_through_every_kind_of_file() {
	for set in $sets; do
		for pem in "$set/issuer.pem" "$set/member.pem" "$set/pseudonym.pem"; do
			quietly o pkey -in "$pem" -outform DER -out key.der
			quietly o pkey -in key.der -inform DER -out back.pem
			same "$pem" back.pem
			quietly o pkcs8 -topk8 -in "$pem" -out sealed.pem -v2 aes-256-cbc -passout pass:secret
			grep -q 'BEGIN ENCRYPTED PRIVATE KEY' sealed.pem || fail 'not encrypted'
			quietly o pkcs8 -in sealed.pem -passin pass:secret -out back.pem
			same "$pem" back.pem
			quietly o pkey -in "$pem" -aes-128-cbc -passout pass:secret -out sealed.pem
			quietly o pkey -in sealed.pem -passin pass:secret -out back.pem
			same "$pem" back.pem
			grep -q 'BEGIN ENCRYPTED PRIVATE KEY' sealed.pem || fail 'not encrypted'
			quietly o pkcs8 -topk8 -in "$pem" -outform DER -out sealed.der -passout pass:secret
			quietly o pkey -in sealed.der -inform DER -passin pass:secret -out back.pem
			same "$pem" back.pem
			refused 'Could not (read|find)' o pkey -in sealed.pem -passin pass:wrong -noout
			expect 0 '^Total found: 1' o storeutl -keys "$pem"
		done
		quietly o pkey -in "$set/pseudonym.pem" -pubout -out pseudonym.pub
		for pem in "$set/group.pem" pseudonym.pub; do
			quietly o pkey -pubin -in "$pem" -outform DER -out key.der
			quietly o pkey -pubin -in key.der -inform DER -out back.pem
			same "$pem" back.pem
			expect 0 '^Total found: 1' o storeutl -noout "$pem"
		done
	done
}

# The issuer's key from openssl is what `vldaa issuer` founds a group with, and what it writes is what openssl reads.
an_issuer_is_founded_with_a_key_of_openssl() {
	for set in $sets; do
		quietly o genpkey -algorithm "$set" -out new.pem
		quietly o pkey -in new.pem -pubout -out new.pub
		expect 0 "^set  *$set\$" "$vldaa" issuer init "$set.issuer" --issuer-key new.pem \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		same new.pub "$set.issuer/group.pem"
		same new.pem "$set.issuer/issuer.pem"
		quietly "$vldaa" tpm init "$set.tpm" --endorsement-key car1.key --endorsement-certificate car1.crt
		quietly "$vldaa" member keygen "$set.car" --group new.pub --tpm "$set.tpm"
		quietly "$vldaa" issuer nonce "$set.issuer" -o nonce
		quietly "$vldaa" member request "$set.car" nonce -o request
		quietly "$vldaa" issuer issue "$set.issuer" request -o answer
		quietly "$vldaa" member finish "$set.car" answer
		quietly "$vldaa" member export "$set.car" -o "$set.member"
		quietly o pkey -in "$set.member" -noout -check
		expect 2 'is of .*, and --set says VLDAA-42' "$vldaa" issuer init no --issuer-key new.pem --set VLDAA-42 \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		expect 2 'authority goes with a new key' "$vldaa" issuer init no --issuer-key new.pem --authority ra.pem \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		damaged new.pem 500
		expect 3 'bad.der: ' "$vldaa" issuer init no --issuer-key bad.der \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		expect 3 'new.pub: ' "$vldaa" issuer init no --issuer-key new.pub \
			--revocation-key ra.pub.pem --manufacturer-roots roots.pem
		[ ! -e no ] || fail 'an issuer of what was refused'
	done
	# encrypted in openssl, and then in the issuer's directory
	quietly o pkey -in new.pem -aes-256-cbc -passout pass:secret -out sealed.pem
	echo secret >passphrase
	quietly "$vldaa" issuer init sealed --issuer-key sealed.pem --passphrase-file passphrase \
		--revocation-key ra.pub.pem --manufacturer-roots roots.pem
	grep -q 'BEGIN ENCRYPTED' sealed/issuer.pem || fail 'not encrypted'
	quietly o pkey -in sealed/issuer.pem -passin pass:secret -noout -check
}

nothing_secret_is_printed() {
	for set in $sets; do
		for key in issuer member pseudonym; do
			quietly o pkey -in "$set/$key.pem" -text -noout
			[ "$(size_of out)" -lt 2000 ] || fail "too much is printed: $(size_of out) bytes"
		done
	done
}

# damaged FILE AT: the key's DER with a bit changed.
damaged() {
	quietly o pkey -in "$1" -outform DER -out key.der
	flip key.der $(($(size_of key.der) - $2)) bad.der
}

a_damaged_key_is_read_and_found_wrong() {
	# far enough from the end to be in the trapdoor, not in the authority's key
	damaged VLDAA2-44/issuer.pem 500
	expect 1 'Key is invalid' o pkey -in bad.der -inform DER -noout -check
	grep -q 'vldaa:.*:' out || fail "no reason: $(cat out)"
	damaged VLDAA-128/issuer.pem 200
	expect 1 'Key is invalid' o pkey -in bad.der -inform DER -noout -check
	grep -q 'vldaa:.*:' out || fail "no reason: $(cat out)"
}

a_damaged_member_is_read_and_found_wrong() {
	for set in $sets; do
		quietly o pkey -in "$set/member.pem" -outform DER -out key.der
		quietly o pkey -pubin -in "$set/group.pem" -outform DER -out group.der
		group=$(size_of group.der)
		# behind the group's key comes the member's secret: 384 or 551 bytes and more
		for at in 100 200 300; do
			flip key.der $((group + at)) bad.der
			expect 1 'Key is invalid' o pkey -in bad.der -inform DER -noout -check
			grep -q 'vldaa:.*:' out || fail "$at: no reason: $(cat out)"
			refused 'vldaa:' o pkeyutl -sign -rawin -inkey bad.der -keyform DER -in "$set/msg" -out sig \
				-pkeyopt basename:platoon-7
		done
		damaged "$set/pseudonym.pem" 300
		expect 1 'Key is invalid' o pkey -in bad.der -inform DER -noout -check
		grep -q 'vldaa:.*:' out || fail "no reason: $(cat out)"
	done
}

a_key_whose_frame_is_damaged_is_not_read() {
	for set in $sets; do
		quietly o pkey -pubin -in "$set/group.pem" -outform DER -out key.der
		cut_to key.der $(($(size_of key.der) - 1)) bad.der
		refused 'Could not (read|find)' o pkey -pubin -in bad.der -inform DER -noout
		# the set in the object, which is behind the 40 bytes of the frame
		flip key.der 44 bad.der
		refused 'Could not (read|find)' o pkey -pubin -in bad.der -inform DER -noout
	done
}

what_is_no_key_is_refused() {
	: >empty
	head -c 10000000 /dev/urandom >garbage
	printf '0\202\377\377' | cat - garbage >garbage.der
	for file in empty garbage garbage.der; do
		for form in PEM DER; do
			refused 'Could not (read|find)' o pkey -in $file -inform $form -noout
			refused 'Could not (read|find)' o pkey -pubin -in $file -inform $form -noout
		done
	done
}

a_private_key_is_not_made_from_a_public_one() {
	refused 'Could not (read|find)' o pkey -in VLDAA2-44/group.pem -noout
	refused 'Could not (read|find)' o pkcs8 -topk8 -nocrypt -in VLDAA2-44/group.pem
}

other_keys_are_read_as_before() {
	quietly "$openssl" genpkey -algorithm ED25519 -out ed.pem
	quietly o pkey -in ed.pem -noout -check
	quietly "$openssl" req -x509 -key ed.pem -subj /CN=someone -out ed.crt
	quietly o x509 -in ed.crt -noout -text
	expect 0 '^Total found: 1' o storeutl -noout ed.crt
}

every_set_is_listed() {
	expect 0 'VLDAA2-44' o list -signature-algorithms -key-managers
	for set in VLDAA2-44 VLDAA2-87 VLDAA-128 VLDAA-256 VLDAA-42; do
		[ "$(grep -c -e " $set }" out)" = 2 ] || fail "$set is not a key manager and a signature algorithm"
	done
	refused 'vldaa' "$openssl" list -provider-path . -provider vldaa -key-managers
}

run_scenario "$@"
