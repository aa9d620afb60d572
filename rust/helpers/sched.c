// SPDX-License-Identifier: GPL-2.0

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/freezer.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "helpers/helpers.h"

void rpktgen_helper_set_current_state(unsigned int state)
{
	set_current_state(state);
}

void rpktgen_helper_set_current_running(void)
{
	__set_current_state(TASK_RUNNING);
}

bool rpktgen_helper_need_resched(void)
{
	return need_resched();
}

void rpktgen_helper_set_freezable(void)
{
	set_freezable();
}

bool rpktgen_helper_try_to_freeze(void)
{
	return try_to_freeze();
}

void rpktgen_helper_get_task_struct(struct task_struct *task)
{
	get_task_struct(task);
}

unsigned int rpktgen_helper_cpumask_next_online(int cpu)
{
	return cpumask_next(cpu, cpu_online_mask);
}

const struct cpumask *rpktgen_helper_cpumask_of(unsigned int cpu)
{
	return cpumask_of(cpu);
}

bool rpktgen_helper_cpuhp_tasks_frozen(void)
{
	return cpuhp_tasks_frozen;
}

void rpktgen_helper_cpus_read_lock(void)
{
	cpus_read_lock();
}

void rpktgen_helper_cpus_read_unlock(void)
{
	cpus_read_unlock();
}

u32 rpktgen_helper_get_random_u32_below(u32 ceil)
{
	return get_random_u32_below(ceil);
}
