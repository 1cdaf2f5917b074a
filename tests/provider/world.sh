#!/bin/sh
# Makes the world that the scenarios start from.  For every set a directory with a group (issuer.pem, group.pem, made
# by the vldaa command), a second one (foreign.pem), two members of the first, what they signed with the command, and their
# keys (member.pem, member2.pem, and pseudonym.pem of the first).
# world.sh TOOLS WORLD
. "$(dirname "$0")/lib.sh"

# A manufacturer, whose endorsement certificates every issuer here accepts, and a revocation authority.
make_authorities() {
	"$openssl" genpkey -algorithm ED25519 -out root.key
	"$openssl" req -x509 -new -key root.key -subj '/CN=manufacturer' -days 365 -out roots.pem \
		-addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign'
	"$openssl" genpkey -algorithm ED25519 -out ra.pem
	"$openssl" pkey -in ra.pem -pubout -out ra.pub.pem
	printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n' >leaf.ext
	for car in car1 car2; do
		"$openssl" genpkey -algorithm ED25519 -out $car.key
		"$openssl" req -new -key $car.key -subj "/CN=$car" -out csr
		"$openssl" x509 -req -in csr -CA roots.pem -CAkey root.key -CAcreateserial -days 365 \
			-extfile leaf.ext -out $car.crt
	done
}

# In the set's directory.
make_group() {
	for issuer in issuer foreign; do
		quietly "$vldaa" issuer init $issuer --set "$1" --revocation-key ../ra.pub.pem \
			--manufacturer-roots ../roots.pem
		quietly "$vldaa" issuer export $issuer --group-key $issuer.pub --fleet-key fleet.key
	done
	mv issuer.pub group.pem
	mv foreign.pub foreign.pem
	cp issuer/issuer.pem issuer.pem
	quietly "$vldaa" issuer export issuer --fleet-key fleet.key
	for car in car1 car2; do
		quietly "$vldaa" tpm init $car.tpm --endorsement-key ../$car.key --endorsement-certificate ../$car.crt
		quietly "$vldaa" member keygen $car --group group.pem --tpm $car.tpm
		quietly "$vldaa" issuer nonce issuer -o nonce
		quietly "$vldaa" member request $car nonce -o request
		quietly "$vldaa" issuer issue issuer request -o answer
		quietly "$vldaa" member finish $car answer
	done
}

sign_messages() {
	printf 'the brakes of the lorry in front are hot\n' >msg
	printf 'all is well\n' >other
	quietly "$vldaa" member create car1 --basename platoon-7 -o att --token token
	quietly "$vldaa" member sign car1 msg --basename platoon-7 -o sig
	quietly "$vldaa" member sign car1 msg --basename platoon-7 --compact -o compact.sig
	quietly "$vldaa" member sign car2 msg --basename platoon-7 -o car2.sig
}

# The members as private keys, and a pseudonym of the first.
export_keys() {
	quietly "$vldaa" member export car1 -o member.pem
	quietly "$vldaa" member export car2 -o member2.pem
	quietly "$vldaa" member export car1 --basename platoon-7 -o pseudonym.pem
}

rm -rf "$2"
mkdir -p "$2"
cd "$2" || exit 1
make_authorities >out 2>&1 || { cat out; exit 1; }
for set in $sets; do
	mkdir "$set"
	cd "$set" || exit 1
	make_group "$set"
	sign_messages
	export_keys
	cd ..
done
[ "$failures" = 0 ]
