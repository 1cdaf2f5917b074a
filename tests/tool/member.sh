#!/bin/sh
# Promises of `vldaa member` and `vldaa tpm`: the TPM's secrets stay in its directory, of which there is one a
# member; whatever is interrupted can be repeated; pseudonyms are kept and signatures of any message verify.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/cars.sh"

a_members_and_a_tpms_files_are_their_owners_alone() {
	(
		umask 022
		new_certified_car car3
	)
	for directory in car3 car3.tpm; do
		[ "$(stat -c %a $directory)" = 700 ] || fail "$directory is open"
	done
	for file in car3/host.pem car3.tpm/endorsement.pem car3.tpm/tpm.db car1/credential; do
		[ "$(stat -c %a $file)" = 600 ] || fail "$file is open"
	done
}

a_directory_that_others_may_enter_gets_no_secrets() {
	new_certificate car3 root.key roots.pem
	mkdir car3.tpm car3 authority
	for directory in car3.tpm car3 authority; do
		: >$directory/something
		chmod 777 $directory
	done
	expect 2 'car3.tpm: others may enter.*chmod 700 car3.tpm' "$vldaa" tpm init car3.tpm \
		--endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	expect 2 'authority: others may enter' "$vldaa" revoke init authority --authority ra.pem \
		--fleet-key fleet.key --group group.pem
	[ "$(ls car3.tpm authority)" = "$(printf 'authority:\nsomething\n\ncar3.tpm:\nsomething')" ] ||
		fail 'files in it'
	# an empty one is made its owner's
	rm car3.tpm/something
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	[ "$(stat -c %a car3.tpm)" = 700 ] || fail 'car3.tpm is open'
	expect 2 'car3: others may enter' "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	chmod 700 car3
	expect 0 '' "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	mkdir -m 777 open
	expect 0 '' "$vldaa" issuer init open --set VLDAA-42 --revocation-key ra.pub.pem \
		--manufacturer-roots roots.pem
	[ "$(stat -c %a open)" = 700 ] || fail 'an issuer that is open'
}

a_member_and_its_tpm_do_not_share_a_directory() {
	new_certificate car3 root.key roots.pem
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	expect 2 'need a directory each' "$vldaa" member keygen car3.tpm --group group.pem --tpm car3.tpm
	expect 0 '' "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	if is_forgeable; then
		grep -q 'warning: VLDAA-42: not unforgeable' out || fail 'no warning'
	else
		[ ! -s out ] || fail "$(cat out)"
	fi
}

a_tpm_serves_one_member_of_a_group() {
	expect 2 'car1.tpm: this TPM serves a member of this group already' \
		"$vldaa" member keygen second --group group.pem --tpm car1.tpm
	[ ! -e second/host.pem ] || fail 'a second member'
	expect 2 'car1: there is a member already' "$vldaa" member keygen car1 --group group.pem --tpm car1.tpm
	# of another group it may
	expect 0 '' "$vldaa" member keygen second --group foreign.pem --tpm car1.tpm
}

two_hosts_on_one_tpm_are_told_apart_before_one_takes_the_others_request() {
	new_certified_car h1
	expect 2 'h1.tpm: this TPM serves a member of this group already, which is not h2' \
		"$vldaa" member keygen h2 --group group.pem --tpm h1.tpm
	[ ! -e h2/host.pem ] || fail 'a second member'
	ask h1
	expect 2 'serves a member of this group already' "$vldaa" member keygen h2 --group group.pem --tpm h1.tpm
	# a host's directory that was lost does not make the TPM useless, as long as it has not joined
	quietly "$vldaa" member keygen h2 --group group.pem --tpm h1.tpm --anew
	expect 2 'h1.tpm: this TPM serves a member of this group already, which is not h1' \
		"$vldaa" member request h1 h1.nonce -o again
	quietly "$vldaa" issuer nonce issuer -o h2.nonce
	quietly "$vldaa" member request h2 h2.nonce -o h2.request
	quietly "$vldaa" issuer issue issuer h2.request -o h2.answer
	quietly "$vldaa" member finish h2 h2.answer
	expect 2 'serves a member' "$vldaa" member finish h1 h2.answer
	expect 2 'serves a member' "$vldaa" member keygen h3 --group group.pem --tpm h1.tpm --anew
}

