# What the scenario scripts share; to be sourced, with vldaa set.  A script defines functions whose names are
# sentences, and ends with `run_scenario "$@"`:
#   script.sh VLDAA WORLD SCENARIO
# WORLD is the directory that world.sh made; every scenario works in a copy of its own.
# shellcheck shell=sh

set -u
failures=0
default_set=VLDAA2-44

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# expect STATUS WORDS COMMAND...: the exit status, and an extended regular expression that matches a line
# of what is written to either output ('' matches anything).  A command that fails says why.
expect() {
	wanted=$1
	words=$2
	shift 2
	"$@" >out 2>&1
	status=$?
	if [ "$status" != "$wanted" ]; then
		fail "$*: status $status, not $wanted"
		cat out
	elif [ "$wanted" != 0 ] && [ ! -s out ]; then
		fail "$*: status $status without a word"
	elif [ -n "$words" ] && ! grep -Eq -e "$words" out; then
		fail "$*: no \"$words\" in:"
		cat out
	fi
}

# quietly COMMAND...: has to work.
quietly() {
	"$@" >out 2>&1 || {
		fail "$*: status $?"
		cat out
	}
}

same() {
	cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

# wait_for WORDS FILE
wait_for() {
	for _ in $(seq 100); do
		grep -q "$1" "$2" && return
		sleep 0.1
	done
	fail "no $1"
}

size_of() {
	wc -c <"$1" | tr -d ' '
}

# flip FILE OFFSET OUT: one bit of the byte at this offset.
flip() {
	cp "$1" "$3"
	old=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\$(printf %03o $((old ^ 1)))" | dd of="$3" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# cut_to FILE BYTES OUT
cut_to() {
	head -c "$2" "$1" >"$3"
}

# The set of the group in this world.
set_of_world() {
	"$vldaa" inspect --json group.pem | sed -n 's/.*"set": "\([^"]*\)".*/\1/p'
}

# 0 when anybody can forge in this world.
is_forgeable() {
	case $(set_of_world) in
	VLDAA2-*) return 1 ;;
	esac
}

# A copy of the world.  Its members find their own copies of their TPMs, which lie beside them.
enter_copy() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	cp -r "$1/." "$work"
	cd "$work" || exit 1
}

run_scenario() {
	enter_copy "$2"
	scenario=$3
	"$scenario"
	[ "$failures" = 0 ]
}
