# What the provider's scenarios share; to be sourced, with $0 a script in this directory.  A script defines
# functions whose names are sentences, and ends with `run_scenario "$@"`:
#   script.sh TOOLS WORLD SCENARIO
# TOOLS is a file that sets openssl, modules, vldaa and what else a scenario runs; root where openssl has another root.  WORLD is the directory
# that world.sh made; every scenario works in a copy of its own.
# shellcheck shell=sh
. "$(dirname "$0")/../tool/lib.sh"

root='' openssl='' modules='' modules_without_issuer='' vldaa='' leak=''
# shellcheck disable=SC1090 # the tools are the caller's
. "$1"
# shellcheck disable=SC2034 # not every script runs all of them
tools="$root $openssl $modules $modules_without_issuer $vldaa $leak"

# One set of each scheme.
sets='VLDAA2-44 VLDAA-128'

# o COMMAND...: openssl with the provider, and the default one for everything else.
o() {
	command=$1
	shift
	"$openssl" "$command" -provider-path "$modules" -provider vldaa -provider default "$@"
}

# refused WORDS COMMAND...: fails, with such a line in what is written, and without a crash.
refused() {
	words=$1
	shift
	"$@" >out 2>&1
	status=$?
	if [ "$status" = 0 ] || [ "$status" -ge 126 ]; then
		fail "$*: status $status"
		cat out
	elif ! grep -Eq -e "$words" out; then
		fail "$*: no \"$words\" in:"
		cat out
	fi
}

# per_set FUNCTION: runs it in the directory of every set.
per_set() {
	for set in $sets; do
		cd "$set" || exit 1
		"$@"
		cd ..
	done
}
