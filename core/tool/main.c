/* The `vldaa` command: one table of commands, each in its own file. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"

static const vldaa_command *const commands[] = {
    &vldaa_command_issuer, &vldaa_command_tpm,
    &vldaa_command_member, &vldaa_command_token,
    &vldaa_command_verify, &vldaa_command_link,
    &vldaa_command_revoke, &vldaa_command_inspect,
    &vldaa_command_bench,  NULL,
};

static const vldaa_command vldaa = {
    .name = "vldaa",
    .summary = "Direct anonymous attestation from lattices: members of a group sign as members, "
	       "not as who they are",
    .children = commands,
    .details =
	"In this order:\n"
	"  1. issuer init                  a group is founded; group.pem goes to everybody\n"
	"  2. tpm init, member keygen      a device makes its TPM's and its host's key\n"
	"  3. issuer nonce, member request, issuer issue, member finish\n"
	"                                  the device joins; only here the issuer learns who\n"
	"  4. member sign                  signs a file under a pseudonym for a basename\n"
	"  5. verify, link                 by whoever has group.pem\n"
	"  6. revoke                       a pseudonym's owner obeys, and never signs again\n"
	"\n"
	"token does 1 to 4 with keys in a PKCS#11 token instead of files.\n"
	"\n"
	"Every step reads and writes files; carry them between the parties as you like.\n"
	"Exit status: 0 done, 1 refused or invalid, 2 wrong usage, 3 failed.",
};

int main(int argc, char **argv)
{
	int status, finish;

	/* A reader that goes away, and a file that may not grow, are errors of writing like any
	 * other, not a silent death that leaves things half written. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		printf("vldaa %s\n", VLDAA_VERSION);
		return vldaa_output_finish();
	}
	status = vldaa_command_run(&vldaa, "vldaa", argc, argv);
	finish = vldaa_output_finish();
	return status == VLDAA_EXIT_OK ? finish : status;
}
