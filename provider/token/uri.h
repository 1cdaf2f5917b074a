/*
 * "vldaa:token=car;object=member?pin-source=pin.txt": a token, objects of it, and its PIN.
 *
 * The attributes are RFC 7512's, under a scheme of our own, and parsed by p11-kit.  Of the query:
 *
 *   module-path   the PKCS#11 module; without it the one that is installed with this provider
 *   pin-source    a file whose first line is the PIN, by its name or as file:NAME
 *   pin-value     the PIN itself
 */
#ifndef VLDAA_PROVIDER_TOKEN_URI_H
#define VLDAA_PROVIDER_TOKEN_URI_H

#include <p11-kit/p11-kit.h>
#include <p11-kit/uri.h>

#include "../provider.h"

enum { VLDAA_PROV_MAX_PIN = 255 };

/* Who has one wipes it. */
typedef struct {
	char text[VLDAA_PROV_MAX_PIN + 1];
	size_t len; /* 0: none */
} vldaa_prov_pin;

typedef struct {
	P11KitUri *is;      /* without the PIN */
	char *text;         /* the same, as it is shown to people */
	vldaa_prov_pin pin; /* pin-value */
} vldaa_prov_uri;

/* 1, for vldaa_prov_uri_clear; or 0, having raised what is wrong with it. */
int vldaa_prov_uri_parse(vldaa_prov_uri *uri, const vldaa_prov *prov, const char *text);
/* Wipes. */
void vldaa_prov_uri_clear(vldaa_prov_uri *uri);

/* The PIN that a pin-source names: 1, or 0, having raised why there is none. */
int vldaa_prov_pin_read(vldaa_prov_pin *pin, const vldaa_prov *prov, const char *source);

#endif
