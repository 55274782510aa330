/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-simgrid-routes FILE: prints what SimGrid reads in a platform file, for simgrid.c. It is
 * a program of its own because SimGrid ends the process when it finds an error.
 *
 *     {"hosts": [{"name": "n0", "cores": 4, "speed": 1e9}, …], "links": [{"rate": 125e6}, …]}
 *     [{"latency": 1e-6, "rate": 5e9, "links": []}, …]     the routes from the first host, one to each
 *
 * A further line follows for each host. Only links that messages share count. null stands for a host
 * with one core on the way to itself. SimGrid's own message is the first line that doesn't begin with a
 * bracket. */
#include <jansson.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(json_t *line)
{
    json_dumpf(line, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(line);
}

/* "n2" before "n10": SimGrid doesn't tell the file's order. */
static int by_name(const void *a, const void *b)
{
    return strverscmp(sg_host_get_name(*(const sg_host_t *)a), sg_host_get_name(*(const sg_host_t *)b));
}

static int by_address(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return x < y ? -1 : x > y;
}

static void print_elements(sg_host_t const *hosts, size_t n_hosts, sg_link_t const *links, size_t n_links)
{
    json_t *host_list = json_array(), *link_list = json_array();
    for (size_t i = 0; i < n_hosts; i++)
        json_array_append_new(host_list, json_pack("{s: s, s: i, s: f}", "name", sg_host_get_name(hosts[i]), "cores",
                                                   sg_host_core_count(hosts[i]), "speed", sg_host_get_speed(hosts[i])));
    for (size_t i = 0; i < n_links; i++)
        json_array_append_new(link_list, json_pack("{s: s, s: f}", "name", sg_link_get_name(links[i]), "rate",
                                                   sg_link_get_bandwidth(links[i])));
    print_line(json_pack("{s: o, s: o}", "hosts", host_list, "links", link_list));
}

static json_t *route_json(sg_host_t from, sg_host_t to, sg_link_t const *links, size_t n_links)
{
    json_t *numbers = json_array();
    xbt_dynar_t way = xbt_dynar_new(sizeof(sg_link_t), NULL);
    if (from == to && sg_host_core_count(from) == 1)
        return json_null();
    sg_host_get_route(from, to, way);
    bool is_missing = from != to && xbt_dynar_is_empty(way);
    for (unsigned i = 0; i < xbt_dynar_length(way); i++) {
        sg_link_t link = *(sg_link_t *)xbt_dynar_get_ptr(way, (int)i);
        const sg_link_t *found = bsearch(&link, links, n_links, sizeof link, by_address);
        if (sg_link_is_shared(link))
            json_array_append_new(numbers, json_integer(found - links));
    }
    xbt_dynar_free(&way);
    if (is_missing) {
        json_decref(numbers);
        return json_false();
    }
    return json_pack("{s: f, s: f, s: o}", "latency", sg_host_get_route_latency(from, to), "rate",
                     sg_host_get_route_bandwidth(from, to), "links", numbers);
}

int main(int argc, char **argv)
{
    char name[] = "firma-simgrid-routes", messages[] = "--log=root.fmt:%m%n";
    char *words[] = {name, messages, NULL};
    int n_words = 2;
    if (argc != 2)
        return 2;
    simgrid_init(&n_words, words);
    simgrid_load_platform(argv[1]);
    simgrid_run(); /* no actors: it only completes the routes */
    size_t n_hosts = sg_host_count(), n_links = sg_link_count();
    sg_host_t *hosts = sg_host_list();
    sg_link_t *links = sg_link_list();
    qsort(hosts, n_hosts, sizeof *hosts, by_name);
    qsort(links, n_links, sizeof *links, by_address);
    print_elements(hosts, n_hosts, links, n_links);
    for (size_t i = 0; i < n_hosts; i++) {
        json_t *line = json_array();
        for (size_t k = 0; k < n_hosts; k++)
            json_array_append_new(line, route_json(hosts[i], hosts[k], links, n_links));
        print_line(line);
    }
    return 0;
}