processes_that_ask_at_once_ask_the_same() {
	new_certificate car3 root.key roots.pem
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	for i in 1 2 3 4; do
		{
			"$vldaa" member keygen car3 --group group.pem --tpm car3.tpm >keygen.$i 2>&1
			echo $? >keygen.status.$i
		} &
	done
	wait
	[ "$(cat keygen.status.? | grep -c 0)" = 1 ] || fail 'not one keygen of four'
	quietly "$vldaa" issuer nonce issuer -o car3.nonce
	for i in 1 2 3 4; do
		"$vldaa" member request car3 car3.nonce -o request.$i >request.out.$i 2>&1 &
	done
	wait
	for i in 1 2 3 4; do
		same request.$i car3/request
	done
	quietly "$vldaa" issuer issue issuer request.2 -o car3.answer
	for i in 1 2 3; do
		"$vldaa" member finish car3 car3.answer >finish.out.$i 2>&1 &
	done
	wait
	expect 0 'state +joined' "$vldaa" member show car3
}

a_keygen_that_is_cut_off_can_be_begun_again() {
	new_certificate car3 root.key roots.pem
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	# the TPM's store cannot grow: no key
	expect 3 'tpm.db: ' small_disk 5000 "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	# the TPM has its key, the member's directory cannot be made
	mkdir closed
	chmod 500 closed
	expect 3 'closed/car3: Permission denied' \
		ordinary "$vldaa" member keygen closed/car3 --group group.pem --tpm car3.tpm
	expect 0 '' "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	ask car3
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	quietly "$vldaa" member finish car3 car3.answer
}

a_tpm_init_that_is_cut_off_can_be_begun_again() {
	new_certificate car3 root.key roots.pem
	for bytes in 1 200 400 5000; do
		expect 3 'File too large|disk' small_disk $bytes "$vldaa" tpm init car3.tpm \
			--endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
		expect 3 '' "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
	done
	for delay in 0.001 0.002 0.003 0.004 0.006 0.008; do
		rm -rf car3.tpm
		"$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key \
			--endorsement-certificate car3.ek.pem >out 2>&1 &
		process=$!
		sleep $delay
		kill -9 $process 2>err
		wait $process 2>err
		[ -e car3.tpm/endorsement.pem ] || quietly "$vldaa" tpm init car3.tpm \
			--endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	done
	quietly "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm
}

a_request_is_the_same_again_and_not_given_up_by_accident() {
	new_certified_car car3
	ask car3
	quietly "$vldaa" member request car3 car3.nonce -o again
	same car3.request again
	quietly "$vldaa" issuer nonce issuer -o other.nonce
	expect 2 'a request for another nonce is out already; --anew' \
		"$vldaa" member request car3 other.nonce -o other.request
	[ ! -e other.request ] || fail 'a second request'
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	cp -r car3 given-up
	cp -r car3.tpm given-up.tpm
	printf %s "$work/given-up.tpm" >given-up/tpm
	# given up on purpose: the answer to the old one is of no use
	expect 0 '' "$vldaa" member request given-up other.nonce -o other.request --anew
	expect 1 'car3.answer: ' "$vldaa" member finish given-up car3.answer
	# and not given up
	expect 0 '' "$vldaa" member finish car3 car3.answer
}

a_request_that_cannot_be_written_is_the_same_when_repeated() {
	new_certified_car car3
	quietly "$vldaa" issuer nonce issuer -o car3.nonce
	expect 3 'No space left' "$vldaa" member request car3 car3.nonce -o /dev/full
	quietly "$vldaa" member request car3 car3.nonce -o car3.request
	same car3/request car3.request
}

