#!/bin/sh
# Makes the tokens that scenarios start from, with the command: one of an issuer, two of cars that have joined and
# have a pseudonym for "parking", and an empty directory; a manufacturer and a revocation authority in files.
# usage: token_world.sh VLDAA DIRECTORY [SET]
set -eu
vldaa=$1
set=${3:-VLDAA2-44}
rm -rf "$2"
mkdir -p "$2"
cd "$2"
exec 2>err
trap 'cat err' EXIT
mkdir issuer car1 car2 empty
VLDAA_TOKEN_DIR=$PWD/issuer:$PWD/car1:$PWD/car2:$PWD/empty
export VLDAA_TOKEN_DIR

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=manufacturer -days 365 \
	-keyout root.key -out roots.pem
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ra.pem
openssl pkey -in ra.pem -pubout -out ra.pub.pem
echo 'the security officer' >so.pin
echo 'PIN of the user' >user.pin
for token in issuer car1 car2; do
	"$vldaa" token init --token $token --so-pin-file so.pin --pin-file user.pin
done

"$vldaa" token setup --token issuer --set "$set" --pin-file user.pin --revocation-key ra.pub.pem --manufacturer-roots roots.pem \
	--group-key group.pem --fleet-key fleet.key
"$vldaa" revoke init RA --authority ra.pem --fleet-key fleet.key --group group.pem
for car in car1 car2; do
	"$vldaa" token endorse --token $car --request $car.csr
	openssl x509 -req -in $car.csr -CA roots.pem -CAkey root.key -CAcreateserial -days 365 -out $car.ek.pem
	"$vldaa" token endorse --token $car --pin-file user.pin --certificate $car.ek.pem
	"$vldaa" token join nonce --token issuer --pin-file user.pin -o $car.nonce
	"$vldaa" token join request $car.nonce --token $car --pin-file user.pin --group group.pem -o $car.request
	"$vldaa" token join issue $car.request --token issuer --pin-file user.pin -o $car.answer
	"$vldaa" token join finish $car.answer --token $car --pin-file user.pin
	"$vldaa" token create --token $car --pin-file user.pin --basename parking -o $car.att \
		--revocation-token $car.token
done
printf 'the brakes of the lorry in front are hot\n' >report.txt
printf 'all is well\n' >second.txt
trap - EXIT
