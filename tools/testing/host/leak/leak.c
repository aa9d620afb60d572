// SPDX-License-Identifier: GPL-2.0
/*
 * Loses memory on purpose, for the test of what finds it: as whoever loads the module,
 * as a thread with the name of one of the generator's, as a worker of the kernel, and as
 * whoever writes to the parameter "lose".
 */

#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

/*
 * Several, as a pointer to one may be left on a stack or in what was its neighbour.
 * Cleared: one that is found must not have kept a pointer to the next.
 */
static noinline void lose(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		void *memory = kzalloc(500, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(memory);
	}
}

static DECLARE_COMPLETION(lost);

static int lose_in_thread(void *unused)
{
	lose();
	complete(&lost);
	return 0;
}

static void lose_in_work(struct work_struct *work)
{
	lose();
}

static DECLARE_WORK(work, lose_in_work);

static int lose_set(const char *value, const struct kernel_param *param)
{
	lose();
	return 0;
}

static const struct kernel_param_ops lose_ops = { .set = lose_set };
module_param_cb(lose, &lose_ops, NULL, 0200);

static int __init leak_init(void)
{
	struct task_struct *thread;

	lose();
	schedule_work(&work);
	flush_work(&work);
	thread = kthread_run(lose_in_thread, NULL, "kpktgend_0");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	wait_for_completion(&lost);
	return 0;
}
module_init(leak_init);

MODULE_DESCRIPTION("Loses memory");
MODULE_LICENSE("GPL");
