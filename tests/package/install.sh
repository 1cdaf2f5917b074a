#!/bin/sh
# Promise: what `cmake --install` puts into a prefix is enough to build and run programs outside of
# this tree: with pkg-config and with find_package, shared and static, in C and (headers) in C++, also
# programs that read key files;
# DESTDIR is obeyed; nothing installed names the build tree.
# install.sh CMAKE BUILD_DIR SOURCE_DIR   (CC, CXX: the compilers)
set -eu
cmake=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
consumer=$source/tests/package/consumer
fail()
{
	echo "$*" >&2
	exit 1
}

"$cmake" --install "$build" --prefix "$work/prefix" >"$work/log"
DESTDIR=$work/stage "$cmake" --install "$build" --prefix /opt/vldaa --strip >"$work/log"
(cd "$work/prefix" && find . | sort) >"$work/list"
(cd "$work/stage/opt/vldaa" && find . | sort) | diff "$work/list" - ||
	fail "DESTDIR installs something else than a prefix does"
[ "$(ls "$work/stage")" = opt ] || fail "DESTDIR was left"
! grep -rlF --exclude='*.a' -e "$build" -e "$source" "$work/stage" || fail "installed files name the build tree"
libdir=$(dirname "$(find "$work/prefix" -name libvldaa.a)")
for file in libvldaa.so.0 libvldaa-issuer.so.0 libvldaa-issuer.a pkgconfig/vldaa.pc \
	pkgconfig/vldaa-issuer.pc cmake/vldaa/vldaaConfig.cmake; do
	[ -e "$libdir/$file" ] || fail "$file is not installed"
done
if [ -e "$build/pkcs11/libvldaa-pkcs11.so" ]; then
	# Where p11-kit looks for modules, and by its file's own word.
	module=$(sed -n 's/^module: //p' "$work/prefix/share/p11-kit/modules/vldaa.module")
	[ "$module" = "$libdir/pkcs11/libvldaa-pkcs11.so" ] && [ -e "$module" ] || fail "p11-kit's module file"
	[ -e "$work/prefix/include/vldaa/pkcs11-vldaa.h" ] || fail "pkcs11-vldaa.h is not installed"
fi
"$work/prefix/bin/vldaa" --version >/dev/null || fail "the installed vldaa does not run"
[ -e "$libdir/pkcs11/libvldaa-pkcs11.so" ] && [ -e "$work/prefix/share/p11-kit/modules/vldaa.module" ] ||
	fail "the token's module is not installed"
VLDAA_TOKEN_DIR=$work/none "$work/prefix/bin/vldaa" token list >/dev/null || fail "vldaa token does not find the module"
"$work/prefix/bin/vldaa-params" list >/dev/null || fail "the installed vldaa-params does not run"
for soname in libvldaa libvldaa-issuer; do
	readelf -d "$libdir/$soname.so" | grep -q "SONAME.*\[$soname.so.0\]" || fail "$soname: SONAME"
done

# Only who makes issuer keys has FLINT.
for file in "$work/prefix/bin/vldaa" "$libdir/libvldaa.so" "$libdir/pkcs11/libvldaa-pkcs11.so"; do
	! ldd "$file" | grep -E 'libflint|libgmp' || fail "$file loads FLINT"
done

# A group's public key as the installed command writes it.
(
	cd "$work" &&
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=root -keyout root.key \
		-out root.pem &&
	openssl pkey -in root.key -pubout -out ra.pub.pem &&
	prefix/bin/vldaa issuer init issuer --set VLDAA-128 --revocation-key ra.pub.pem \
		--manufacturer-roots root.pem &&
	prefix/bin/vldaa issuer export issuer --group-key group.pem &&
	prefix/bin/vldaa issuer init default --revocation-key ra.pub.pem --manufacturer-roots root.pem
) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# Without libvldaa-issuer.so there is a message, and no half of an issuer.
(
	cd "$work"
	mkdir none
	: >none/libvldaa-issuer.so.0
	LD_LIBRARY_PATH=none prefix/bin/vldaa issuer init another --revocation-key ra.pub.pem --manufacturer-roots root.pem
) >"$work/log" 2>&1 && fail "an issuer key was made without a solver"
grep -q '^vldaa: keys of VLDAA2-44 are made with libvldaa-issuer.so.0, which cannot be loaded' "$work/log" ||
	{ cat "$work/log"; fail "no word about the missing library"; }
