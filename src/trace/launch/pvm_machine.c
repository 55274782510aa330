/* SPDX-License-Identifier: BSD-3-Clause */
/* See pvm_machine.h. Variables of PVM's environment:
 *
 *     PVM_TMP         directory where a daemon leaves its address; a directory of firma's own keeps
 *                     its virtual machine apart from others
 *     PVM_ALLOW_ROOT  lets root run a daemon
 *     PVM_PATH        where the daemon searches for pvmgs, the group server
 *     PVM_RSH         the command that starts daemons on other hosts: here a script that sets the
 *                     same variables and makes a directory */
#include "trace/launch/pvm_machine.h"

#include "base/caretaker.h"
#include "base/files.h"
#include "base/marked.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/text.h"
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    START_MS = 10000,
    HOST_MS = 20000,
    SLICE_MS = 20,
    CONSOLE_MS = 5000,
    HALT_MS = 5000,
    TERM_MS = 3000,
    LOOK_MS = 200,
    LOG_BYTES = 400
};

struct PvmMachine {
    Arena *arena;
    bool is_own;
    Process *daemon; /* NULL: not started */
    const char *directory, *agent;
    const char *const *environment;
    const char **hosts, **addresses; /* an address may be NULL */
    const char *own_address;
    size_t n_hosts;
};

const char *const *pvm_machine_environment(const PvmMachine *machine)
{
    return machine->environment;
}

static const char *in_directory(const PvmMachine *machine, const char *name)
{
    return arena_printf(machine->arena, "%s/%s", machine->directory, name);
}

/* ---- a virtual machine of the user ---- */

static bool accepts_local(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_there = connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    if (connection >= 0)
        close(connection);
    return is_there;
}

static bool accepts_internet(unsigned int host, unsigned int port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(host)};
    int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_there = connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    if (connection >= 0)
        close(connection);
    return is_there;
}

/* Whether a daemon answers. A daemon's file holds the address at which it accepts tasks: a socket's
 * path, or address and port in hexadecimal. A killed daemon leaves its file behind. */
static bool daemon_answers(const char *directory, Arena *arena)
{
    Err none;
    const char *text;
    unsigned int host, port;
    const char *file = arena_printf(arena, "%s/pvmd.%u", directory, (unsigned int)getuid());
    if (!files_exist(file) || !files_load_text(file, arena, &text, &none))
        return false;
    const char *address = arena_strndup(arena, text, strcspn(text, "\n"));
    if (address[0] == '/')
        return accepts_local(address);
    return sscanf(address, "%x:%x", &host, &port) == 2 && accepts_internet(host, port);
}

/* ---- hosts ---- */

static bool is_this_host(const char *name)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    size_t length = strcspn(own, ".");
    return !*name || strcmp(name, "localhost") == 0 || strcmp(name, own) == 0 ||
           (strncmp(name, own, length) == 0 && name[length] == '\0');
}

