#!/bin/sh
# Promises of the command as such: every command explains itself with an example, wrong usage is exit status 2
# with a hint, output that cannot be written is 3, and nothing is written to a directory by a mistake in usage.
. "$(dirname "$0")/lib.sh"

commands='issuer,init issuer,nonce issuer,issue issuer,list issuer,ban issuer,rogue issuer,export issuer,backup
	tpm,init tpm,serve member,keygen member,request member,finish member,create member,sign member,show'

every_command_explains_itself_with_an_example() {
	for command in $commands; do
		name=$(echo "$command" | tr , ' ')
		# shellcheck disable=SC2086 # two words
		expect 0 "^usage: vldaa $name " "$vldaa" $name --help
		[ "$command" = tpm,serve ] || grep -q "^  vldaa $name" out || fail "$name: no example"
		grep -q '^Exit status: 0' out || fail "$name: no exit status"
		awk 'length > 110 { exit 1 }' out || fail "$name: long lines in --help"
		# also when everything else is wrong
		# shellcheck disable=SC2086
		expect 0 '^usage:' "$vldaa" $name --frob a b c d e -h
	done
	for group in issuer tpm member revoke; do
		expect 0 "^usage: vldaa $group COMMAND" "$vldaa" $group --help
		expect 2 "^usage: vldaa $group COMMAND" "$vldaa" $group
		expect 2 "vldaa $group: there is no command frob" "$vldaa" $group frob
	done
}

the_overview_tells_the_order_of_steps() {
	expect 2 '1. issuer init' "$vldaa"
	expect 0 '6. revoke' "$vldaa" --help
	grep -q serve out && fail 'an internal command is listed'
	expect 0 '^vldaa [0-9]' "$vldaa" --version
	expect 2 'there is no command frob' "$vldaa" frob
}

wrong_usage_is_told_with_a_hint() {
	for command in $commands; do
		name=$(echo "$command" | tr , ' ')
		# shellcheck disable=SC2086 # two words
		expect 2 "^vldaa $name: there is no option --frob$" "$vldaa" $name --frob
		grep -q "^Try .vldaa $name --help.\.$" out || fail "$name: no hint"
		# shellcheck disable=SC2086
		expect 2 'is missing' "$vldaa" $name
	done
	expect 2 'one argument too many: b' "$vldaa" issuer list a b
	expect 2 '--output needs a value: FILE' "$vldaa" member sign a b --basename x -o
	expect 2 '--json takes no value' "$vldaa" issuer list a --json=1
	expect 2 'there is no option -x' "$vldaa" issuer list a -x
	expect 2 '--state is given twice' "$vldaa" issuer list a --state live --state live
	expect 2 'there is no option --bas' "$vldaa" member sign a b --bas x
}

options_are_taken_in_all_their_forms() {
	for form in '-o sig' '-osig' '--output sig' '--output=sig'; do
		rm -f sig
		# shellcheck disable=SC2086 # one or two words
		quietly "$vldaa" member sign $form car1 --basename=parking report.txt
		[ -s sig ] || fail "$form"
	done
	# what follows -- is no option
	cp report.txt -- --json
	quietly "$vldaa" member sign -o sig --basename parking car1 -- --json
	expect 0 '' "$vldaa" verify -g group.pem -s sig -- --json
}

output_that_cannot_be_written_is_a_failure() {
	for arguments in --help --version 'issuer --help' 'issuer list --help' 'issuer list issuer' \
		'issuer list issuer --json' 'member show car1' 'member show car1 --json'; do
		expect 3 'standard output: ' sh -c "'$vldaa' $arguments >/dev/full"
	done
	# a reader that goes away is no reason to die silently
	expect 0 '' sh -c "'$vldaa' issuer list issuer | true"
}

vldaa=$1
run_scenario "$@"
