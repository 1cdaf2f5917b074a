#!/bin/sh
# Promises of `vldaa link`: 0 one member made both, 1 not, 2 wrong usage, 3 there is no answer.
vldaa=$1
. "$(dirname "$0")/lib.sh"

link() {
	wanted=$1
	words=$2
	shift 2
	expect "$wanted" "$words" "$vldaa" link --group group.pem "$@"
}

one_member_and_one_basename_link() {
	link 0 '^linked' car1.sig report.txt second.sig second.txt
	link 0 '^linked' car1.sig report.txt car1.sig report.txt
	link 0 '"linked": true' --json second.sig second.txt car1.sig report.txt
	link 0 '^linked' --attestations car1.att car1.att
}

two_members_do_not_link() {
	link 1 '^not linked: two members' car1.sig report.txt car2.sig report.txt
	link 1 '^not linked: two members' --attestations car2.att car1.att
	link 1 '"linked": false' --json car2.sig report.txt car1.sig report.txt
	grep -q '"same_basename": true' out || fail 'the basenames are the same'
}

help_tells_its_own_exit_statuses() {
	expect 0 '^Exit status: 0 linked, 1 not linked' "$vldaa" link --help
	grep -q '0 done' out && fail 'and those of other commands'
}

two_basenames_do_not_link() {
	link 1 'basenames differ' car1.sig report.txt toll.sig report.txt
	link 1 'basenames differ' --attestations toll.att car1.att
	link 1 '"same_basename": false' --json toll.sig report.txt car1.sig report.txt
}

an_invalid_one_gives_no_answer() {
	link 3 '^no answer: PROOF: car1.sig' car1.sig second.txt second.sig second.txt
	link 3 '^no answer: PROOF: second.sig' car1.sig report.txt second.sig report.txt
	link 3 '"linked": null' --json car1.sig second.txt second.sig second.txt
	grep -q '"error": "PROOF"' out || fail 'no reason'
	flip car1.att 300 flipped.att
	link 3 '^no answer: .*flipped.att' --attestations car1.att flipped.att
	link 3 '^no answer: KIND: car1.sig: this is a self-contained signature, not an attestation' \
		--attestations car1.att car1.sig
	link 3 'No such file' car1.sig report.txt missing second.txt
	link 3 'No such file' car1.sig report.txt second.sig missing
	expect 3 'WRONG_ISSUER' "$vldaa" link -g foreign.pem car1.sig report.txt second.sig second.txt
}

compact_signatures_link_with_their_attestations() {
	link 0 '^linked' --attestation car1.att compact.sig report.txt second.sig second.txt
	link 0 '^linked' -a toll.att -a car1.att second.sig second.txt compact.sig report.txt
	link 1 'two members' -a car1.att car2.sig report.txt compact.sig report.txt
	link 3 'ATTESTATION' -a car2.att compact.sig report.txt second.sig second.txt
	link 2 'name its attestation' compact.sig report.txt second.sig second.txt
}

wrong_usage_is_no_answer_either() {
	link 2 'each before its file' car1.sig report.txt second.sig
	link 2 'two attestations' --attestations car1.att car1.att car2.att
	link 2 'standard input' car1.sig - second.sig -
	expect 2 '--group GROUP is missing' "$vldaa" link car1.sig report.txt second.sig second.txt
}

run_scenario "$@"
