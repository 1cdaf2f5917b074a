#include "tpm_protocol.h"

#include <errno.h>
#include <unistd.h>

static int write_all(int fd, const uint8_t *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* How many of len bytes came before the end; -1: an error. */
static ssize_t read_all(int fd, uint8_t *data, size_t len)
{
	size_t have = 0;

	while (have < len) {
		ssize_t n = read(fd, data + have, len - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

static void put_u32(uint8_t out[4], uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get_u32(const uint8_t in[4])
{
	return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

int vldaa_frame_write(int fd, uint32_t number, const uint8_t *data, size_t len)
{
	uint8_t head[8];

	if (len > VLDAA_FRAME_MAX) {
		errno = EMSGSIZE;
		return -1;
	}
	put_u32(head, number);
	put_u32(head + 4, (uint32_t)len);
	if (write_all(fd, head, sizeof head) != 0)
		return -1;
	return write_all(fd, data, len);
}

int vldaa_frame_read(int fd, uint32_t *number, uint8_t *data, size_t cap, size_t *len)
{
	uint8_t head[8];
	ssize_t n = read_all(fd, head, sizeof head);

	*len = 0;
	if (n <= 0)
		return (int)n;
	if (n == sizeof head) {
		size_t size = get_u32(head + 4);

		if (size > cap) {
			errno = EMSGSIZE;
			return -1;
		}
		n = read_all(fd, data, size);
		if (n < 0)
			return -1;
		if ((size_t)n == size) {
			*number = get_u32(head);
			*len = size;
			return 1;
		}
	}
	errno = EPROTO;
	return -1;
}
