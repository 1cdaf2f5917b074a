#!/bin/sh
# Promise: the specification of the one-shot sets says the numbers that the library has.  Whoever writes another
# verifier takes bounds and sizes from core/README.md, so each generated one of five digits or more stands there.
#
# numbers.sh SOURCE_DIR
set -eu
cd "$1"
missing=0
numbers=$(sed -n \
	-e 's/^\t*\.\(bound2_low\|identity_low\|beta2\|accept2\) = UINT64_C(\([0-9]*\)).*/\2/p' \
	-e 's/^\t*\.max_bytes = \([0-9]*\),.*/\1/p' \
	-e 's/^\t\.id = 0x\([0-9a-f]*\),$/0x\1/p' \
	core/src/proof/gen_oneshot_sets.c core/src/scheme/gen_oneshot.c | sort -u)
[ "$(echo "$numbers" | wc -l)" -ge 30 ] || { echo "too few numbers:" "$numbers"; exit 1; }
for number in $numbers; do
	grep -qE "(^|[^0-9])$number([^0-9]|$)" core/README.md || {
		echo "core/README.md lacks $number"
		missing=1
	}
done
exit $missing
