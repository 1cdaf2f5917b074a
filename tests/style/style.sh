#!/bin/sh
# Promises that reviewers would have to check by eye otherwise (CONTRIBUTING.md, "Style"): files stay
# short, nothing is left to do, nothing names one machine, every external symbol has the prefix.
#
# style.sh SOURCE_DIR LIBRARY.a...   (NM: the tool)
set -eu
source=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"
problems=0
problem()
{
	echo "$1:" >&2
	cat "$2" >&2
	problems=$((problems + 1))
}
# check NAME FILE: it is a problem when the file has something in it.
check()
{
	[ ! -s "$2" ] || problem "$1" "$2"
}

find . -name '.git' -prune -o -name 'build*' -prune -o -type f \
	\( -name '*.c' -o -name '*.h' -o -name '*.sh' -o -name '*.md' -o -name '*.txt' -o \
	-name '*.in' -o -name '*.map' -o -name '*.json' -o -perm -u+x \) -print |
	sort >"$work/files"
[ "$(wc -l <"$work/files")" -ge 200 ] || { echo "too few files" >&2; exit 1; }

limit=700 # or so: a little over is still one idea
while read -r file; do
	case $file in
	*/gen_*.[ch] | *.json | */vectors/*) continue ;;
	esac
	lines=$(wc -l <"$file")
	[ "$lines" -le $((limit + limit / 14)) ] || echo "$file: $lines lines"
done <"$work/files" >"$work/long"
check "longer than $limit lines" "$work/long"

# The patterns are written so that they do not find themselves.
tr '\n' '\0' <"$work/files" | xargs -0 grep -nE 'TO[D]O|FIX[M]E|(^|[^X])XX[X]([^X]|$)' >"$work/todo" || true
check "something is left to do" "$work/todo"
tr '\n' '\0' <"$work/files" | xargs -0 grep -nE '\.\./share[d]|(^|[^a-z.])/(wor[k]|hom[e]|roo[t])/' >"$work/paths" || true
check "a path of one machine" "$work/paths"
tr '\n' '\0' <"$work/files" | xargs -0 grep -nE '[[:blank:]]+$' >"$work/blanks" || true
check "blanks at the end of a line" "$work/blanks"

[ $# -ge 1 ]
for library in "$@"; do
	"${NM:-nm}" -g --defined-only --format=posix "$library" |
		awk 'NF >= 2 && $1 !~ /^vldaa_/ && $1 !~ /:$/ { print $1 }'
done >"$work/symbols"
check "external symbols without the prefix vldaa_" "$work/symbols"
[ $problems = 0 ]
