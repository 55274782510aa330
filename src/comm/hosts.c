/* SPDX-License-Identifier: BSD-3-Clause */
/* See hosts.h. Reads files of hosts, and finds this host's CPUs in sysfs. */
#include "comm/hosts.h"

#include "base/files.h"
#include "base/vec.h"
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_LIMIT = 3 };
static const char SLOTS[] = "slots=";
#define LINE_FORM "NAME [ADDRESS] [CPU,CPU…] [slots=N]"

typedef VEC(Host) HostList;

static const int *read_cpus(const char *text, Arena *arena, uint32_t *count)
{
    int *cpus = arena_new_array(arena, int, HOST_CPUS_LIMIT);
    uint32_t n = 0;
    for (const char *rest = text;; rest++) {
        char *end;
        errno = 0;
        long cpu = strtol(rest, &end, 10);
        if (*rest < '0' || *rest > '9' || errno || cpu >= CPU_SETSIZE || n == HOST_CPUS_LIMIT)
            return NULL;
        cpus[n++] = (int)cpu;
        rest = end;
        if (!*rest)
            break;
        if (*rest != ',')
            return NULL;
    }
    *count = n;
    return cpus;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(const char *word)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
    return *word && *word != '-' && strspn(word, allowed) == strlen(word);
}

/* A last word of digits and commas is a list of CPUs; an address has dots or colons. */
static bool names_cpus(const char *word)
{
    return strspn(word, "0123456789,") == strlen(word) && is_digit(*word);
}

static bool read_slots(const char *text, uint32_t *n)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *n = (uint32_t)number;
    return is_digit(*text) && !*end && number >= 1 && number <= HOST_CPUS_LIMIT;
}

static bool read_line(char *line, const char *path, unsigned number, Arena *arena, HostList *list, Err *err)
{
    char *words[WORDS_LIMIT], *rest = line;
    int n = 0;
    line[strcspn(line, "#\n")] = '\0';
    Host host = {.n_slots = 1};
    for (char *word = strtok_r(line, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
        bool is_slots = n && strncmp(word, SLOTS, strlen(SLOTS)) == 0;
        if (is_slots && !read_slots(word + strlen(SLOTS), &host.n_slots))
            return err_set(err, ERR_INPUT, "%s, line %u: `%s` isn't a number of processes", path, number, word);
        if (!is_slots && n == WORDS_LIMIT)
            return err_set(err, ERR_INPUT, "%s, line %u: too many words; expected " LINE_FORM, path, number);
        if (!is_slots)
            words[n++] = word;
    }
    if (n == 0)
        return true;
    host.name = arena_strdup(arena, words[0]);
    bool has_cpus = n > 1 && names_cpus(words[n - 1]);
    if (!is_name(host.name))
        return err_set(err, ERR_INPUT, "%s, line %u: `%s` isn't a host name", path, number, host.name);
    if (has_cpus && !(host.cpus = read_cpus(words[n - 1], arena, &host.n_cpus)))
        return err_set(err, ERR_INPUT, "%s, line %u: `%s` isn't a list of CPUs", path, number, words[n - 1]);
    if (n == WORDS_LIMIT && !has_cpus)
        return err_set(err, ERR_INPUT, "%s, line %u: `%s` isn't a list of CPUs", path, number, words[n - 1]);
    host.address = n - has_cpus > 1 ? arena_strdup(arena, words[1]) : host.name;
    if (!is_name(host.address))
        return err_set(err, ERR_INPUT, "%s, line %u: `%s` isn't an address", path, number, host.address);
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, host.name) == 0)
            return err_set(err, ERR_INPUT, "%s, line %u: %s is named twice", path, number, host.name);
    }
    if (list->count == HOSTS_LIMIT)
        return err_set(err, ERR_INPUT, "%s, line %u: more than %d hosts", path, number, HOSTS_LIMIT);
    *vec_push(list) = host;
    return true;
}

bool hosts_load(const char *path, const char *const *agent, Arena *arena, Hosts *hosts, Err *err)
{
    const char *text;
    HostList list = {0};
    if (!files_load_text(path, arena, &text, err))
        return false;
    bool ok = true;
    unsigned number = 1;
    for (const char *line = text; ok && *line; number++) {
        size_t length = strcspn(line, "\n");
        ok = read_line(arena_strndup(arena, line, length), path, number, arena, &list, err);
        line += length + (line[length] == '\n');
    }
    if (ok && list.count < 2)
        ok = err_set(err, ERR_INPUT, "%s: the file names %s", path, list.count ? "only one host" : "no host") ||
             err_hint(err, "write one host a line: " LINE_FORM "; without --hosts, firma measures this host");
    if (ok)
        *hosts = (Hosts){(uint32_t)list.count, vec_copy(&list, arena), agent};
    vec_free(&list);
    return ok;
}

uint32_t hosts_slots(const Hosts *hosts)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < hosts->n; i++)
        n += hosts->items[i].n_slots;
    return n;
}

/* The lowest-numbered CPU of the same core, from sysfs; `cpu` itself if sysfs doesn't tell. */
static int first_sibling(int cpu)
{
    char path[128];
    int first = cpu;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%d", &first) != 1)
            first = cpu;
        fclose(file);
    }
    return first;
}

static bool is_among(const int *cpus, uint32_t n, int cpu)
{
    for (uint32_t i = 0; i < n; i++)
        if (cpus[i] == cpu)
            return true;
    return false;
}

Hosts hosts_own(Arena *arena)
{
    cpu_set_t allowed;
    int *cpus = arena_new_array(arena, int, HOST_CPUS_LIMIT), *cores = arena_new_array(arena, int, HOST_CPUS_LIMIT);
    uint32_t n = 0, n_cores = 0;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    for (int siblings = 0; siblings < 2; siblings++)
        for (int cpu = 0; cpu < CPU_SETSIZE && n < HOST_CPUS_LIMIT; cpu++) {
            if (!CPU_ISSET(cpu, &allowed) || is_among(cpus, n, cpu))
                continue;
            int core = first_sibling(cpu);
            if (!siblings && is_among(cores, n_cores, core))
                continue;
            if (!siblings)
                cores[n_cores++] = core;
            cpus[n++] = cpu;
        }
    char *name = arena_alloc(arena, HOST_NAME_MAX + 1);
    if (gethostname(name, HOST_NAME_MAX) != 0)
        strcpy(name, "localhost");
    Host *host = arena_new_array(arena, Host, 1);
    *host = (Host){.name = name, .address = "127.0.0.1", .n_cpus = n, .cpus = cpus, .n_slots = 1};
    return (Hosts){1, host, NULL};
}
