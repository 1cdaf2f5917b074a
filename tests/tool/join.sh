#!/bin/sh
# Promises of Join on the command line: a TPM with a manufacturer's certificate joins once, with a fresh nonce
# of the issuer's, and only with this issuer; an answer once given is given again, whatever was interrupted.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/cars.sh"

join() {
	ask "$1"
	expect 0 "$1.request: member [0-9]+, answer in $1.answer" \
		"$vldaa" issuer issue issuer "$1.request" -o "$1.answer"
	expect 0 '' "$vldaa" member finish "$1" "$1.answer"
}

a_certificate_from_an_intermediate_authority_joins_with_it_and_not_without() {
	new_authority inter root.key roots.pem
	new_certificate car3 inter.key inter.pem
	cp car3.ek.pem alone.pem
	cat inter.pem >>car3.ek.pem
	new_car car3
	join car3

	new_certificate car4 inter.key inter.pem
	new_car car4
	ask car4
	expect 1 'car4.request: the endorsement certificate has no valid chain.*\(.*issuer certificate' \
		"$vldaa" issuer issue issuer car4.request -o car4.answer
	[ ! -e car4.answer ] || fail 'an answer to a refused request'
}

an_unknown_manufacturer_is_refused() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key \
		-out other.pem -subj '/CN=somebody' -addext 'basicConstraints=critical,CA:TRUE' 2>err
	new_certificate car3 other.key other.pem
	new_car car3
	ask car3
	expect 1 'no valid chain' "$vldaa" issuer issue issuer car3.request -o car3.answer
	expect 1 '"error": "CERTIFICATE"' "$vldaa" issuer issue issuer car3.request -o car3.answer --json
}

other_kinds_of_endorsement_keys_join() {
	for kind in 'RSA -pkeyopt rsa_keygen_bits:2048' 'EC -pkeyopt ec_paramgen_curve:P-384' ED25519; do
		rm -rf car3 car3.*
		# shellcheck disable=SC2086 # several arguments
		openssl genpkey -algorithm $kind -out car3.ek.key 2>err
		certify car3 root.key roots.pem
		new_car car3
		join car3
	done
}

an_endorsement_key_of_another_certificate_makes_no_tpm() {
	new_certificate car3 root.key roots.pem
	new_certificate car4 root.key roots.pem
	expect 3 'car4.ek.pem: its first certificate is not for the key in car3.ek.key' "$vldaa" tpm init \
		car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car4.ek.pem
	[ ! -e car3.tpm ] || fail 'a directory of a TPM that was refused'
	expect 3 'no certificates in PEM' "$vldaa" tpm init \
		car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.key
	expect 3 'car3.ek.pem: this is a certificate, not a private key' "$vldaa" tpm init \
		car3.tpm --endorsement-key car3.ek.pem --endorsement-certificate car3.ek.pem
	new_car car3
	expect 2 'there is a TPM already' "$vldaa" tpm init \
		car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
}

an_expired_certificate_is_told_before_an_issuer_refuses_it() {
	new_certificate car3 root.key roots.pem
	expect 0 '' "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	[ ! -s out ] || fail 'a word about a certificate that is valid'
	openssl x509 -req -in car3.csr -CA roots.pem -CAkey root.key -CAcreateserial -days -1 -out old.pem 2>err
	expect 0 '^vldaa: warning: old.pem: the certificate has expired' "$vldaa" tpm init \
		old.tpm --endorsement-key car3.ek.key --endorsement-certificate old.pem
	quietly "$vldaa" member keygen old --group group.pem --tpm old.tpm
	quietly "$vldaa" issuer nonce issuer -o old.nonce
	quietly "$vldaa" member request old old.nonce -o old.request
	expect 1 'old.request: .*has expired' "$vldaa" issuer issue issuer old.request -o old.answer
}

a_nonce_serves_one_request() {
	new_certified_car car3
	new_certified_car car4
	ask car3
	quietly "$vldaa" member request car4 car3.nonce -o car4.request
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	expect 1 'car4.request: the nonce is unknown or was used before' \
		"$vldaa" issuer issue issuer car4.request -o car4.answer
	# and the twin, with a nonce of its own
	quietly "$vldaa" issuer nonce issuer -o car4.nonce
	quietly "$vldaa" member request car4 car4.nonce -o car4.request --anew
	quietly "$vldaa" issuer issue issuer car4.request -o car4.answer
	quietly "$vldaa" member finish car4 car4.answer
}

a_nonce_is_over_after_its_lifetime() {
	new_certified_car car3
	quietly "$vldaa" issuer nonce issuer -o car3.nonce --lifetime 1
	quietly "$vldaa" member request car3 car3.nonce -o car3.request
	sleep 2.1
	expect 1 'the nonce' "$vldaa" issuer issue issuer car3.request -o car3.answer
	for lifetime in 0 -1 x 1x '' 99999999999; do
		expect 2 'lifetime is 1 to' "$vldaa" issuer nonce issuer -o n --lifetime "$lifetime"
	done
}

