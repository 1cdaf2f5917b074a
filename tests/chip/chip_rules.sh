#!/bin/sh
# Promise: what the TPM role pulls in is fit for a chip.  All of it, found by following symbols from
# role/tpm*.c through the library's objects, needs nothing from outside but moving bytes and 128-bit
# division: no heap, no files, no libcrypto, no printing.  It has no variable that can be written.
# Outside of the issuer's sampler, which only the scheme table leads to, it has no floating point,
# and divides (in time that depends on the operands) public numbers only.
#
# A one-shot set's Join and Create are a token's in a process, a chip does its Sign: two files of that
# proof are a process's, and nothing that Sign leads to needs them.
#
# chip_rules.sh OBJECT...   all of libvldaa's (NM, OBJDUMP: the tools)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
problems=0
problem()
{
	echo "$*" >&2
	problems=$((problems + 1))
}

# The compiler's own helpers: stack protector, position-independent code, 128-bit division.
allowed="memcpy memmove memset memcmp strlen strcasecmp
	__stack_chk_fail _GLOBAL_OFFSET_TABLE_ __udivti3 __divti3 __umodti3 __modti3"
# The issuer's samplers: SampleGaussian, and Falcon's, with what they consist of.
issuer='/sampler/(fft|gauss_pair|ntru_[a-z]+|perturb|perturb_[a-z]+|sample_g|sample_gaussian|sample_z|trapdoor)\.c'
# The one-shot proof's: the matrices that a process has once, made by whoever comes first; four hashes
# at once, if the processor can (__cpu_model: libgcc's and compiler-rt's note of what it can).
hosted='/(proof/oneshot_crs|random/keccak_x4)\.c'
hosted_allowed="pthread_once __cpu_model __cpu_indicator_init"
# The width of a mask; the number of entries of a list; how many high parts an ML-DSA set has.
dividing="vldaa_mask_sample make_plan vldaa_read_rogue_list vldaa_mldsa_use_hint"

# The objects' symbols: "FILE: NAME TYPE ...".
"${NM:-nm}" -A --format=posix "$@" >"$work/symbols"

# closure ROOTS: "object FILE" and "outside SYMBOL FILE" lines; ROOTS is a pattern of files.
closure()
{
	awk -v roots="$1" '
	{
		member = substr($1, 1, length($1) - 1)
		if (member ~ roots && !(member in seen)) {
			seen[member] = 1
			queue[++n] = member
		}
		if ($3 == "U")
			needs[member] = needs[member] " " $2
		else if ($3 ~ /[TDBRVWC]/)
			defined[$2] = member
	}
	END {
		for (i = 1; i <= n; i++) {
			print "object", queue[i]
			k = split(needs[queue[i]], symbols, " ")
			for (j = 1; j <= k; j++) {
				from = defined[symbols[j]]
				if (from == "")
					print "outside", symbols[j], queue[i]
				else if (!(from in seen)) {
					seen[from] = 1
					queue[++n] = from
				}
			}
		}
	}' "$work/symbols"
}

# strangers: those outside symbols of a closure (standard input) that are not allowed.
strangers()
{
	awk -v allowed="$allowed" -v hosted="$hosted" -v hosted_allowed="$hosted_allowed" '
	BEGIN {
		n = split(allowed, a, " "); for (i = 1; i <= n; i++) ok[a[i]] = 1
		n = split(hosted_allowed, a, " "); for (i = 1; i <= n; i++) ok_hosted[a[i]] = 1
	}
	$1 == "outside" && !($2 in ok) && !($3 ~ hosted && $2 in ok_hosted) { print $2 " in " $3 }'
}

# What a chip has of a one-shot set: without the files of a process.
closure '/scheme/oneshot_sign[.]c' >"$work/sign"
grep -q '^object .*/mldsa/mldsa.c' "$work/sign" || problem "Sign was not followed to ML-DSA"
if grep -E "$hosted" "$work/sign"; then
	problem "a chip's Sign needs a file of a process"
fi
closure '/role/tpm(_state|_revoke)?[.]c' >"$work/closure"
strangers <"$work/closure" >"$work/strangers"
[ ! -s "$work/strangers" ] || problem "not for a chip: $(cat "$work/strangers")"
# The check can fail: the host does use the heap.
closure '/role/host[.]c' | strangers | grep -q '^aligned_alloc in .*/memory.c' ||
	problem "the heap that the host uses was not found"

# instructions OBJECT: what it has of floating point and of division (x86-64; elsewhere nothing is
# found).
instructions()
{
	"${OBJDUMP:-objdump}" -d --no-show-raw-insn "$1" | awk -v object="$1" -v dividing="$dividing" '
	BEGIN { n = split(dividing, d, " "); for (i = 1; i <= n; i++) ok["<" d[i] ">:"] = 1 }
	/^[0-9a-f]+ </ { name = $2 }
	$2 ~ /^i?div[bwlq]?$/ && !(name in ok) { print object ": " name " divides" }
	$2 ~ /^v?((add|sub|mul|div|sqrt|u?comi|max|min)[sp][sd]|cvt.*)$/ ||
	$2 ~ /^f(add|mul|div|ld|st)/ { print object ": " name " has floating point" }' | sort -u
}

awk '$1 == "object" { print $2 }' "$work/closure" | while read -r object; do
	echo "$object" | grep -Eq "$hosted" || "${OBJDUMP:-objdump}" -h "$object" |
		awk -v object="$object" '$2 ~ /^\.(data|bss|tdata|tbss)$/ && $3 !~ /^0+$/ {
			print object ": " $2 " has 0x" $3 " bytes that can be written" }'
	echo "$object" | grep -Eq "$issuer" && continue
	echo "$object" >>"$work/of_the_tpm"
	instructions "$object"
done >"$work/found"
[ ! -s "$work/found" ] || problem "$(cat "$work/found")"
[ "$(wc -l <"$work/of_the_tpm")" -ge 20 ] || problem "too few objects were looked at"
if [ "$(uname -m)" = x86_64 ]; then
	for object in "$@"; do
		case $object in
		*/sample_g.c.*)
			instructions "$object" | grep -q 'floating point' || problem "floating point was not found"
			instructions "$object" | grep -q divides || problem "a division was not found"
			;;
		esac
	done
fi
[ $problems = 0 ]
