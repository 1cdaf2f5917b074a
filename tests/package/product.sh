#!/bin/sh
# Promise: the target `product` builds everything that `cmake --install` copies out of the build directory.
# product.sh BUILD_DIR
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find "$build" -name cmake_install.cmake -exec cat {} + | grep -o "\"$build/[^\"]*\"" | tr -d '"' |
	sed "s|^$build/||; s|\.so\.[0-9]*\$|.so|" | grep -E '(\.so[.0-9]*|\.a|/vldaa[a-z-]*)$' | sort -u >"$work/installed"
# What it depends on itself, and what that depends on; a library's links have one rule.
{
	ninja -C "$build" -t query product | tr -d ' '
	ninja -C "$build" -t inputs product
} | sort -u >"$work/built"
[ "$(wc -l <"$work/installed")" -ge 6 ] || { echo "too few installed files found"; cat "$work/installed"; exit 1; }
if comm -23 "$work/installed" "$work/built" | grep .; then
	echo "installed, and not built by product" >&2
	exit 1
fi
