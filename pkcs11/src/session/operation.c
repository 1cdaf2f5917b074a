#include "operation.h"

#include <string.h>

void vldaa_p11_operation_end(vldaa_p11_operation *op)
{
	vldaa_signing_free(op->signing);
	vldaa_p11_signer_release(op->signer);
	vldaa_p11_bytes_free(&op->parameter);
	vldaa_p11_bytes_free(&op->data);
	memset(op, 0, sizeof *op);
}
