#!/bin/sh
# Promise: shellcheck has nothing to say about the scripts.
# Usage: shellcheck.sh SHELLCHECK SOURCE_DIR
set -eu
cd "$2"
scripts=$(find .ci core params provider pkcs11 tests examples -type f \
	-exec grep -lE '^#!.*[ /](ba)?sh( |$)' {} + 2>/dev/null) || true
[ "$(echo "$scripts" | wc -l)" -ge 5 ]
# shellcheck disable=SC2086 # a list of files
"$1" --norc --severity=warning --external-sources --source-path=SCRIPTDIR $scripts
