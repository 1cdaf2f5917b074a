#!/bin/sh
# Promise: no command leaks memory or reads what it may not, whether it works or is refused.
# valgrind.sh TOOLS WORLD VALGRIND [TOKENS]    TOKENS: a directory that token_world.sh made
memcheck=$3
tokens=${4:-}
. "$(dirname "$0")/lib.sh"
enter_copy "$2"
cd VLDAA2-44 || exit 1
plain=$openssl
openssl=$work/openssl
cat >"$openssl" <<END
#!/bin/sh
exec "$memcheck" -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible \\
	--errors-for-leak-kinds=definite,indirect,possible "$plain" "\$@"
END
chmod +x "$openssl"

# clean STATUS COMMAND...
clean() {
	status_wanted=$1
	shift
	o "$@" >out 2>&1
	status=$?
	if [ "$status" != "$status_wanted" ] || grep -q '^==[0-9]*==' out; then
		fail "$*: status $status"
		cat out
	fi
}

clean 0 genpkey -algorithm VLDAA2-44 -out new.pem
clean 1 genpkey -algorithm VLDAA2-44 -pkeyopt authority:NOTHING -out no.pem
clean 0 pkey -in new.pem -pubout -out new.pub
clean 0 pkey -in member.pem -text -noout -check
clean 0 pkey -in pseudonym.pem -text -noout -check
clean 0 pkey -pubin -in group.pem -text -noout -pubcheck
clean 0 pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig -pkeyopt basename:platoon-7
clean 1 pkeyutl -sign -rawin -inkey member.pem -in msg -out no.sig
clean 1 pkeyutl -sign -rawin -inkey issuer.pem -in msg -out no.sig -pkeyopt basename:platoon-7
clean 0 pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile new.sig -pkeyopt basename:platoon-7
clean 1 pkeyutl -verify -rawin -pubin -inkey group.pem -in other -sigfile new.sig
clean 1 pkeyutl -verify -rawin -pubin -inkey foreign.pem -in msg -sigfile new.sig
clean 0 pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile compact.sig -pkeyopt attestation-file:att
clean 0 dgst -sign pseudonym.pem -out new.sig msg
clean 0 dgst -verify group.pem -signature new.sig msg
clean 1 dgst -sha256 -sign member.pem -out no.sig msg
clean 0 pkcs8 -topk8 -in member.pem -out enc.pem -v2 aes-256-cbc -passout pass:x
clean 0 pkcs8 -in enc.pem -passin pass:x -out back.pem
clean 1 pkey -in enc.pem -passin pass:y -noout
clean 0 storeutl -keys member.pem
clean 0 list -signature-algorithms -key-managers
flip member.pem 2000 bad.pem
clean 1 pkey -in bad.pem -noout -check

# The other scheme's own code: the credential, the pseudonyms and the proofs.
cd ../VLDAA-128 || exit 1
clean 0 genpkey -algorithm VLDAA-128 -out new.pem
clean 0 pkey -in new.pem -text -noout -check
clean 0 pkey -in member.pem -text -noout -check
clean 0 pkey -in pseudonym.pem -pubout -out pseudonym.pub
clean 0 pkeyutl -sign -rawin -inkey member.pem -in msg -out new.sig -pkeyopt basename:platoon-7
clean 1 pkeyutl -sign -rawin -inkey member.pem -in msg -out no.sig -pkeyopt form:bare
clean 0 pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile new.sig -pkeyopt basename:platoon-7
clean 1 pkeyutl -verify -rawin -pubin -inkey group.pem -in other -sigfile new.sig
clean 1 pkeyutl -verify -rawin -pubin -inkey group.pem -in msg -sigfile ../VLDAA2-44/sig
clean 0 dgst -sign pseudonym.pem -out new.sig msg
clean 0 dgst -verify pseudonym.pub -signature new.sig msg
flip member.pem 2000 bad.pem
clean 1 pkey -in bad.pem -noout -check

# Keys in tokens.
if [ -n "$tokens" ]; then
	cp -r "$tokens" "$work/tokens"
	cd "$work/tokens" || exit 1
	VLDAA_TOKEN_DIR=$PWD/issuer:$PWD/car1:$PWD/car2:$PWD/empty
	export VLDAA_TOKEN_DIR
	member='vldaa:token=car1;object=member?pin-source=user.pin'
	parking='vldaa:token=car1;object=parking;type=private?pin-source=user.pin'
	clean 0 pkeyutl -sign -rawin -inkey "$member" -in report.txt -out new.sig -pkeyopt basename:platoon-7
	clean 0 pkeyutl -verify -rawin -pubin -inkey 'vldaa:token=car1;object=group' -in report.txt -sigfile new.sig
	clean 0 dgst -sign "$parking" -sigopt form:bare -out new.sig report.txt
	clean 1 pkeyutl -sign -rawin -inkey "$member" -in report.txt -out no.sig
	clean 1 pkeyutl -sign -rawin -inkey 'vldaa:token=issuer;object=issuer?pin-source=user.pin' -in report.txt -out no.sig
	clean 0 pkey -in "$member" -text -noout -check
	clean 1 pkey -in "$member" -out no.pem
	clean 0 storeutl -noout -text 'vldaa:token=car1?pin-source=user.pin'
	clean 1 storeutl -noout 'vldaa:token=car1?pin-value=wrong'
	clean 1 pkey -in 'vldaa:token=car9;object=member' -noout
	clean 1 pkey -in 'vldaa:token=car1;object=member?module-path=/absent.so' -noout
	clean 1 pkey -in 'vldaa:token=car1;object=member?pin-source=absent' -noout
	clean 1 pkey -in 'vldaa:frob=car1' -noout
fi
[ "$failures" = 0 ]
