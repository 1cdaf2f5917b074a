#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int visit_list(const char *list, vldaa_p11_visit_place *visit, void *arg)
{
	char *copy = strdup(list), *rest = NULL;
	int ret = copy != NULL ? 0 : -1;

	for (char *place = copy != NULL ? strtok_r(copy, ":", &rest) : NULL; place != NULL && !ret;
	     place = strtok_r(NULL, ":", &rest))
		ret = visit(arg, place);
	free(copy);
	return ret;
}

static int visit_under(const char *base, const char *name, vldaa_p11_visit_place *visit, void *arg)
{
	const size_t size = strlen(base) + strlen(name) + 2;
	char *path = malloc(size);
	int ret = -1;

	if (path != NULL) {
		(void)snprintf(path, size, "%s/%s", base, name);
		ret = visit(arg, path);
	}
	free(path);
	return ret;
}

int vldaa_p11_places(vldaa_p11_visit_place *visit, void *arg)
{
	const char *list = secure_getenv("VLDAA_TOKEN_DIR");
	const char *data = secure_getenv("XDG_DATA_HOME"), *home;

	if (list != NULL && list[0] != '\0')
		return visit_list(list, visit, arg);
	/* The specification wants an absolute one. */
	if (data != NULL && data[0] == '/')
		return visit_under(data, "vldaa/token", visit, arg);
	home = secure_getenv("HOME");
	if (home == NULL || home[0] != '/')
		return 0;
	return visit_under(home, ".local/share/vldaa/token", visit, arg);
}