an_answer_that_cannot_be_kept_can_be_taken_again() {
	new_certified_car car3
	ask car3
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	# the TPM cannot write
	expect 3 'tpm.db: ' small_disk 3000 "$vldaa" member finish car3 car3.answer
	# the TPM takes it, the host cannot write
	chmod 500 car3
	expect 3 'car3/credential: Permission denied' ordinary "$vldaa" member finish car3 car3.answer
	chmod 700 car3
	expect 0 'state +request is out' "$vldaa" member show car3
	expect 0 '' "$vldaa" member finish car3 car3.answer
	expect 0 'state +joined' "$vldaa" member show car3
	[ ! -e car3/request ] || fail 'the request is still there'
	expect 2 'has joined already' "$vldaa" member finish car3 car3.answer
	expect 2 'has joined already' "$vldaa" member request car3 car3.nonce -o x
	quietly "$vldaa" member sign car3 report.txt --basename b -o sig
	expect 0 '' "$vldaa" verify -g group.pem -s sig report.txt
}

kill_9_of_a_joining_member_leaves_one_that_can_go_on() {
	new_certified_car car3
	ask car3
	quietly "$vldaa" issuer issue issuer car3.request -o car3.answer
	cp -r car3 before
	cp -r car3.tpm before.tpm
	for delay in 0.001 0.003 0.005 0.007 0.009 0.012 0.016; do
		rm -rf car3 car3.tpm
		cp -r before car3
		cp -r before.tpm car3.tpm
		# the host and its TPM, which are one process group
		setsid "$vldaa" member finish car3 car3.answer >out 2>&1 &
		process=$!
		sleep $delay
		kill -9 -$process 2>err
		wait $process 2>err
		[ -e car3/credential ] || quietly "$vldaa" member finish car3 car3.answer
		quietly "$vldaa" member sign car3 report.txt --basename b -o sig
		expect 0 '' "$vldaa" verify -g group.pem -s sig report.txt
	done
}

another_members_answer_is_refused() {
	new_certified_car car3
	ask car3
	expect 1 'car2.answer: ' "$vldaa" member finish car3 car2.answer
	expect 0 'state +request is out' "$vldaa" member show car3
	cp car1/credential car3/credential
	expect 3 "is car3.tpm this member's TPM" "$vldaa" member sign car3 report.txt --basename b -o sig
	[ ! -e sig ] || fail "a signature with another member's credential"
}

only_who_has_joined_signs() {
	new_certified_car car3
	expect 2 'car3: the member has no credential yet' "$vldaa" member sign car3 report.txt --basename b -o sig
	expect 2 'car3: the member has no credential yet' "$vldaa" member create car3 --basename b -o att
	[ ! -e sig ] && [ ! -e att ] || fail 'an output'
}

messages_of_any_size_are_signed() {
	: >empty
	head -c 3000000 /dev/zero >large
	for file in empty large; do
		quietly "$vldaa" member sign car1 $file --basename b -o $file.sig
		expect 0 '' "$vldaa" verify -g group.pem -s $file.sig $file
	done
	expect 1 '' "$vldaa" verify -g group.pem -s empty.sig large
	# as a stream, from a pipe
	expect 0 '' sh -c "cat large | '$vldaa' member sign car1 - --basename b -o piped.sig"
	expect 0 '' "$vldaa" verify -g group.pem -s piped.sig large
	expect 0 '' sh -c "'$vldaa' member sign car1 large --basename b -o - >stdout.sig"
	expect 0 '' "$vldaa" verify -g group.pem -s stdout.sig large
	expect 3 'absent: No such file' "$vldaa" member sign car1 absent --basename b -o x
	expect 3 '\.: Is a directory' "$vldaa" member sign car1 . --basename b -o x
	expect 3 'No space left' "$vldaa" member sign car1 report.txt --basename b -o /dev/full
	[ ! -e x ] || fail 'a signature of nothing'
}

