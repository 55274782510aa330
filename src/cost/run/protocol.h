/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between `firma cost run`, the workers that it launches (firma-cost-openmpi, -mpich),
 * and the executors that run tasks for the workers (firma-cost-tasks, FirmaTasks.java).
 *
 * A worker program gets one argument, the plan: a JSON file that all ranks can read. Rank 0 is the
 * master; ranks 1 … P are the workers. The master writes the results, or an error, to a file that
 * the plan names. Then it prints RUN_IS_OVER on a line of its own. Only the file counts, because
 * MPICH's launcher may lose lines that are printed just before a job aborts. All other lines come
 * from tasks and the launcher.
 *
 * Plan ("format": RUN_PLAN_FORMAT):
 *   n_workers    int
 *   limit_s      real       timeout of a task; 0: none
 *   results      string     the file that the master writes
 *   executors    [[string]] command lines; each worker starts all of them before the clock starts
 *   batches      [object]   in an order that the flow allows:
 *     name       string
 *     level      int        batches of a level run at the same time; the next level begins when
 *                           all of them have ended
 *     executor   int        index of an executor
 *     entry      int        index of one of its entries
 *     n_arguments int       numbers that each task gets: of an array, its length and its seed
 *     numbers    [int]      of its tasks, from 1 on, in the order of the pieces
 *     arguments  [real]     n_arguments for each task
 *     pieces     object     of the batch, one message each way, as in the model. Lists, one number a piece:
 *       counts   [int]      of tasks; a piece has the tasks behind those of the pieces before
 *       workers  [int]      1 … P: who gets it; 0: the first free worker, piece by piece
 *       receives, returns [int] bytes
 *
 * Results ("format": RUN_RESULTS_FORMAT):
 *   seconds      real       from the first send to the arrival of the last result
 *   library      string     of MPI
 *   workers      [object]   host, end_s (arrival of its last result), busy_s (sum over its tasks)
 *   batches      [object]   begin_s, end_s, task_s [real], value [real or null], worker [int]; tasks in
 *                           the order of the plan
 *   error        object     message, kind (an ErrKind): of a failed run, instead of all others
 *
 * An executor's first argument is the clock of tasks: RUN_CLOCK_WALL, or RUN_CLOCK_RUNNING, which leaves out how
 * long the task's thread waited for a processor.
 *
 * Executors communicate by lines. An executor first prints `ready`, or `failed WHY`. It answers
 * `ENTRY A B …` with `done NS VALUE` or `failed WHY`. A, B and VALUE are doubles, written as the
 * hexadecimal digits of their bits, so that they don't depend on a locale. The executor fills a task's arrays before
 * its time begins. A task's stdin is empty,
 * and its stdout is stderr. The executor ends when its input ends. */
#pragma once

#define RUN_CLOCK_WALL "wall"
#define RUN_CLOCK_RUNNING "running"
#define RUN_IS_OVER "{\"record\":\"over\"}"
#define RUN_PLAN_FORMAT "firma run plan"
#define RUN_RESULTS_FORMAT "firma run results"
enum { RUN_VERSION = 2 };

/* Messages are sent in one piece. */
enum { RUN_MESSAGE_LIMIT = 0x7fffffff, RUN_WORKERS_LIMIT = 4096, RUN_TASKS_LIMIT = 1000000 };
