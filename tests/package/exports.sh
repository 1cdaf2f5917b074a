#!/bin/sh
# Promise: a shared library exports exactly the functions that its headers declare VLDAA_API, each
# under the library's symbol version, and the headers declare no other functions.
# exports.sh LIBRARY.so VERSION INCLUDE_DIR HEADER...  (CC: the compiler)
set -eu
library=$1 version=$2 include=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One declaration a line, without system headers; attributes stay, so VLDAA_API can be seen.
for header in "$@"; do
	"${CC:-cc}" -std=c11 -E -I "$include" -I "$(dirname "$(dirname "$header")")" "$header" |
		awk -v ours="\"$header\"" '/^# [0-9]+ "/ { inside = $3 == ours; next } inside' |
		tr '\n' ' ' | tr ';' '\n'
done | grep -E 'vldaa_[a-z0-9_]+ *\(' | grep -Ev '^ *(typedef|enum|struct|[}])|\(\*' >"$work/declarations"

name='s/.*[^a-z0-9_](vldaa_[a-z0-9_]+) *\(.*/\1/; t; s/.*/?/'
cut_arguments='s/(vldaa_[a-z0-9_]+) *\(.*/\1(/'
grep 'visibility("default")' "$work/declarations" | sed -E "$cut_arguments" | sed -E "$name" |
	sort -u >"$work/declared"
if grep -v 'visibility("default")' "$work/declarations"; then
	echo "declared without VLDAA_API" >&2
	exit 1
fi
nm -D --defined-only "$library" | awk -v version="$version" '
	$2 == "A" && $3 == version { next }
	$2 != "T" || $3 !~ "@@" version "$" { print "not a function of version " version ": " $0; next }
	{ sub(/@@.*/, "", $3); print $3 }' | sort >"$work/exported"

[ "$(wc -l <"$work/declared")" -ge 10 ] || { echo "too few declarations found" >&2; exit 1; }
diff -u --label declared --label exported "$work/declared" "$work/exported"
