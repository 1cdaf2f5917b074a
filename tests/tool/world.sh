#!/bin/sh
# Makes the world that the scenarios start from, with the commands that a user has: a manufacturer, an
# issuer, a revocation authority, two cars that have joined, a foreign group, and some signatures.
# The groups are of SET, or of the default set.
# usage: world.sh VLDAA DIRECTORY [SET]
set -eu
vldaa=$1
set=${3:-}
other=${set:+VLDAA2-44}
other=${other:-VLDAA-128}
rm -rf "$2"
mkdir -p "$2"
cd "$2"
exec 2>err
trap 'cat err' EXIT

key() {
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# The manufacturer and the endorsement certificates of two TPMs.
key root.key
openssl req -x509 -new -key root.key -subj '/CN=manufacturer' -days 365 -out roots.pem \
	-addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign'
printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n' >leaf.ext
for car in car1 car2; do
	key $car.ek.key
	openssl req -new -key $car.ek.key -subj "/CN=$car" -out $car.csr
	openssl x509 -req -in $car.csr -CA roots.pem -CAkey root.key -CAcreateserial -days 365 \
		-extfile leaf.ext -out $car.ek.pem
done

# The revocation authority, and two groups.
key ra.pem
openssl pkey -in ra.pem -pubout -out ra.pub.pem
for issuer in issuer foreign; do
	"$vldaa" issuer init $issuer ${set:+--set "$set"} --revocation-key ra.pub.pem \
		--manufacturer-roots roots.pem
done
"$vldaa" issuer init other-set --set "$other" --revocation-key ra.pub.pem --manufacturer-roots roots.pem
"$vldaa" issuer export issuer --group-key group.pem --fleet-key fleet.key
"$vldaa" issuer export foreign --group-key foreign.pem --fleet-key foreign.fleet.key
"$vldaa" issuer export other-set --group-key other-set.pem
"$vldaa" revoke init RA --authority ra.pem --fleet-key fleet.key --group group.pem

# Both cars join.
for car in car1 car2; do
	"$vldaa" tpm init $car.tpm --endorsement-key $car.ek.key --endorsement-certificate $car.ek.pem
	"$vldaa" member keygen $car --group group.pem --tpm $car.tpm
	"$vldaa" issuer nonce issuer -o $car.nonce
	"$vldaa" member request $car $car.nonce -o $car.request
	"$vldaa" issuer issue issuer $car.request -o $car.answer
	"$vldaa" member finish $car $car.answer
done

# What they sign.
printf 'the brakes of the lorry in front are hot\n' >report.txt
printf 'all is well\n' >second.txt
for car in car1 car2; do
	"$vldaa" member create $car --basename parking -o $car.att --token $car.token
	"$vldaa" member sign $car report.txt --basename parking -o $car.sig
done
"$vldaa" member sign car1 second.txt --basename parking -o second.sig
"$vldaa" member sign car1 report.txt --basename parking --compact -o compact.sig
"$vldaa" member sign car1 report.txt --basename toll -o toll.sig
"$vldaa" member create car1 --basename toll -o toll.att
trap - EXIT
