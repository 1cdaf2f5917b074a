#!/bin/sh
# Promise: the commands of the README's "The command, by hand" work as they stand there, one after the other.
# usage: readme.sh VLDAA README
set -eu
vldaa=$1
readme=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# What it says that others have.
{
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=manufacturer \
		-keyout root.key -out roots.pem
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=tpm -keyout ek.pem -out ek.csr
	openssl x509 -req -in ek.csr -CA roots.pem -CAkey root.key -CAcreateserial -out ek-chain.pem
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out authority.pem
	openssl pkey -in authority.pem -pubout -out authority.pub.pem
} 2>openssl.log || { cat openssl.log; exit 1; }
echo 'brake ahead' >message
echo 'all is well' >other

sed -n '/^## The command, by hand/,/^## /s/^    \(vldaa .*\)/\1/p' "$readme" >commands
[ "$(wc -l <commands)" -ge 20 ] || { echo "few commands in $readme:"; cat commands; exit 1; }
mkdir bin
ln -s "$vldaa" bin/vldaa
PATH=$work/bin:$PATH
while read -r command; do
	case $command in
	'vldaa link '*) vldaa member sign car-host --basename platoon-7 other -o other.sig ;;
	esac
	sh -c "$command" >out 2>&1 </dev/null || {
		echo "$command: status $?"
		cat out
		exit 1
	}
	[ ! -s out ] || ! grep -qi 'warning\|forgeable' out || { echo "$command:"; cat out; exit 1; }
done <commands
# The pseudonym as a public key of ML-DSA, and a signature that OpenSSL 3.5 checks.
grep -q 'BEGIN PUBLIC KEY' platoon-7.pem
[ "$(wc -c <bare.sig)" = 2420 ]
