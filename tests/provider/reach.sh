#!/bin/sh
# Promises about what is out of reach: operations that V-LDAA keys do not have, and formats that name their signer, are
# refused with a reason that a person can read; nothing is half written, and nothing crashes.
. "$(dirname "$0")/lib.sh"

# An ordinary authority, and a certificate with the group's key in it.
make_certificates() {
	quietly "$openssl" req -x509 -newkey ed25519 -nodes -keyout ca.key -out ca.pem -subj /CN=ca
	quietly "$openssl" req -new -key ca.key -subj /CN=other -out other.csr
	quietly o x509 -req -in other.csr -CA ca.pem -CAkey ca.key -force_pubkey group.pem -out group.crt
}

request_case() {
	refused 'vldaa:.*certificates, requests and CMS name their signer.*use an ordinary key' \
		o req -new -key member.pem -subj /CN=x -sigopt basename:platoon-7 -out new.csr
	[ ! -s new.csr ] || fail "a request"
	refused 'vldaa:.*certificates, requests and CMS name their signer.*use an ordinary key' \
		o req -x509 -key member.pem -subj /CN=x -sigopt basename:platoon-7 -out new.crt
	[ ! -s new.crt ] || fail "a certificate"
	refused 'vldaa:.*signing takes a member key or a pseudonym key; this is an issuer key' \
		o req -new -key issuer.pem -subj /CN=x -out new.csr
}

requests_and_certificates_are_not_signed_with_a_members_key() {
	per_set request_case
}

# A pseudonym has a public key of its own, so that it can have a certificate.
pseudonym_case() {
	quietly o req -new -key pseudonym.pem -subj /CN=nobody -out new.csr
	expect 0 'verify OK' o req -in new.csr -noout -verify
	quietly o req -x509 -key pseudonym.pem -subj /CN=nobody -days 1 -out new.crt
	expect 0 'new.crt: OK' o verify -CAfile new.crt new.crt
	"$openssl" req -in new.csr -outform DER -out new.der 2>out ||
		o req -in new.csr -outform DER -out new.der
	flip new.der 60 bad.der
	refused 'verify|rror' o req -in bad.der -inform DER -noout -verify
	make_certificates
	quietly o x509 -req -in new.csr -CA ca.pem -CAkey ca.key -out certified.crt
	expect 0 'certified.crt: OK' o verify -CAfile ca.pem certified.crt
}

a_pseudonym_can_have_a_certificate() {
	per_set pseudonym_case
}

certificate_case() {
	make_certificates
	# others may certify a group's key: that is an ordinary certificate
	quietly o x509 -in group.crt -noout -pubkey
	same out group.pem
	refused 'CA certificate and CA private key do not match' \
		o x509 -req -in other.csr -CA ca.pem -CAkey member.pem -out new.crt
	refused 'vldaa:.*name their signer' \
		o x509 -req -in other.csr -CA group.crt -CAkey member.pem -sigopt basename:x -out new.crt
	[ ! -s new.crt ] || fail 'a certificate'
}

a_members_key_is_no_authoritys() {
	per_set certificate_case
}

cms_case() {
	make_certificates
	refused 'no default digest' o cms -sign -in msg -signer group.crt -inkey member.pem -out new.cms
	refused 'vldaa:.*(VLDAA hashes the message itself|CMS name their signer)' \
		o cms -sign -in msg -signer group.crt -inkey member.pem -md sha256 -out new.cms
}

cms_is_not_signed() {
	per_set cms_case
}

tls_case() {
	make_certificates
	# 3.0 knows no certificates with keys of providers; later versions find no such signature in TLS
	refused 'unknown certificate type|no suitable signature algorithm|error setting' \
		timeout 10 "$openssl" s_server -provider-path "$modules" -provider vldaa -provider default \
		-unix socket -naccept 1 -cert group.crt -key member.pem
}

tls_is_not_offered() {
	[ "$("$openssl" version | cut -d. -f2)" = 0 ] || return 0
	per_set tls_case
}

operation_case() {
	refused 'operation not supported for this keytype' o pkeyutl -encrypt -pubin -inkey group.pem -in msg
	refused 'operation not supported for this keytype' o pkeyutl -decrypt -inkey member.pem -in msg
	refused 'operation not supported for this keytype' o pkeyutl -derive -inkey member.pem -peerkey group.pem
	refused 'Not an RSA key' o rsa -in member.pem
	refused 'Error reading parameter file' o genpkey -paramfile group.pem
}

operations_that_the_keys_do_not_have_are_refused() {
	per_set operation_case
}

run_scenario "$@"