a_large_file_has_a_progress_bar_on_a_terminal_and_nowhere_else() {
	truncate -s 80M large
	sign="'$vldaa' member sign car1 large --basename b -o sig"
	verify="'$vldaa' verify -g group.pem -s sig large"
	expect 0 '' sh -c "$sign && $verify"
	grep -q '\[#' out && fail 'a progress bar without a terminal'
	script -qec "$sign" /dev/null >out 2>&1 </dev/null
	grep -q 'signing \[#*\.*\] [0-9]*/80 MB' out || fail 'no progress bar of signing'
	script -qec "$verify" /dev/null >out 2>&1 </dev/null
	grep -q 'verifying \[#*\.*\] [0-9]*/80 MB' out || fail 'no progress bar of verifying'
	grep -q 'valid: ' out || fail 'no verdict'
	truncate -s 1M large
	script -qec "$sign" /dev/null >out 2>&1 </dev/null
	grep -q '\[#' out && fail 'a progress bar of a small file'
}

a_pseudonym_is_made_once_and_kept() {
	quietly "$vldaa" member create car1 --basename parking -o again
	same again car1.att
	expect 0 '"basename": "toll"' "$vldaa" member show car1 --json
	[ "$(grep -c '"basename":' out)" = 2 ] || fail 'not two pseudonyms'
	# two processes at once use one
	"$vldaa" member create car1 --basename race -o one >out.one 2>&1 &
	first=$!
	"$vldaa" member create car1 --basename race -o two >out.two 2>&1 || fail 'the second'
	wait $first || fail 'the first'
	same one two
	# a file that was swapped is noticed
	for file in car1/pseudonyms/*; do
		cp toll.att "$file"
	done
	expect 3 'not the attestation that was kept' "$vldaa" member sign car1 report.txt --basename parking -o x
}

basenames_have_1_to_255_bytes() {
	long=$(printf '%0255d' 7)
	expect 0 '' "$vldaa" member sign car1 report.txt --basename "$long" -o sig
	expect 0 '' "$vldaa" verify -g group.pem -s sig --basename "$long" report.txt
	expect 2 '255' "$vldaa" member sign car1 report.txt --basename "${long}7" -o x
	expect 2 '' "$vldaa" member sign car1 report.txt --basename '' -o x
	expect 2 '' "$vldaa" member sign car1 report.txt -o x
	expect 2 '' "$vldaa" member create car1 -o x
	expect 2 '' "$vldaa" member sign car1 report.txt --basename a --basename-hex 61 -o x
	for hex in 0 0g '' "$(printf '%0512d' 0)"; do
		expect 2 '' "$vldaa" member sign car1 report.txt --basename-hex "$hex" -o x
	done
	expect 0 '' "$vldaa" member create car1 --basename-hex 00ff1b -o att
	expect 0 '\\x00\\xff\\x1b' "$vldaa" member show car1
	expect 0 '"basename_hex": "00ff1b"' "$vldaa" member show car1 --json
	[ ! -e x ] || fail 'an output'
}

# says STATUS WORDS COMMAND...: as expect, and nothing else is said on standard error.
says() {
	expect "$@"
	grep -v 'are forgeable by anybody' out >other
	[ "$(wc -l <other)" = 1 ] || fail "more than one line: $(cat out)"
}

sign_with_car1() {
	"$vldaa" member sign car1 report.txt --basename b -o sig
}

a_tpm_that_is_gone_or_broken_is_a_failure() {
	mv car1.tpm away
	moved='^vldaa: car1: its TPM is not in car1.tpm; .vldaa member tpm car1 TPMDIR. tells where it has gone$'
	says 3 "$moved" sign_with_car1
	mkdir car1.tpm
	says 3 "$moved" sign_with_car1
	rmdir car1.tpm
	cp -r away car1.tpm
	chmod 000 car1.tpm
	says 3 'car1.tpm/.*: Permission denied' ordinary "$vldaa" member sign car1 report.txt --basename b -o sig
	chmod 700 car1.tpm
	head -c 3000 away/tpm.db >car1.tpm/tpm.db
	says 3 'tpm.db: ' sign_with_car1
	cp report.txt car1.tpm/tpm.db
	says 3 'tpm.db: file is not a database' sign_with_car1
	rm car1.tpm/tpm.db
	says 3 'tpm.db: No such file' sign_with_car1
	# another car's TPM
	rm -rf car1.tpm
	cp -r car2.tpm car1.tpm
	says 3 "is car1.tpm this member's TPM" "$vldaa" member sign car1 report.txt --basename new -o sig
	[ ! -e sig ] || fail 'a signature'
	rm -rf car1.tpm
	mv away car1.tpm
	quietly sign_with_car1
}

a_member_and_its_tpm_are_moved_together_or_told() {
	# side by side, from wherever the command runs
	mkdir garage garage/deep
	mv car1 car1.tpm garage
	expect 0 '^tpm +garage/car1.tpm$' "$vldaa" member show garage/car1
	(cd garage/deep && "$vldaa" member sign ../car1/ ../../report.txt --basename b -o sig >../../out 2>&1) ||
		fail "from elsewhere: $(cat out)"
	(cd garage/car1 && "$vldaa" member show . >../../out 2>&1) || fail "from inside: $(cat out)"
	ln -s garage/car1 link
	expect 0 '' "$vldaa" member show link
	# apart
	mv garage/car1.tpm away
	mv garage/car1 .
	rm link
	expect 3 'its TPM is not in car1.tpm' sign_with_car1
	expect 3 'nowhere is not a TPM.s directory \(vldaa tpm init makes one\)' "$vldaa" member tpm car1 nowhere
	expect 3 'car2 is not a TPM.s directory' "$vldaa" member tpm car1 car2
	expect 1 "car2.tpm: this is another member's TPM" "$vldaa" member tpm car1 car2.tpm
	new_certificate car3 root.key roots.pem
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	expect 1 "car3.tpm: this TPM has no key in the member's group" "$vldaa" member tpm car1 car3.tpm
	expect 3 'its TPM is not in car1.tpm' sign_with_car1
	expect 0 '' "$vldaa" member tpm car1 away/
	expect 0 '^tpm +away$' "$vldaa" member show car1
	mv away garage
	expect 0 '' "$vldaa" member tpm car1 garage/away
	expect 0 "^tpm +$work/garage/away$" "$vldaa" member show car1
	quietly sign_with_car1
}

a_directory_that_is_none_of_a_member_is_told() {
	none='is not a member.s directory \(vldaa member keygen makes one\)$'
	mkdir empty
	for directory in empty absent report.txt issuer car1.tpm; do
		says 3 "^vldaa: $directory $none" "$vldaa" member sign $directory report.txt --basename b -o sig
		says 3 "^vldaa: $directory $none" "$vldaa" member show $directory
		says 3 "^vldaa: $directory $none" "$vldaa" member request $directory car1.nonce -o x
	done
	says 3 'car2 is not a TPM.s directory \(vldaa tpm init makes one\)' \
		"$vldaa" member keygen new --group group.pem --tpm car2
	[ ! -e new ] || fail 'a member'
}

the_tpms_process_forgets_the_member_key_between_calls() {
	quietly "$leak" car1.tpm/tpm.db group.pem record
	expect 0 '^0 of [0-9]+ pieces found' "$(dirname "$leak")/tpm_memory" "$vldaa" car1.tpm group.pem record
}

the_tpms_process_does_not_get_the_hosts_passphrase() {
	mkfifo message
	OPENSSL_PASS=correct-horse "$vldaa" member sign car1 message --basename b -o sig \
		--passphrase-env OPENSSL_PASS >sign.out 2>&1 &
	host=$!
	tpm=
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		tpm=$(cat /proc/$host/task/$host/children)
		[ -z "$tpm" ] || break
		sleep 0.1
	done
	# shellcheck disable=SC2086 # a number and a space
	tpm=$(echo $tpm)
	grep -q -a correct-horse /proc/$host/environ || fail 'the passphrase is not where it is looked for'
	expect 0 '' cat "/proc/$tpm/environ"
	grep -q -a correct-horse out && fail 'the TPM has the passphrase'
	: >message # which waits for its reader
	wait $host || fail 'no signature'
}

a_service_of_the_tpm_that_fails_is_told() {
	new_certified_car car3
	quietly "$vldaa" issuer nonce issuer -o car3.nonce
	# more than the TPM holds, in a directory that was made by hand
	openssl req -x509 -key car3.ek.key -subj /CN=large -days 365 -out large.pem \
		-addext "nsComment=$(head -c 33000 /dev/zero | tr '\0' x)" 2>err || cat err
	expect 3 'large.pem: the chain has 33[0-9]+ bytes, of which a TPM holds 32768' "$vldaa" tpm init car4.tpm \
		--endorsement-key car3.ek.key --endorsement-certificate large.pem
	[ ! -e car4.tpm ] || fail 'a TPM that cannot join'
	cp large.pem car3.tpm/chain.pem
	expect 3 'chain.pem: the chain has' "$vldaa" member request car3 car3.nonce -o car3.request
	# an endorsement key that cannot sign
	cp car3.ek.pem car3.tpm/chain.pem
	openssl genpkey -algorithm X25519 -out car3.tpm/endorsement.pem
	expect 3 'car3: the cryptographic library failed' "$vldaa" member request car3 car3.nonce -o car3.request
}

the_tpms_process_takes_calls_and_nothing_else() {
	# an unknown call: ARGUMENT (-1), and the next one is answered too
	printf '\0\0\0\143\0\0\0\0\0\0\0\144\0\0\0\0' | "$vldaa" tpm serve car1.tpm >reply || fail 'serve'
	printf '\377\377\377\377\0\0\0\0\377\377\377\377\0\0\0\0' >wanted
	same reply wanted
	# garbage is answered with an error: too long, cut off, none at all
	printf 'GET / HTTP/1.0\r\n\r\n' >text
	expect 3 "the TPM's input: Message too long" sh -c "'$vldaa' tpm serve car1.tpm <text"
	printf '\0\0\0\1\0\0\0\5abc' >short
	expect 3 "the TPM's input: Protocol error" sh -c "'$vldaa' tpm serve car1.tpm <short"
	expect 0 '' "$vldaa" tpm serve car1.tpm </dev/null
	[ ! -s out ] || fail 'an answer to no call'
}

a_hosts_key_can_be_encrypted() {
	printf 'correct horse\n' >pass
	new_certificate car3 root.key roots.pem
	quietly "$vldaa" tpm init car3.tpm --endorsement-key car3.ek.key --endorsement-certificate car3.ek.pem
	quietly "$vldaa" member keygen car3 --group group.pem --tpm car3.tpm --passphrase-file pass
	grep -q 'BEGIN ENCRYPTED PRIVATE KEY' car3/host.pem || fail 'not encrypted'
	quietly "$vldaa" issuer nonce issuer -o nonce
	expect 2 'give its passphrase \(--passphrase-file or --passphrase-env\)' detached "$vldaa" member request car3 nonce -o request
	expect 0 '' "$vldaa" member request car3 nonce -o request --passphrase-file pass
	quietly "$vldaa" issuer issue issuer request -o answer
	expect 0 '' "$vldaa" member finish car3 answer --passphrase-file pass
	expect 0 '' "$vldaa" member sign car3 report.txt --basename b -o sig --passphrase-file pass
}

vldaa=$1
leak=$4
run_scenario "$@"
