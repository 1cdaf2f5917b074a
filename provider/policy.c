#include "policy.h"

#include <string.h>

#include "errors.h"

void vldaa_prov_policy_read(vldaa_prov_policy *policy, const char *text)
{
	const size_t len = text != NULL ? strlen(text) : 0;

	policy->wrong =
	    (text != NULL && len == 0) ||
	    vldaa_default_basename_read(&policy->is, (const uint8_t *)text, len) != VLDAA_OK;
	if (policy->wrong)
		memset(&policy->is, 0, sizeof policy->is);
}

int vldaa_prov_policy_basename(const vldaa_prov_policy *policy, int64_t now,
			       uint8_t basename[VLDAA_MAX_BASENAME], size_t *len)
{
	*len = 0;
	if (policy->wrong)
		return VLDAA_PROV_ERR_POLICY;
	if (policy->is.len == 0)
		return VLDAA_PROV_ERR_NO_BASENAME;
	return vldaa_default_basename_at(&policy->is, now, basename, len);
}
