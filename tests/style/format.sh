#!/bin/sh
# Promise: all C is as clang-format leaves it.  Generated files look after themselves.
# format.sh CLANG_FORMAT SOURCE_DIR
set -eu
cd "$2"
find core params provider pkcs11 tests examples -name '*.[ch]' ! -name 'gen_*' -print0 2>/dev/null |
	xargs -0 "$1" --dry-run -Werror
