# More cars for the scenarios; to be sourced after lib.sh.
# shellcheck shell=sh

# new_authority NAME ISSUER-KEY ISSUER-CERTIFICATE: NAME.key, NAME.pem
new_authority() {
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key" 2>err
	openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr" 2>err
	printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n' >ca.ext
	openssl x509 -req -in "$1.csr" -CA "$3" -CAkey "$2" -CAcreateserial -days 365 -extfile ca.ext \
		-out "$1.pem" 2>err || cat err
}

# certify CAR ISSUER-KEY ISSUER-CERTIFICATE: CAR.ek.pem for CAR.ek.key
certify() {
	openssl req -new -key "$1.ek.key" -subj "/CN=$1" -out "$1.csr" 2>err
	openssl x509 -req -in "$1.csr" -CA "$3" -CAkey "$2" -CAcreateserial -days 365 -extfile leaf.ext \
		-out "$1.ek.pem" 2>err || cat err
}

new_certificate() {
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.ek.key" 2>err
	certify "$@"
}

# new_car CAR: its TPM and its keys, from its certificate
new_car() {
	quietly "$vldaa" tpm init "$1.tpm" --endorsement-key "$1.ek.key" --endorsement-certificate "$1.ek.pem"
	quietly "$vldaa" member keygen "$1" --group group.pem --tpm "$1.tpm"
}

new_certified_car() {
	new_certificate "$1" root.key roots.pem
	new_car "$1"
}

# ask CAR: CAR.nonce, CAR.request
ask() {
	quietly "$vldaa" issuer nonce issuer -o "$1.nonce"
	quietly "$vldaa" member request "$1" "$1.nonce" -o "$1.request"
}

# small_disk BYTES COMMAND...: no file can be written beyond so many bytes, which looks like a full disk.
# Messages go through a pipe, which has no such limit.
small_disk() {
	limit=$1
	shift
	{
		prlimit --fsize="$limit" -- "$@" 2>&1
		echo $? >status
	} | cat
	return "$(cat status)"
}

# ordinary COMMAND...: without root's privilege to read and write everything.
ordinary() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --bounding-set=-all --inh-caps=-all -- "$@"
	else
		"$@"
	fi
}

# detached COMMAND...: without a terminal to ask on.
detached() {
	setsid -w "$@" </dev/null
}