another_issuer_is_told_from_ours() {
	new_certified_car car3
	quietly "$vldaa" issuer nonce foreign -o foreign.nonce
	expect 1 "foreign.nonce: the object belongs to another issuer's group" \
		"$vldaa" member request car3 foreign.nonce -o car3.request
	ask car3
	expect 1 "car3.request: the object belongs to another issuer's group" \
		"$vldaa" issuer issue foreign car3.request -o foreign.answer
	expect 1 'car3.request: the object belongs to another parameter set' \
		"$vldaa" issuer issue other-set car3.request -o foreign.answer
	# an answer of the foreign issuer, to a member of its own
	quietly "$vldaa" member keygen stranger --group foreign.pem --tpm car3.tpm
	quietly "$vldaa" member request stranger foreign.nonce -o stranger.request
	quietly "$vldaa" issuer issue foreign stranger.request -o stranger.answer
	expect 1 'stranger.answer' "$vldaa" member finish car3 stranger.answer
	# which takes nothing from either
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	quietly "$vldaa" member finish car3 car3.answer
	quietly "$vldaa" member finish stranger stranger.answer
}

a_second_live_credential_is_refused_until_the_operator_replaces_the_first() {
	# car1's TPM was reset: the same certificate, a new key
	cp car1.ek.key reset.ek.key
	cp car1.ek.pem reset.ek.pem
	new_car reset
	ask reset
	expect 1 'live credential' "$vldaa" issuer issue issuer reset.request -o reset.answer
	expect 0 '"member": 3' "$vldaa" issuer issue issuer reset.request -o reset.answer --replace --json
	quietly "$vldaa" member finish reset reset.answer
	expect 0 '^ +1  replaced .*CN=car1  \(replaced by 3\)$' "$vldaa" issuer list issuer
	expect 0 '^ +3  live ' "$vldaa" issuer list issuer --state live
	grep -q replaced out && fail 'a replaced member among the live ones'
	# the first does not come back
	expect 1 'live credential' "$vldaa" issuer issue issuer car1.request -o car1.again
}

the_same_request_gets_the_same_answer() {
	expect 0 'answered before' "$vldaa" issuer issue issuer car1.request -o again
	same again car1.answer
	expect 0 '"result": "repeated"' "$vldaa" issuer issue issuer car1.request -o again --json
	same again car1.answer
	quietly "$vldaa" issuer list issuer --json
	[ "$(grep -c '"member":' out)" = 2 ] || fail 'a row too many'
}

a_batch_goes_on_after_a_refusal_and_has_the_worst_status() {
	for car in a b c; do
		new_certified_car $car
		ask $car
	done
	flip b.request 300 damaged.request
	expect 1 'damaged.request: ' "$vldaa" issuer issue issuer a.request damaged.request c.request -o answers
	expect 0 '' "$vldaa" member finish a answers/a.request.answer
	expect 0 '' "$vldaa" member finish c answers/c.request.answer
	[ ! -e answers/damaged.request.answer ] || fail 'an answer to a refused request'
	expect 3 'missing: No such file' "$vldaa" issuer issue issuer damaged.request missing b.request -o answers
	expect 0 '' "$vldaa" member finish b answers/b.request.answer
	mkdir other
	cp a.request other
	expect 2 'two requests have the name a.request' \
		"$vldaa" issuer issue issuer a.request other/a.request -o answers
	expect 0 '' "$vldaa" issuer issue issuer a.request b.request c.request -o answers --json
	[ "$(grep -c '"result": "repeated"' out)" = 3 ] || fail 'not three repeated answers'
}

every_request_has_its_entry_in_json() {
	new_certified_car a
	ask a
	head -c 2000000 /dev/zero >big
	expect 1 '' "$vldaa" issuer issue issuer big -o x --json
	expect 3 '' "$vldaa" issuer issue issuer a.request nosuch big car1.request -o answers --json
	[ "$(grep -c '"request":' out)" = 4 ] || fail 'not four entries'
	for result in issued failed refused repeated; do
		[ "$(grep -c "\"result\": \"$result\"" out)" = 1 ] || fail "not one $result"
	done
	# the disk fails: what was not looked at is named too
	new_certified_car b
	ask b
	expect 3 '' small_disk 8000 "$vldaa" issuer issue issuer b.request car1.request -o answers --json
	[ "$(grep -c '"result": "failed"\|"result": "skipped"' out)" = 2 ] || fail 'not failed and skipped'
}

