#!/bin/sh
# Promises: what a member signs in the bare form, OpenSSL 3.5 verifies with its own ML-DSA, by the public key that
# the command writes, without anything of this project on its side; what OpenSSL signs, our ML-DSA verifies; the two
# make the same keys and signatures of the same seed.
# usage: mldsa.sh FOLDER VLDAA MLDSA_TOOL    FOLDER: Debian 13, see folder
vldaa=$2
tool=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tool/lib.sh"
folder=$(cd "$1" && pwd)
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo

# The other side's openssl, in the directory that both sides see.
theirs() {
	$sudo chroot "$folder" env -C "/tmp/${shared##*/}" openssl "$@"
}

says() {
	echo "$*"
}

# accepted SIGNATURE MESSAGE; refused SIGNATURE MESSAGE [KEY]: by OpenSSL, with the member's key.
accepted() {
	expect 0 '^Signature Verified Successfully$' theirs pkeyutl -verify -rawin -pubin -inkey pseudonym.pem -in "$2" \
		-sigfile "$1"
}

refused() {
	expect 1 'Signature Verification Failure|rror' theirs pkeyutl -verify -rawin -pubin -inkey "${3:-pseudonym.pem}" \
		-in "$2" -sigfile "$1"
	grep -q Successfully out && fail "$1 verifies"
}

openssl_verifies_what_members_of_a_set_sign() {
	"$here/../tool/world.sh" "$vldaa" "$shared/world" "$1" >world.out 2>&1 || {
		fail "no world: $(cat world.out)"
		return
	}
	mldsa=ML-DSA-${1##*-}
	(cd world && "$vldaa" member create car1 --basename parking --mldsa-key ../pseudonym.pem) || fail 'no key'
	quietly "$vldaa" verify -g world/group.pem -a world/car2.att --mldsa-key other.pem
	expect 0 "$mldsa Public-Key" theirs pkey -pubin -in pseudonym.pem -text -noout
	# pkeyutl takes no empty file
	printf x >short
	head -c 5000000 /dev/zero >large
	printf 'the brakes of the lorry in front are hot\n' >message
	for message in message short large; do
		(cd world && "$vldaa" member sign car1 ../$message --basename parking --bare -o ../$message.sig) ||
			fail "$message is not signed"
		accepted $message.sig $message
		quietly "$tool" verify pseudonym.pem $message '' $message.sig
	done
	# and it does not verify what it should not
	refused message.sig short
	refused message.sig message other.pem
	for at in 0 40 1000 2400; do
		flip message.sig $at flipped.sig
		refused flipped.sig message
	done
	cut_to message.sig 2419 cut.sig
	refused cut.sig message
	expect 1 'Failure' theirs pkeyutl -verify -rawin -pubin -inkey pseudonym.pem -in message -sigfile message.sig \
		-pkeyopt context-string:other
	# the key as OpenSSL writes it, in DER and in PEM
	quietly theirs pkey -pubin -in pseudonym.pem -pubout -outform DER -out again.der
	expect 0 "^kind +$mldsa public key" "$vldaa" inspect again.der
	quietly theirs pkey -pubin -inform DER -in again.der -pubout -out again.pem
	same pseudonym.pem again.pem
}

we_verify_what_openssl_signs() {
	quietly theirs genpkey -algorithm "ML-DSA-$1" -out key.pem
	quietly theirs pkey -in key.pem -pubout -out key.pub.pem
	quietly theirs genpkey -algorithm "ML-DSA-$1" -out other.key.pem
	quietly theirs pkey -in other.key.pem -pubout -out other.pub.pem
	printf 'all is well\n' >message
	for context in '' 'a context'; do
		quietly theirs pkeyutl -sign -rawin -inkey key.pem -in message -out message.sig \
			-pkeyopt "context-string:$context"
		expect 0 '^valid$' "$tool" verify key.pub.pem message "$context" message.sig
		expect 1 '^invalid$' "$tool" verify key.pub.pem message 'another' message.sig
		expect 1 '^invalid$' "$tool" verify key.pub.pem key.pem "$context" message.sig
		expect 1 '^invalid$' "$tool" verify other.pub.pem message "$context" message.sig
		for at in 0 40 1000 2400; do
			flip message.sig $at flipped.sig
			expect 1 '^invalid$' "$tool" verify key.pub.pem message "$context" flipped.sig
		done
	done
}

both_make_the_same_of_a_seed() {
	printf 'all is well\n' >message
	for seed in 0000000000000000000000000000000000000000000000000000000000000000 \
		0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210; do
		quietly theirs genpkey -algorithm "ML-DSA-$1" -pkeyopt hexseed:$seed -out key.pem
		quietly theirs pkey -in key.pem -pubout -out theirs.pem
		quietly "$tool" key "$1" $seed ours.pem
		same ours.pem theirs.pem
		quietly theirs pkeyutl -sign -rawin -inkey key.pem -in message -out theirs.sig -pkeyopt deterministic:1
		quietly "$tool" sign "$1" $seed message '' ours.sig
		same ours.sig theirs.sig
	done
}

# Each in a directory of its own.
run() {
	shared=$(mktemp -d "$folder/tmp/vldaa.XXXXXX") || exit 1
	before=$failures
	cd "$shared" || exit 1
	"$@"
	cd / || exit 1
	$sudo rm -rf "$shared"
	[ "$failures" = "$before" ] && says "passed: $*"
}

trap '$sudo rm -rf "${shared:-/nonexistent}"' EXIT
theirs_version=$($sudo chroot "$folder" openssl version)
says "$theirs_version"
case $theirs_version in
"OpenSSL 3.5."* | "OpenSSL 3.6."* | "OpenSSL 4."*) ;;
*)
	says "FAILED: $folder has no OpenSSL with ML-DSA"
	exit 1
	;;
esac
for set in VLDAA2-44 VLDAA2-87; do
	run openssl_verifies_what_members_of_a_set_sign $set
done
for set in 44 87; do
	run we_verify_what_openssl_signs $set
	run both_make_the_same_of_a_seed $set
done
[ "$failures" = 0 ]
