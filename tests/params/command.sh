#!/bin/sh
# Promises: exit status 0 done, 1 a check says no, 2 wrong arguments, 3 something failed; every subcommand
# explains itself with --help; the published sets meet their source's conditions and are called forgeable, the one-shot
# sets are called sound and name their assumptions.
# usage: command.sh VLDAA-PARAMS
set -u
params=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS WORDS-IN-OUTPUT ARGUMENT...
expect() {
	wanted=$1
	words=$2
	shift 2
	"$params" "$@" >"$work/out" 2>&1
	status=$?
	if [ "$status" != "$wanted" ]; then
		echo "vldaa-params $*: status $status, not $wanted"
		failures=$((failures + 1))
	fi
	if ! grep -q -e "$words" "$work/out"; then
		echo "vldaa-params $*: no \"$words\" in:"
		cat "$work/out"
		failures=$((failures + 1))
	fi
}

expect 2 'usage:'
expect 0 'usage:' --help
expect 0 '^vldaa-params [0-9]' --version
expect 2 'no command frob' frob
for command in list show check search generate; do
	expect 0 "usage: vldaa-params $command" "$command" --help
	expect 2 'no option --frob' "$command" --frob
done

expect 0 'VLDAA-256' list
expect 0 'VLDAA2-44' list
expect 0 '"name": "VLDAA-256", "summary"' list --json
expect 2 'no arguments' list VLDAA-42

expect 0 '7583' show VLDAA-128
expect 2 'which set' show
expect 2 'no set VLDAA-1' show VLDAA-128 VLDAA-1
expect 0 '^VLDAA-128' show vldaa-128
expect 0 '"q": 14867' show VLDAA-256 --json
expect 2 'takes no value' show VLDAA-256 --json=yes

expect 0 'q-prime  *ok' check --conditions
expect 1 'credential  *FAILED' check VLDAA-42
expect 1 'not unforgeable' check
expect 1 '"name": "credential", "ok": false' check --json
expect 2 'no set frob' check frob
expect 0 'signature_bits  *120' check VLDAA2-44
expect 0 'NTRU-ISIS_f' check VLDAA2-87
expect 0 '"signature_bits": 120' check VLDAA2-44 --json
expect 1 'credential  *FAILED' check VLDAA2-44 VLDAA-128

expect 0 'search-512-' search --degree 512 --lambda 128
expect 0 'search-512-' search --degree=512 --lambda=128 --cost-model=sc24 --aim least
expect 1 'no modulus' search --degree 64 --lambda 300
expect 2 '--degree and --lambda' search --degree 512
expect 2 'power of two' search --degree 500 --lambda 128
expect 2 'power of two' search --degree 2048 --lambda 128
expect 2 '--lambda is' search --degree 512 --lambda 12x
expect 2 '--lambda is' search --degree 512 --lambda -1
expect 2 'needs a value' search --degree
expect 2 '--cost-model is' search --degree 512 --lambda 128 --cost-model cheap
expect 2 '--aim is' search --degree 512 --lambda 128 --aim high

expect 2 'one directory' generate
expect 2 'one directory' generate "$work" "$work"
: >"$work/file"
expect 3 'cannot write' generate "$work/file"

# Output that cannot be written is a failure, not a success.
if [ -w /dev/full ]; then
	for arguments in 'list' 'show VLDAA-42' 'check --conditions VLDAA-42'; do
		# shellcheck disable=SC2086 # words on purpose
		"$params" $arguments >/dev/full 2>/dev/null
		status=$?
		if [ "$status" != 3 ]; then
			echo "vldaa-params $arguments on a full disk: status $status, not 3"
			failures=$((failures + 1))
		fi
	done
fi

[ "$failures" = 0 ]
