/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that end or behave in ways that a recorder must tolerate. Every rank passes a token
 * around the ring STEPS times. At step AT, rank WHO does what MODE says:
 *
 *   odd MODE [STEPS [AT [WHO]]]
 *
 *   none              nothing                       kill              kill -9 of itself
 *   abort             MPI_Abort with 3              exit              exit(0) without MPI_Finalize
 *   segfault          a write to address 0          exec              (after MPI_Finalize) becomes /bin/echo
 *   fork              a child that exits            system            runs a shell command
 *   close-stderr      closes file descriptor 2      chdir             changes to /
 *   environment       clears its environment        communicators     dup and free in every step, all ranks
 *   stdin             copies stdin to stdout        arguments         prints the number and bytes of its arguments
 */
#include "app.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void do_kill(void)
{
    raise(SIGKILL);
}

static void do_abort(void)
{
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void do_exit(void)
{
    exit(0);
}

static void do_segfault(void)
{
    *(volatile int *)NULL = 1;
}

static void do_fork(void)
{
    pid_t child = fork();
    if (child == 0)
        exit(0); /* runs the exit handlers that the parent registered */
    waitpid(child, NULL, 0);
}

static void do_system(void)
{
    if (system("true") != 0)
        fprintf(stderr, "odd: system failed\n");
}

static void do_close_stderr(void)
{
    close(STDERR_FILENO);
}

static void do_chdir(void)
{
    if (chdir("/") != 0)
        perror("odd: chdir");
}

static void do_environment(void)
{
    clearenv();
}

static void do_stdin(void)
{
    for (int c; (c = getchar()) != EOF;)
        putchar(c);
}

static const struct {
    const char *name;
    void (*act)(void);
} modes[] = {
    {"none", NULL},
    {"kill", do_kill},
    {"abort", do_abort},
    {"exit", do_exit},
    {"segfault", do_segfault},
    {"exec", NULL},
    {"fork", do_fork},
    {"system", do_system},
    {"close-stderr", do_close_stderr},
    {"chdir", do_chdir},
    {"environment", do_environment},
    {"communicators", NULL},
    {"stdin", do_stdin},
    {"arguments", NULL},
};

static void duplicate_and_free(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    app_collective();
    MPI_Comm_free(&copy);
}

static void print_arguments(int argc, char **argv)
{
    size_t bytes = 0;
    for (int i = 0; i < argc; i++)
        bytes += strlen(argv[i]) + 1;
    if (app.rank == 0)
        printf("arguments %d bytes %zu\n", argc, bytes);
}

static void run(const char *mode, long steps, long at, void (*act)(void))
{
    int next = (app.rank + 1) % app.n_ranks, previous = (app.rank + app.n_ranks - 1) % app.n_ranks;
    long token = app.rank;
    for (long step = 0; step < steps; step++) {
        if (step == at && act)
            act();
        MPI_Sendrecv_replace(&token, 1, MPI_LONG, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        app_sent(sizeof token);
        app_received();
        if (strcmp(mode, "communicators") == 0)
            duplicate_and_free();
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const char *mode = argc > 1 ? argv[1] : "none";
    long steps = app_argument(argc, argv, 2, 100), at = app_argument(argc, argv, 3, 50);
    long who = app_argument(argc, argv, 4, 0);
    size_t m = 0, n_modes = sizeof modes / sizeof *modes;
    while (m < n_modes && strcmp(modes[m].name, mode) != 0)
        m++;
    if (m == n_modes) {
        fprintf(stderr, "odd: no such mode: %s\n", mode);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(mode, "arguments") == 0)
        print_arguments(argc, argv);
    run(mode, steps, at, who == app.rank ? modes[m].act : NULL);
    app_report("odd", (double)steps);
    MPI_Finalize();
    if (strcmp(mode, "exec") == 0)
        execl("/bin/echo", "echo", "another program", (char *)NULL);
    return 0;
}
