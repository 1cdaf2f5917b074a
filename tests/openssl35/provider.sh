#!/bin/sh
# Promise: the provider, as it was built here, does with Debian 13's OpenSSL 3.5 all that tests/provider promises of it; and
# what it signs in the bare form, OpenSSL 3.5 verifies without it.
# usage: provider.sh FOLDER BUILD_DIR    FOLDER: Debian 13, see folder
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
work=$(mktemp -d "$folder/tmp/vldaa-provider.XXXXXX")
trap 'rm -rf "$work"' EXIT
inside=${work#"$folder"}

# The modules, and for keys of issuers the libraries that Debian 13 has in other versions.
mkdir "$work/modules" "$work/without-issuer" "$work/pkcs11" "$work/lib"
cp "$build/provider/vldaa.so" "$work/modules"
cp "$build/tests/provider/without-issuer/vldaa.so" "$work/without-issuer"
cp "$build/pkcs11/libvldaa-pkcs11.so" "$build/tests/pkcs11/libvldaa_pkcs11_quick.so" "$work/pkcs11"
cp "$build/core/issuer/libvldaa-issuer.so.0" "$build/core/libvldaa.so.0" "$work/lib"
cp "$build"/tests/provider/test_provider_* "$work"
ldd "$build/core/issuer/libvldaa-issuer.so.0" "$build/tests/provider/test_provider_store" |
	awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libcrypto|libvldaa|libp11-kit|libsqlite3)[.]/ { print $3 }' | sort -u | xargs -I{} cp {} "$work/lib"

# openssl of the other side, in the directory that both sides see; file names in OPENSSL_CONF and VLDAA_TOKEN_DIR are ours.
cat >"$work/openssl" <<END
#!/bin/sh
conf=\${OPENSSL_CONF-}
tokens=\$(printf %s "\${VLDAA_TOKEN_DIR-}" | sed 's|$folder||g')
exec $sudo chroot "$folder" env -C "\${PWD#$folder}" LD_LIBRARY_PATH="$inside/lib" \\
	\${conf:+OPENSSL_CONF="\${conf#$folder}"} VLDAA_TOKEN_DIR="\$tokens" openssl "\$@"
END
chmod +x "$work/openssl"
cat >"$work/tools.sh" <<END
root=$folder
openssl=$work/openssl
vldaa=$build/core/tool/vldaa
leak=$build/tests/tool/leak
modules=$inside/modules
modules_without_issuer=$inside/without-issuer
END
cd "$work"
"$work/openssl" version

TMPDIR=$work
export TMPDIR
"$here/../provider/world.sh" "$work/tools.sh" "$work/world"
for set in VLDAA2-44 VLDAA-128; do
	"$here/../tool/token_world.sh" "$build/core/tool/vldaa" "$work/tokens/$set" $set
done
failed=0 run=0
for script in keys verify sign reach store; do
	world=$work/world
	[ $script != store ] || world=$work/tokens
	for sentence in $(sed -n 's/^\([a-z0-9]*_[a-z0-9]*_[a-z0-9_]*\)() {$/\1/p' "$here/../provider/$script.sh"); do
		run=$((run + 1))
		"$here/../provider/$script.sh" "$work/tools.sh" "$world" "$sentence" >"$work/log" 2>&1 || {
			failed=$((failed + 1))
			echo "FAILED: $script: $sentence"
			cat "$work/log"
		}
	done
done
echo "$run scenarios, $failed failed"
[ "$failed" = 0 ]

# The programs on EVP.
for program in "$work"/test_provider_*; do
	$sudo chroot "$folder" env -C "$inside" TMPDIR=/tmp LD_LIBRARY_PATH="$inside/lib" VLDAA_PROVIDER_DIR="$inside/modules" \
		VLDAA_TEST_MODULE="$inside/pkcs11/libvldaa_pkcs11_quick.so" \
		CK_DEFAULT_TIMEOUT=120 "$inside/${program##*/}"
done

# By OpenSSL alone, with a key that has no word of us in it.
cd "$work/world/VLDAA2-44"
"$build/core/tool/vldaa" member create car1 --basename platoon-7 --mldsa-key pseudonym-mldsa.pem -o made
"$work/openssl" pkeyutl -provider-path "$inside/modules" -provider vldaa -provider default -sign -rawin \
	-inkey pseudonym.pem -in msg -out bare.sig -pkeyopt form:bare
"$work/openssl" pkeyutl -verify -rawin -pubin -inkey pseudonym-mldsa.pem -in msg -sigfile bare.sig
! "$work/openssl" pkeyutl -verify -rawin -pubin -inkey pseudonym-mldsa.pem -in other -sigfile bare.sig || exit 1
