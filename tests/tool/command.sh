#!/bin/sh
# Promises of the command as such: every command explains itself with an example, wrong usage is exit status 2
# with a hint, output that cannot be written is 3, and no mistake in usage writes over
# anything: not over what is read, not into the directory of a role, not two outputs into one file.
. "$(dirname "$0")/lib.sh"

commands='issuer,init issuer,nonce issuer,issue issuer,list issuer,ban issuer,rogue issuer,export issuer,backup
	tpm,init tpm,serve member,keygen member,request member,finish member,create member,sign member,show member,tpm'

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

a_forgeable_set_is_told_in_one_line_where_it_is_used_and_not_beside_json() {
	line='^vldaa: VLDAA-42 signatures are forgeable by anybody \(vldaa-params check VLDAA-42\)$'
	lines=0 bits=120
	if is_forgeable; then lines=1 bits=0; fi
	quietly "$vldaa" revoke order RA -a car1.att --soft -o order
	set -- "verify -g group.pem -s car1.sig report.txt" "link -g group.pem --attestations car1.att car1.att" \
		"issuer issue issuer car1.request -o again" "revoke order RA -a toll.att --soft -o order2" \
		"revoke obey car1 order -o confirmation" "revoke confirm RA confirmation" \
		"member sign car1 report.txt --basename b -o sig"
	for command in "$@"; do
		# shellcheck disable=SC2086 # words
		"$vldaa" $command >out 2>err || fail "$command: status $?"
		[ "$(grep -Ec "$line" err)" = $lines ] && [ "$(wc -l <err)" = $lines ] || fail "$command: $(cat err)"
		[ "$command" = "member sign car1 report.txt --basename b -o sig" ] && continue
		# shellcheck disable=SC2086
		"$vldaa" $command --json >out 2>err || fail "$command --json: status $?"
		[ ! -s err ] || fail "$command --json: $(cat err)"
	done
	for command in "verify -g group.pem -s car1.sig report.txt" "link -g group.pem --attestations car1.att car1.att"; do
		# shellcheck disable=SC2086
		expect 0 "\"signature_bits\": $bits" "$vldaa" $command --json
	done
}

# unwritten WORDS COMMAND...: refused as wrong usage, with everything as it was.
unwritten() {
	words=$1
	shift
	rm -rf ../before
	cp -a . ../before
	expect 2 "$words" "$@"
	rm -f out
	diff -r ../before . || fail "$*: something changed"
}

what_is_read_is_not_written_over() {
	mkdir here
	cp -r ./[!h]* here
	cd here || exit 1
	ln car1.nonce linked
	ln -s car1.att symbolic
	unwritten 'report.txt would be written over report.txt, which is read' \
		"$vldaa" member sign car1 --basename x report.txt -o report.txt
	unwritten 'would be written over report.txt' \
		"$vldaa" member sign car1 --basename x report.txt -o ../here/./report.txt
	unwritten 'linked would be written over car1.nonce' "$vldaa" member request car1 car1.nonce -o linked
	unwritten 'symbolic would be written over car1.att' \
		"$vldaa" revoke order RA --soft --attestation=car1.att -osymbolic
	unwritten 'is read' "$vldaa" revoke order RA --soft -s car1.sig -m report.txt -o report.txt
	unwritten 'is read' "$vldaa" revoke obey car1 report.txt -o report.txt
	unwritten 'is read' "$vldaa" issuer issue issuer car1.request -o car1.request
	printf 'x\n' >pass
	unwritten 'is read' "$vldaa" issuer nonce issuer -o pass --passphrase-file pass
	# in a directory of answers
	cp car2.request car1.request.answer
	unwritten 'car1.request.answer would be written over car1.request.answer' \
		"$vldaa" issuer issue issuer car1.request car1.request.answer -o .
	cd ..
}

no_output_goes_into_the_directory_of_a_role() {
	mkdir here
	cp -r ./[!h]* here
	cd here || exit 1
	ln -s issuer elsewhere
	unwritten 'issuer/register.db lies in issuer' "$vldaa" issuer nonce issuer -o issuer/register.db
	unwritten 'lies in issuer' "$vldaa" issuer nonce issuer -o elsewhere/new
	unwritten 'lies in elsewhere' "$vldaa" issuer nonce elsewhere -o issuer/new
	unwritten 'lies in issuer' "$vldaa" issuer export issuer --group-key issuer/issuer.pem
	unwritten 'lies in issuer' "$vldaa" issuer export issuer --group-key g --rogue-list "$PWD/issuer/r"
	unwritten 'lies in issuer' "$vldaa" issuer backup issuer issuer/copy.db
	unwritten 'lies in issuer' "$vldaa" issuer issue issuer car1.request -o issuer
	unwritten 'lies in issuer' "$vldaa" issuer issue issuer car1.request car2.request -o issuer/answers
	unwritten 'car1/credential lies in car1' "$vldaa" member sign car1 report.txt --basename x -o car1/credential
	unwritten 'lies in car1' "$vldaa" member create car1 --basename x -o car1/pseudonyms/new
	unwritten 'lies in car1' "$vldaa" member create car1 --basename x -o a --token car1/host.pem
	unwritten 'lies in car1.tpm' "$vldaa" member sign car1 report.txt --basename x -o car1.tpm/tpm.db
	unwritten 'lies in car1.tpm' "$vldaa" revoke obey car1 report.txt -o car1.tpm/tpm.db
	unwritten 'RA/orders/x lies in RA' "$vldaa" revoke list RA -o RA/orders/x
	unwritten 'lies in RA' "$vldaa" revoke order RA --soft -a car1.att -o RA/fleet.key
	cd issuer || exit 1
	expect 2 'new lies in \.' "$vldaa" issuer nonce . -o new
	[ ! -e new ] || fail 'a nonce in the issuer directory'
	cd ..
	# what only looks like it
	mkdir issuer2
	quietly "$vldaa" issuer nonce issuer -o issuer2/nonce
	quietly "$vldaa" issuer nonce issuer -o issuer/../nonce
	cd ..
}

two_outputs_do_not_go_into_one_file() {
	for second in a ./a "$PWD/a" -; do
		first=a
		[ "$second" = - ] && first=-
		expect 2 'two outputs would go to' "$vldaa" member create car1 --basename x -o $first --token "$second"
	done
	expect 2 'two outputs' "$vldaa" issuer export issuer --group-key a --fleet-key a
	[ ! -e a ] || fail 'an output'
	: >a
	ln a b
	expect 2 'two outputs' "$vldaa" issuer export issuer --group-key a --fleet-key b
	quietly "$vldaa" member create car1 --basename x -o a --token c
	quietly "$vldaa" member create car1 --basename x -o /dev/null --token /dev/null
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
