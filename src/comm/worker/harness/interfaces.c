/* SPDX-License-Identifier: BSD-3-Clause */
/* See interfaces.h. */
#include "comm/worker/harness/interfaces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line is " eth0: 1500 12 0 0 0 0 0 0 900 …": the first number is received bytes, the ninth is
 * sent bytes. */
static void read_line(char *line, json_t *counters)
{
    int64_t received, sent;
    char *colon = strrchr(line, ':');
    if (!colon || sscanf(colon + 1, "%" SCNd64 " %*s %*s %*s %*s %*s %*s %*s %" SCNd64, &received, &sent) != 2)
        return;
    *colon = '\0';
    json_object_set_new(counters, line + strspn(line, " "), json_pack("[I, I]", received, sent));
}

json_t *interfaces_read(void)
{
    json_t *counters = json_object();
    FILE *file = fopen("/proc/net/dev", "r");
    char *line = NULL;
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) > 0)
        read_line(line, counters);
    free(line);
    if (file)
        fclose(file);
    return counters;
}

bool interfaces_find(const json_t *request, Network *network)
{
    const json_t *addresses = json_object_get(request, "addresses");
    for (size_t i = 0; i < json_array_size(addresses); i++) {
        const char *number = json_string_value(json_array_get(addresses, i));
        if (network_find(&number, 1, network))
            return true;
    }
    return false;
}

json_t *interfaces_growth(const json_t *before, const json_t *after)
{
    json_t *growth = json_object(), *now;
    const char *name;
    json_object_foreach((json_t *)after, name, now) {
        const json_t *then = json_object_get(before, name);
        json_int_t received = json_integer_value(json_array_get(now, 0)) - json_integer_value(json_array_get(then, 0));
        json_int_t sent = json_integer_value(json_array_get(now, 1)) - json_integer_value(json_array_get(then, 1));
        if (received || sent)
            json_object_set_new(growth, name, json_pack("[I, I]", received, sent));
    }
    return growth;
}