[ ! -e "$work/another" ] || fail "a failed init left a directory"

# The same of the token's module, which finds the library beside its folder.
(
	cd "$work" &&
	mkdir token &&
	echo 1234 >pin &&
	export VLDAA_TOKEN_DIR="$work/token" &&
	prefix/bin/vldaa token init --token t --pin-file pin --so-pin-file pin &&
	! VLDAA_PKCS11_DEBUG=1 LD_LIBRARY_PATH=none prefix/bin/vldaa token setup --pin-file pin \
		--revocation-key ra.pub.pem --manufacturer-roots root.pem 2>words &&
	grep -q "^vldaa: t: an issuer's key is made with libvldaa-issuer, which the module cannot load .* \[CKR_LIBRARY_LOAD_FAILED\]" words &&
	grep -q "^vldaa-pkcs11: an issuer's key of VLDAA2-44 is made with libvldaa-issuer.so.0, which cannot be loaded: " words &&
	! ls token/register-*.db &&
	prefix/bin/vldaa token setup --pin-file pin --revocation-key ra.pub.pem --manufacturer-roots root.pem &&
	ls token/register-*.db
) >"$work/log" 2>&1 || { cat "$work/log" "$work/words"; fail "an issuer's key in a token"; }

# needs PROGRAM yes|no: whether it runs with our shared libraries
needs()
{
	case $(readelf -d "$1" | grep -c 'NEEDED.*libvldaa'):$2 in
	0:yes) fail "$1 does not use the shared library" ;;
	0:no) ;;
	*:no) fail "$1 uses the shared library" ;;
	esac
}

export PKG_CONFIG_PATH="$libdir/pkgconfig"
[ "$(pkg-config --modversion vldaa)" = "$(pkg-config --modversion vldaa-issuer)" ]
cd "$work"
# shellcheck disable=SC2046 # pkg-config prints lists of options
{
	"${CC:-cc}" -o shared "$consumer/consumer.c" $(pkg-config --cflags --libs vldaa)
	"${CC:-cc}" -o shared_issuer "$consumer/consumer_issuer.c" $(pkg-config --cflags --libs vldaa-issuer)
	"${CXX:-c++}" -x c++ -o shared_cxx "$consumer/consumer.c" $(pkg-config --cflags --libs vldaa)
	"${CC:-cc}" -o static "$consumer/consumer.c" \
		$(pkg-config --static --cflags --libs vldaa | sed 's/-lvldaa/-l:libvldaa.a/')
	"${CC:-cc}" -o static_issuer "$consumer/consumer_issuer.c" \
		$(pkg-config --static --cflags --libs vldaa-issuer |
			sed 's/-l\(vldaa[a-z-]*\)/-l:lib\1.a/g')
}
for program in shared shared_issuer shared_cxx; do
	needs $program yes
	LD_LIBRARY_PATH=$libdir ./$program group.pem
done
for program in static static_issuer; do
	needs $program no
	./$program group.pem
done

"$cmake" -S "$consumer" -B "$work/consumer" -DCMAKE_C_COMPILER="${CC:-cc}" \
	-DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
"$cmake" --build "$work/consumer" >"$work/log" || { cat "$work/log"; exit 1; }
needs "$work/consumer/consumer" yes
needs "$work/consumer/consumer_static" no
needs "$work/consumer/consumer_issuer_static" no
for program in consumer consumer_static consumer_issuer consumer_issuer_static; do
	"$work/consumer/$program" group.pem
done
# An example as it says that it is built.
# shellcheck disable=SC2046
"${CC:-cc}" -o verify "$source/examples/verify/verify.c" $(pkg-config --cflags --libs vldaa)
[ "$(LD_LIBRARY_PATH=$libdir ./verify group.pem group.pem group.pem 2>&1)" = \
	"group.pem: this is another kind of object than the one asked for" ] || fail "the example does not run"
