#!/bin/sh
# Runs programs under valgrind; its report is the verdict.
#   valgrind.sh clean PROGRAM [ARGUMENT...]   no error, and the program succeeds
#   valgrind.sh leaks PROGRAM                 every planted leak is reported, and nothing else is
#   valgrind.sh memory PROGRAM                no error and no lost memory
set -u
errors=99 # valgrind's exit status when it reported something
check()
{
	CK_FORK=no valgrind -q --error-exitcode=$errors --expensive-definedness-checks=yes \
		--track-origins=no "$@"
}

what=$1
shift
case $what in
clean) check "$@" ;;
memory) check --leak-check=full --errors-for-leak-kinds=definite,indirect,possible "$@" ;;
leaks)
	for kind in branch address encoder comparison challenge response nothing; do
		expected=$errors
		[ $kind != nothing ] || expected=0
		check "$1" $kind
		status=$?
		if [ $status != $expected ]; then
			echo "$kind: status $status instead of $expected" >&2
			exit 1
		fi
	done
	;;
*) exit 2 ;;
esac
