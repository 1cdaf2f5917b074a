#!/bin/sh
# Promise: what `cmake --install` puts into a prefix works with an unmodified openssl through the configuration file that
# comes along, for one program or included in the system's openssl.cnf; under the system's prefixes the module
# goes where OpenSSL looks for it.
# install.sh TOOLS CMAKE BUILD_DIR
cmake=$2 build=$3
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

quietly "$cmake" --install "$build" --prefix "$work/prefix"
OPENSSL_CONF=$work/prefix/share/vldaa/vldaa.cnf
export OPENSSL_CONF
# an issuer's key needs libvldaa-issuer, which is found beside the module
quietly "$openssl" genpkey -algorithm VLDAA2-44 -out issuer.pem
quietly "$openssl" pkey -in issuer.pem -noout -check
expect 0 'name: V-LDAA' "$openssl" list -providers
# and what openssl does otherwise, it does
quietly "$openssl" genpkey -algorithm ED25519 -out ed.pem

# included at the end of the system's, whose sections have the same names
cp "$("$openssl" version -d | sed 's/OPENSSLDIR: "\(.*\)"/\1/')/openssl.cnf" system.cnf
printf '\n.include %s\n' "$OPENSSL_CONF" >>system.cnf
OPENSSL_CONF=$work/system.cnf
quietly "$openssl" pkey -in issuer.pem -noout -check
quietly "$openssl" req -new -key ed.pem -subj /CN=x

# nothing of the sort without it
OPENSSL_CONF=/dev/null
refused 'Could not' "$openssl" pkey -in issuer.pem -noout
unset OPENSSL_CONF

modules=$("$openssl" version -m | sed 's/MODULESDIR: "\(.*\)"/\1/')
for prefix in /usr /usr/local; do
	DESTDIR=$work/stage$prefix quietly "$cmake" --install "$build" --prefix $prefix
	[ -f "$work/stage$prefix$modules/vldaa.so" ] || fail "$prefix: no module in $modules"
	grep -q "^module = $modules/vldaa.so" "$work/stage$prefix$prefix/share/vldaa/vldaa.cnf" ||
		fail "$prefix: another module in vldaa.cnf"
done
[ "$failures" = 0 ]
