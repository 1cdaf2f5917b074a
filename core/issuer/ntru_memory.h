/*
 * Memory for big integers that are secret: FLINT and GMP zero what they give back.
 *
 * The first call of vldaa_ntru_memory_install puts functions in front of the ones that both
 * libraries use, for the whole process and for good: memory comes from where it came from, and is
 * zeroed before it returns there.  Results of the libraries do not change, blocks from before may
 * be released after, and any thread may call.  What a program must know:
 * - it is done by the first key generation; as both libraries say, no other thread should be inside
 *   them at that moment, so a program that uses them in several threads calls this first;
 * - a program that gives FLINT functions of its own lets them hand out blocks of malloc's, since
 *   FLINT does not tell the size of what it releases;
 * - out of memory ends the process, as both libraries do anyway.
 *
 * What remains unwiped: registers, and what GMP keeps on the stack.
 */
#ifndef VLDAA_NTRU_MEMORY_H
#define VLDAA_NTRU_MEMORY_H

void vldaa_ntru_memory_install(void);
/* Releases, and so zeroes, what FLINT keeps for later in this thread. */
void vldaa_ntru_memory_flush(void);

#endif
