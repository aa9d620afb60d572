// SPDX-License-Identifier: GPL-2.0
/*
 * relay: copy standard input to standard output as it comes, and end only when
 * the far side of the output has taken everything. Inside a lab kernel the
 * output is the way out of it, a terminal of UML or a virtio port of QEMU, and
 * the kernel may be gone a moment later.
 */
#include <poll.h>
#include <termios.h>
#include <unistd.h>

static char buffer[65536];

static int write_all(const char *from, size_t left)
{
	while (left) {
		ssize_t n = write(STDOUT_FILENO, from, left);

		if (n < 0)
			return -1;
		from += n;
		left -= n;
	}
	return 0;
}

int main(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
	struct termios tty;
	ssize_t n;

	/* No newline becomes two characters. */
	if (!tcgetattr(STDOUT_FILENO, &tty)) {
		cfmakeraw(&tty);
		tcsetattr(STDOUT_FILENO, TCSANOW, &tty);
	}

	while ((n = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		if (write_all(buffer, n))
			return 1;

	/*
	 * A write to a virtio port returns when its buffer is queued, and the
	 * port can be written again when that buffer has come back.
	 */
	if (tcdrain(STDOUT_FILENO) && poll(&out, 1, -1) < 0)
		return 1;
	return n < 0;
}