/* Names of hosts go through a shell, and into a file of lines, so only plain names are accepted. */
static bool take_hosts(PvmMachine *machine, const PvmMachinePlan *plan, Err *err)
{
    machine->hosts = arena_new_array(machine->arena, const char *, plan->n_hosts);
    machine->addresses = arena_new_array(machine->arena, const char *, plan->n_hosts);
    machine->own_address = plan->own_address;
    for (size_t i = 0; i < plan->n_hosts; i++) {
        const char *name = plan->hosts[i];
        if (name[0] == '-' || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")])
            return err_set(err, ERR_INPUT, "\"%s\" isn't a host name", name);
        if (is_this_host(name))
            continue;
        machine->addresses[machine->n_hosts] = plan->addresses ? plan->addresses[i] : NULL;
        machine->hosts[machine->n_hosts++] = arena_strdup(machine->arena, name);
    }
    return true;
}

static bool save(const PvmMachine *machine, const char *name, Text *text, const char **path, Err *err)
{
    *path = in_directory(machine, name);
    return files_save_text(*path, text_take(text, machine->arena), err);
}

static bool write_agent(const PvmMachine *machine, const char **path, Err *err)
{
    Text script = {0};
    text_add(&script, "#!/bin/sh\nhost=$1\nshift\ncase $host in\n");
    for (size_t i = 0; i < machine->n_hosts; i++) /* PVM names a host by its address if it has one */
        if (machine->addresses[i])
            text_add(&script, "%s) host=%s ;;\n", machine->addresses[i], machine->hosts[i]);
    text_add(&script, "esac\n%s \"$host\" mkdir -p -m 700 %s/$host || exit\n", machine->agent, machine->directory);
    text_add(&script, "exec %s \"$host\" env PVM_ALLOW_ROOT=1 PVM_PATH=/usr/bin PVM_TMP=%s/$host", machine->agent,
             machine->directory);
    text_add(&script, "%s%s \"$@\"\n", getenv("PVM_ROOT") ? " PVM_ROOT=" : "",
             getenv("PVM_ROOT") ? getenv("PVM_ROOT") : "");
    if (!save(machine, "agent", &script, path, err))
        return false;
    return chmod(*path, 0700) == 0 || err_set(err, ERR_ENVIRONMENT, "%s: %s", *path, strerror(errno));
}

/* What PVM's console prints for a command, or NULL. */
static const char *ask_console(const PvmMachine *machine, const char *command)
{
    const char *const words[] = {"pvm", NULL};
    const ProcessOptions console = {.words = words,
                                    .environment = machine->environment,
                                    .input_text = arena_printf(machine->arena, "%s\nquit\n", command),
                                    .group = PROCESS_OWN_SESSION};
    char *text;
    int status;
    return process_capture(&console, CONSOLE_MS, machine->arena, &text, &status) ? text : NULL;
}

static bool lists(const char *configuration, const char *host)
{
    size_t length = strlen(host);
    for (const char *line = configuration; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (strncmp(line, host, length) == 0 && (line[length] == ' ' || line[length] == '\t'))
            return true;
    }
    return false;
}

/* The first host that the virtual machine lacks, or NULL. */
static const char *missing_host(const PvmMachine *machine)
{
    const char *configuration = machine->n_hosts ? ask_console(machine, "conf") : NULL;
    for (size_t i = 0; i < machine->n_hosts; i++) {
        if (!configuration || !lists(configuration, machine->hosts[i]))
            return machine->hosts[i];
    }
    return NULL;
}

/* ---- a virtual machine of firma's own ---- */

/* The last lines of the daemon's log, joined to one line. */
static const char *last_log_lines(const PvmMachine *machine)
{
    Err none;
    Text all = {0};
    const char *const files[] = {"daemon", arena_printf(machine->arena, "pvml.%u", (unsigned int)getuid())};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *text;
        if (files_load_text(in_directory(machine, files[i]), machine->arena, &text, &none)) {
            size_t length = strlen(text), start = length > LOG_BYTES ? length - LOG_BYTES : 0;
            for (const char *c = text + start; *c; c++)
                text_add(&all, "%c", *c == '\n' ? ' ' : *c);
        }
    }
    return text_take(&all, machine->arena);
}

static bool start_daemon(PvmMachine *machine, Err *err)
{
    Text lines = {0};
    const char *host_file = NULL, *agent;
    const char *const *environment = machine->environment;
    for (size_t i = 0; i < machine->n_hosts; i++)
        text_add(&lines, "%s%s%s\n", machine->hosts[i], machine->addresses[i] ? " ip=" : "",
                 machine->addresses[i] ? machine->addresses[i] : "");
    if (machine->n_hosts) {
        if (!save(machine, "hosts", &lines, &host_file, err) || !write_agent(machine, &agent, err))
            return false;
        const char **words = arena_new_array(machine->arena, const char *, 5);
        memcpy(words, environment, 3 * sizeof *words);
        words[3] = arena_printf(machine->arena, "PVM_RSH=%s", agent);
        environment = words;
    }
    const char *daemon[4] = {"pvmd"};
    if (machine->own_address)
        daemon[1] = arena_printf(machine->arena, "-n%s", machine->own_address);
    daemon[machine->own_address ? 2 : 1] = host_file;
    const ProcessOptions how = {.words = daemon,
                                .environment = environment,
                                .output_file = in_directory(machine, "daemon"),
                                .group = PROCESS_OWN_SESSION,
                                .dies_with_us = SIGTERM};
    return process_start(&how, machine->arena, &machine->daemon, err);
}

