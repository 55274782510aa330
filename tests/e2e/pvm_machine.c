/* SPDX-License-Identifier: BSD-3-Clause */
/* trace/launch/pvm_machine.h as a command: pvm_machine AGENT HOSTS WORDS… starts PVM's virtual machine with
 * these hosts (separated by commas). AGENT and HOSTS may be empty. It prints "own" or "running",
 * executes the words in the machine's environment, and stops the machine. Exit status: that of the
 * words, or the kind of an error, whose message goes to stderr. */
#include "trace/launch/pvm_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOSTS_LIMIT = 16 };

static int execute(char **words, const PvmMachine *machine)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        for (const char *const *word = pvm_machine_environment(machine); *word; word++)
            putenv((char *)*word);
        execvp(words[0], words);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    const char *hosts[HOSTS_LIMIT];
    PvmMachinePlan plan = {.hosts = hosts};
    PvmMachine *machine;
    Err err;
    if (argc < 4)
        return ERR_USAGE;
    plan.agent = argv[1][0] ? argv[1] : NULL;
    for (char *host = strtok(argv[2], ","); host && plan.n_hosts < HOSTS_LIMIT; host = strtok(NULL, ","))
        hosts[plan.n_hosts++] = host;
    Arena *arena = arena_new();
    int status;
    if (pvm_machine_start(&plan, arena, &machine, &err)) {
        puts(strncmp(pvm_machine_environment(machine)[0], "PVM_TMP=", 8) == 0 ? "own" : "running");
        fflush(stdout);
        status = execute(argv + 3, machine);
        pvm_machine_stop(machine);
    } else {
        fprintf(stderr, "%s\n  hint: %s\n", err.message, err.hint);
        status = (int)err.kind;
    }
    arena_free(arena);
    return status;
}
