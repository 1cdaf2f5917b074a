#!/bin/sh
# Promise: every installed header compiles alone, as strict C11 and as C++17, without a warning.
# headers.sh HEADER...   (CC, CXX: the compilers)
set -eu
include=""
for header in "$@"; do
	include="$include -I $(dirname "$(dirname "$header")")"
done
warnings="-Wall -Wextra -Werror -pedantic-errors -Wshadow -Wundef -Wno-pragma-once-outside-header"
[ $# -ge 1 ]
for header in "$@"; do
	# shellcheck disable=SC2086 # lists of options
	"${CC:-cc}" -std=c11 $warnings -Wstrict-prototypes -fsyntax-only $include -x c "$header"
	# shellcheck disable=SC2086
	"${CXX:-c++}" -std=c++17 $warnings -fsyntax-only $include -x c++ "$header"
done