static bool await_daemon(PvmMachine *machine, Err *err)
{
    for (int waited_ms = 0; waited_ms < START_MS; waited_ms += SLICE_MS) {
        if (daemon_answers(machine->directory, machine->arena))
            return true;
        if (process_wait(machine->daemon, SLICE_MS))
            return err_set(err, ERR_ENVIRONMENT, "PVM's daemon ended while starting: %s", last_log_lines(machine));
    }
    return err_set(err, ERR_ENVIRONMENT, "PVM's daemon doesn't answer after %d s: %s", START_MS / 1000,
                   last_log_lines(machine));
}

static bool await_hosts(PvmMachine *machine, Err *err)
{
    const char *missing = missing_host(machine);
    for (int waited_ms = 0; missing && waited_ms < HOST_MS; waited_ms += LOOK_MS) {
        if (process_wait(machine->daemon, LOOK_MS))
            return err_set(err, ERR_ENVIRONMENT, "PVM's daemon ended while starting: %s", last_log_lines(machine));
        missing = missing_host(machine);
    }
    if (!missing)
        return true;
    err_set(err, ERR_ENVIRONMENT, "PVM's daemon doesn't start on host %s: %s", missing, last_log_lines(machine));
    return err_hint(err,
                    "pvmd must be on the PATH of `%s %s`, and this host's name must not resolve to a loopback address",
                    machine->agent, missing);
}

/* Ends the daemon of a firma that was killed. */
static void end_abandoned(const char *directory)
{
    Arena *scratch = arena_new();
    marked_sweep(arena_printf(scratch, "PVM_TMP=%s", directory), true, 0);
    arena_free(scratch);
}

/* The command that removes the directory on another host. */
static const char *cleaning_command(const PvmMachine *machine, size_t host)
{
    return arena_printf(machine->arena, "exec %s %s rm -rf %s", machine->agent, machine->hosts[host],
                        machine->directory);
}

static bool make_directory(PvmMachine *machine, Err *err)
{
    /* Short, because sockets' names are; and plain for any shell. */
    const char *name = owner_make_temporary("/tmp", "firma-pvm", end_abandoned, machine->arena);
    if (!name)
        return err_set(err, ERR_ENVIRONMENT, "/tmp: cannot create a directory for PVM: %s", strerror(errno));
    machine->directory = name;
    caretaker_note(CARETAKER_PROCESSES, arena_printf(machine->arena, "PVM_TMP=%s", name));
    for (size_t i = 0; i < machine->n_hosts; i++)
        caretaker_note(CARETAKER_COMMAND, cleaning_command(machine, i));
    return true;
}

/* Where a task's program is looked for. PVM's own default has variables, which its daemon expands. */
static const char *search_path(const PvmMachine *machine, const char *const *directories)
{
    Text text = {0};
    const char *users = getenv("PVM_PATH");
    text_add(&text, "PVM_PATH=");
    for (; directories && *directories; directories++)
        text_add(&text, "%s:", *directories);
    text_add(&text, "/usr/bin:%s", users ? users : "$HOME/pvm3/bin/$PVM_ARCH:$PVM_ROOT/bin/$PVM_ARCH");
    return text_take(&text, machine->arena);
}

static bool start_own(PvmMachine *machine, const PvmMachinePlan *plan, Err *err)
{
    const char **words = arena_new_array(machine->arena, const char *, 4);
    if (!make_directory(machine, err))
        return false;
    machine->is_own = true;
    words[0] = arena_printf(machine->arena, "PVM_TMP=%s", machine->directory);
    words[1] = "PVM_ALLOW_ROOT=1";
    words[2] = search_path(machine, plan->paths);
    machine->environment = words;
    if (start_daemon(machine, err) && await_daemon(machine, err) && await_hosts(machine, err))
        return true;
    pvm_machine_stop(machine);
    return false;
}

