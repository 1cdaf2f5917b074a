#!/bin/sh
# The openssl command agrees with our key files, without any code of ours on its side: their structure;
# decryption by its own key derivation and cipher; and a file that it assembles is read by us.
# Usage: keyfile_openssl.sh KEYFILE_TOOL
set -eu

tool=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
oid=2.25.6896855267651164585171150451946460284.128

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# tags FILE FORM: one line an element, depth, tag and, of identifiers and numbers, the value.
tags() {
	openssl asn1parse -in "$1" -inform "$2" |
		sed -e 's/^ *[0-9]*:d=\([0-9]*\) .*\(cons\|prim\): */\1 /' -e 's/\[HEX DUMP\].*//' -e 's/ *:/ /' \
			-e 's/ *$//'
}

expect() {
	[ "$2" = "$3" ] || fail "$1: got
$2
instead of
$3"
}

# value FILE N: the N-th OCTET STRING in hexadecimal.
value() {
	openssl asn1parse -in "$1" | sed -n 's/.*OCTET STRING.*HEX DUMP\]://p' | sed -n "$2p"
}

# decrypt FILE KEY: with the IV and the text from the file; the plaintext to standard output.
decrypt() {
	at=$(openssl asn1parse -in "$1" | sed -n 's/^ *\([0-9]*\):d=1 .*OCTET STRING.*/\1/p')
	openssl asn1parse -in "$1" -strparse "$at" -noout -out "$dir/text" 2>/dev/null || true
	openssl enc -d -aes-256-cbc -K "$2" -iv "$(value "$1" 2)" -in "$dir/text"
}

"$tool" write "$dir"

plain="0 SEQUENCE
1 INTEGER 00
1 SEQUENCE
2 OBJECT $oid
1 OCTET STRING"
expect plain.pem "$(tags "$dir/plain.pem" PEM)" "$plain"
expect plain.der "$(tags "$dir/plain.der" DER)" "$plain"
public="0 SEQUENCE
1 SEQUENCE
2 OBJECT $oid
1 BIT STRING"
expect public.pem "$(tags "$dir/public.pem" PEM)" "$public"
expect public.der "$(tags "$dir/public.der" DER)" "$public"
expect scrypt.pem "$(tags "$dir/scrypt.pem" PEM)" "0 SEQUENCE
1 SEQUENCE
2 OBJECT PBES2
2 SEQUENCE
3 SEQUENCE
4 OBJECT scrypt
4 SEQUENCE
5 OCTET STRING
5 INTEGER 4000
5 INTEGER 08
5 INTEGER 05
3 SEQUENCE
4 OBJECT aes-256-cbc
4 OCTET STRING
1 OCTET STRING"
expect pbkdf2.pem "$(tags "$dir/pbkdf2.pem" PEM)" "0 SEQUENCE
1 SEQUENCE
2 OBJECT PBES2
2 SEQUENCE
3 SEQUENCE
4 OBJECT PBKDF2
4 SEQUENCE
5 OCTET STRING
5 INTEGER 0927C0
5 SEQUENCE
6 OBJECT hmacWithSHA256
6 NULL
3 SEQUENCE
4 OBJECT aes-256-cbc
4 OCTET STRING
1 OCTET STRING"

# 0x4000 = 16384 and 0x0927c0 = 600000, as found above.
key=$(openssl kdf -keylen 32 -kdfopt pass:secret -kdfopt hexsalt:"$(value "$dir/scrypt.pem" 1)" \
	-kdfopt n:16384 -kdfopt r:8 -kdfopt p:5 SCRYPT | tr -d :)
decrypt "$dir/scrypt.pem" "$key" | cmp - "$dir/plain.der" || fail "scrypt.pem decrypts to something else"
key=$(openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt pass:secret \
	-kdfopt hexsalt:"$(value "$dir/pbkdf2.pem" 1)" -kdfopt iter:600000 PBKDF2 | tr -d :)
decrypt "$dir/pbkdf2.pem" "$key" | cmp - "$dir/plain.der" || fail "pbkdf2.pem decrypts to something else"

# Without our provider `openssl pkcs8` decrypts, and then knows no such algorithm; with a wrong passphrase
# it does not come so far.
for file in scrypt pbkdf2; do
	openssl pkcs8 -in "$dir/$file.pem" -passin pass:secret >"$dir/out" 2>&1 && fail "pkcs8 knows our keys?"
	grep -q 'Error converting key' "$dir/out" || fail "openssl pkcs8 does not decrypt $file.pem"
	openssl pkcs8 -in "$dir/$file.pem" -passin pass:wrong >"$dir/out" 2>&1 && fail "wrong passphrase"
	grep -q 'Error decrypting key' "$dir/out" || fail "openssl pkcs8 decrypts with a wrong passphrase"
done

# A file that the command assembles: PBKDF2 with HMAC-SHA-1 (no PRF named), AES-128-CBC.
key=$(openssl kdf -keylen 16 -kdfopt digest:SHA1 -kdfopt pass:secret -kdfopt hexsalt:0102030405060708 \
	-kdfopt iter:1000 PBKDF2 | tr -d :)
iv=000102030405060708090a0b0c0d0e0f
text=$(openssl enc -aes-128-cbc -K "$key" -iv "$iv" -in "$dir/plain.der" | od -An -v -tx1 | tr -d ' \n')
cat >"$dir/conf" <<END
asn1 = SEQUENCE:file
[file]
algorithm = SEQUENCE:algorithm
text = FORMAT:HEX,OCTETSTRING:$text
[algorithm]
oid = OID:PBES2
parameters = SEQUENCE:pbes2
[pbes2]
kdf = SEQUENCE:kdf
cipher = SEQUENCE:cipher
[kdf]
oid = OID:PBKDF2
parameters = SEQUENCE:pbkdf2
[pbkdf2]
salt = FORMAT:HEX,OCTETSTRING:0102030405060708
rounds = INTEGER:1000
[cipher]
oid = OID:AES-128-CBC
iv = FORMAT:HEX,OCTETSTRING:$iv
END
openssl asn1parse -genconf "$dir/conf" -noout -out "$dir/assembled.der"
expect "assembled key" "$("$tool" read "$dir/assembled.der" secret)" \
	"$(openssl asn1parse -in "$dir/plain.pem" | sed -n 's/.*HEX DUMP\]://p')"
"$tool" read "$dir/assembled.der" wrong >"$dir/out" 2>&1 && fail "we decrypt with a wrong passphrase"
grep -q '^PASSPHRASE' "$dir/out" || fail "a wrong passphrase is called $(cat "$dir/out")"
echo "openssl agrees"