a_batch_has_a_progress_bar_on_a_terminal_and_nowhere_else() {
	cp car1.request copy.request
	expect 0 '' "$vldaa" issuer issue issuer car1.request copy.request -o answers
	grep -q '\[#' out && fail 'a progress bar without a terminal'
	script -qec "'$vldaa' issuer issue issuer car1.request copy.request -o answers" /dev/null >out 2>&1 </dev/null
	grep -q 'issuing \[#' out || fail 'no progress bar on a terminal'
}

damaged_and_wrong_files_are_named() {
	new_certified_car car3
	ask car3
	size=$(size_of car3.request)
	for at in 0 4 5 9 20 60 100 $((size / 2)) $((size - 1)); do
		flip car3.request "$at" damaged
		expect 1 '^vldaa: damaged: ' "$vldaa" issuer issue issuer damaged -o damaged.answer
	done
	cut_to car3.request $((size - 1)) short
	expect 1 'short: the data end too early' "$vldaa" issuer issue issuer short -o short.answer
	cat car3.request group.pem >long
	expect 1 'long: ' "$vldaa" issuer issue issuer long -o long.answer
	expect 1 'car3.nonce: this is an issuer.s nonce, not a join request' "$vldaa" issuer issue issuer car3.nonce -o x
	: >empty
	expect 1 'empty: ' "$vldaa" issuer issue issuer empty -o x
	expect 3 'absent: No such file' "$vldaa" issuer issue issuer absent -o x
	expect 1 '/dev/zero: the file is larger' "$vldaa" issuer issue issuer /dev/zero -o x
	expect 1 'group.pem: this is a group public key, not a join request' "$vldaa" issuer issue issuer group.pem -o x
	expect 1 'report.txt: this is text, not a join request' "$vldaa" issuer issue issuer report.txt -o x
	expect 1 '"reason": "this is text, not a join request"' \
		"$vldaa" issuer issue issuer report.txt -o x --json
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	size=$(size_of car3.answer)
	for at in 0 4 20 60 100 $((size / 2)) $((size - 1)); do
		flip car3.answer "$at" damaged
		expect 1 '^vldaa: damaged: ' "$vldaa" member finish car3 damaged
	done
	expect 1 'this is an issuer.s nonce, not a join answer' "$vldaa" member finish car3 car3.nonce
	expect 1 'this is a join request, not an issuer.s nonce' "$vldaa" member request car3 car3.request -o x
	quietly "$vldaa" member finish car3 car3.answer
}

kill_9_of_an_issuing_process_loses_no_answer_and_makes_none_twice() {
	requests=
	for car in a b c d e f; do
		new_certified_car $car
		ask $car
		requests="$requests $car.request"
	done
	mkdir answers
	for delay in 0.004 0.008 0.012 0.016 0.020 0.030 0.040; do
		# shellcheck disable=SC2086 # several arguments
		"$vldaa" issuer issue issuer $requests -o answers >out 2>&1 &
		process=$!
		sleep $delay
		kill -9 $process 2>err
		wait $process 2>err
		rm -rf before
		cp -r answers before
	done
	# shellcheck disable=SC2086
	expect 0 '' "$vldaa" issuer issue issuer $requests -o answers
	for answer in before/*.answer; do
		[ -e "$answer" ] && same "$answer" "answers/${answer#before/}"
	done
	for car in a b c d e f; do
		quietly "$vldaa" member finish $car answers/$car.request.answer
	done
	quietly "$vldaa" issuer list issuer --json
	[ "$(grep -c '"member":' out)" = 8 ] || fail 'not one row for each member'
}

a_full_disk_releases_no_answer_and_the_next_attempt_gives_it() {
	new_certified_car car3
	ask car3
	# the register cannot grow
	expect 3 'car3.request: the durable store failed' small_disk 8000 \
		"$vldaa" issuer issue issuer car3.request -o car3.answer
	[ ! -e car3.answer ] || fail 'an answer that the register does not have'
	expect 0 '' "$vldaa" issuer list issuer
	grep -q car3 out && fail 'a row without a commit'
	# the answer cannot be written
	expect 3 'No space left' "$vldaa" issuer issue issuer car3.request -o /dev/full
	expect 0 'answered before' "$vldaa" issuer issue issuer car3.request -o car3.answer
	quietly "$vldaa" member finish car3 car3.answer
}

two_processes_issue_at_once() {
	new_certified_car car3
	new_certified_car car4
	ask car3
	ask car4
	"$vldaa" issuer issue issuer car3.request car4.request -o one >out.one 2>&1 &
	first=$!
	"$vldaa" issuer issue issuer car4.request car3.request -o two >out.two 2>&1 || fail 'the second'
	wait $first || fail 'the first'
	same one/car3.request.answer two/car3.request.answer
	same one/car4.request.answer two/car4.request.answer
}

vldaa=$1
run_scenario "$@"
