#!/bin/sh
# Promise: the commands of "Five minutes" in the token's README work as they stand there, one after the other.
# usage: readme.sh VLDAA README
set -eu
vldaa=$1
readme=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
ln -s "$vldaa" bin/vldaa
PATH=$work/bin:$PATH
export PATH
sed -n '/^## Five minutes/,/^## Where/s/^    //p' "$readme" >commands
[ "$(grep -c '^vldaa ' commands)" -ge 15 ] || { echo "few commands in $readme:"; cat commands; exit 1; }
sh -eux commands >out 2>&1 </dev/null || {
	cat out
	exit 1
}
# The pseudonym was revoked in the end, and the member was not.
grep -q "^member's key  *joined" out || { cat out; exit 1; }
! grep -q '^pseudonym .* basename ' out || { cat out; exit 1; }
