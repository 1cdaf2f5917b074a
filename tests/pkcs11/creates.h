/* How many Creates a token's TPM has counted, over all of its member keys. */
#ifndef VLDAA_TEST_CREATES_H
#define VLDAA_TEST_CREATES_H

unsigned creates_counted(int place);

#endif
