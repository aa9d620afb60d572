// SPDX-License-Identifier: GPL-2.0
/*
 * tsc-khz: print the frequency of this machine's time stamp counter.
 *
 * It is what an emulated CPU's counter runs at, and the emulated kernel can only
 * measure it against emulated timers. On a busy machine it has been seen to be
 * wrong by a factor of 25, with clock and timers to match. Out here it takes two
 * readings of both clocks.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct reading {
	uint64_t ns;
	uint64_t ticks;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The tightest of many: whatever comes between the two clocks is an error. */
static struct reading take(void)
{
	struct reading best = { 0, 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		uint64_t before = now(), ticks = __rdtsc(), after = now();

		if (after - before < least) {
			least = after - before;
			best.ns = before + least / 2;
			best.ticks = ticks;
		}
	}
	return best;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	struct reading first = take(), last;

	nanosleep(&pause, NULL);
	last = take();
	printf("%llu\n", (unsigned long long)((last.ticks - first.ticks) *
					      1000000.0 / (last.ns - first.ns)));
	return 0;
}