static bool check_running(PvmMachine *machine, Err *err)
{
    /* Root's tasks need it as well as root's daemons. */
    static const char *const words[] = {"PVM_ALLOW_ROOT=1", NULL};
    machine->environment = words;
    const char *missing = missing_host(machine);
    if (!missing)
        return true;
    err_set(err, ERR_ENVIRONMENT, "the running PVM virtual machine has no host %s", missing);
    return err_hint(err, "add the host (`pvm`, then `add %s`), or halt that machine so that firma starts its own",
                    missing);
}

bool pvm_machine_start(const PvmMachinePlan *plan, Arena *arena, PvmMachine **machine, Err *err)
{
    if (!process_find("pvmd", NULL, arena) || !process_find("pvm", NULL, arena)) {
        err_set(err, ERR_ENVIRONMENT, "PVM isn't installed: pvmd or pvm isn't on PATH");
        return err_hint(err, "install it (on Debian: apt-get install pvm pvm-dev)");
    }
    PvmMachine *made = arena_new_array(arena, PvmMachine, 1);
    const char *directory = getenv("PVM_TMP"), *agent = plan->agent ? plan->agent : getenv("PVM_RSH");
    made->arena = arena;
    made->agent = agent ? agent : "ssh";
    if (!take_hosts(made, plan, err))
        return false;
    bool runs = daemon_answers(directory ? directory : "/tmp", arena);
    if (runs ? !check_running(made, err) : !start_own(made, plan, err))
        return false;
    *machine = made;
    return true;
}

/* What a task printed, in a line of the log: "[t80040000] 11/26 21:19:11 [t40002] text". NULL: the line
 * is the daemon's own. */
static const char *printed_by_task(const char *line)
{
    int text = 0;
    return sscanf(line, "[t%*x] %*d/%*d %*d:%*d:%*d %n", &text) == 0 && text && strncmp(line + text, "[t", 2) == 0
               ? line + text
               : NULL;
}

const char *pvm_machine_output(const PvmMachine *machine, Arena *arena)
{
    Err none;
    Text output = {0};
    const char *log;
    const char *name =
        arena_printf(arena, "%s/pvml.%u", machine->is_own ? machine->directory : "", (unsigned int)getuid());
    if (!machine->is_own || !files_load_text(name, arena, &log, &none))
        return "";
    for (size_t length; *log; log += length) {
        length = strcspn(log, "\n");
        length += log[length] == '\n';
        const char *text = printed_by_task(log);
        if (text && text < log + length)
            text_add(&output, "%.*s", (int)(log + length - text), text);
    }
    return text_take(&output, arena);
}

/* ---- stopping ---- */

/* Halts the virtual machine by the console. The console often hangs afterwards, so this waits for
 * the daemon instead. */
static void halt(PvmMachine *machine)
{
    Err none;
    Process *console;
    const char *const words[] = {"pvm", NULL};
    const ProcessOptions how = {
        .words = words, .environment = machine->environment, .input_text = "halt\n", .group = PROCESS_OWN_SESSION};
    bool is_told = process_start(&how, machine->arena, &console, &none);
    if (!process_wait(machine->daemon, is_told ? HALT_MS : 0))
        process_stop(machine->daemon);
    if (is_told && !process_wait(console, 0)) {
        process_kill(console, SIGKILL);
        process_wait(console, TERM_MS);
    }
}

static void clean_hosts(PvmMachine *machine)
{
    Err none;
    int status;
    for (size_t i = 0; i < machine->n_hosts; i++) {
        const char *const words[] = {"/bin/sh", "-c", cleaning_command(machine, i), NULL};
        const ProcessOptions how = {.words = words, .group = PROCESS_OWN_SESSION};
        process_run(&how, CONSOLE_MS, machine->arena, &status, &none);
    }
}

void pvm_machine_stop(PvmMachine *machine)
{
    if (!machine || !machine->is_own)
        return;
    if (machine->daemon && !process_wait(machine->daemon, 0))
        halt(machine);
    marked_sweep(arena_printf(machine->arena, "PVM_TMP=%s", machine->directory), true, TERM_MS);
    clean_hosts(machine);
    files_remove_tree(machine->directory);
    machine->is_own = false;
}
