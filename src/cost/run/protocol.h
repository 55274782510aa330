/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between `firma cost run`, the workers that it launches (firma-cost-openmpi, -mpich) and the executors
 * that run tasks for these (firma-cost-tasks, FirmaTasks.java).
 *
 * A worker program gets one argument, the plan: a JSON file that all ranks can read. Rank 0 is the master, 1 … P are
 * the workers. The master writes the results, or why there are none, to the file that the plan names. Then it prints
 * RUN_IS_OVER on a line of its own. Only the file counts: MPICH's launcher loses what is printed just before a job
 * aborts. Other lines are the tasks' and the launcher's.
 *
 * Plan ("format": RUN_PLAN_FORMAT):
 *   n_workers    int
 *   limit_s      real       a task that takes longer is stopped; 0: none
 *   results      string     file that the master writes
 *   executors    [[string]] command lines; each worker starts all of them, before the clock does
 *   batches      [object]   in an order that the flow allows:
 *     name       string
 *     level      int        batches of a level run at the same time; those of the next one begin when all have ended
 *     executor   int        which of the executors, …
 *     entry      int        … and which of its entries
 *     n_arguments int       of each task
 *     numbers    [int]      of its tasks, from 1 on, in the order of the workers
 *     arguments  [real]     n_arguments each
 *     counts     [int]      of tasks, by worker
 *     receives, returns [int] bytes, by worker: one message each, as in the model
 *
 * Results ("format": RUN_RESULTS_FORMAT): seconds (from the first send to the last result's arrival), library, workers
 * [{host, end_s (its last result's arrival), busy_s (its tasks)}], batches [{begin_s, end_s, task_s [real], value [real
 * or null]}] with tasks in the order of the plan. Of a run that failed: error {message, kind (an ErrKind)} instead.
 *
 * An executor is talked to by lines. It says `ready`, or `failed WHY`. To `ENTRY A B …` it answers `done NS VALUE`, or
 * `failed WHY`. A, B and VALUE are doubles, as the hexadecimal digits of their bits: so no locale can spoil them. Its
 * task's own stdin is empty, and its stdout is stderr. It ends when its input does. */
#pragma once

#define RUN_IS_OVER "{\"record\":\"over\"}"
#define RUN_PLAN_FORMAT "firma run plan"
#define RUN_RESULTS_FORMAT "firma run results"
enum { RUN_VERSION = 1 };

/* Messages are sent whole. */
enum { RUN_MESSAGE_LIMIT = 0x7fffffff, RUN_WORKERS_LIMIT = 4096, RUN_TASKS_LIMIT = 1000000 };
