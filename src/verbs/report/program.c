/* SPDX-License-Identifier: BSD-3-Clause */
/* What ran, where and how. */
#include "verbs/report/page.h"

#include "base/json.h"
#include "report/format.h"

static void add_fact(Page *page, const char *name, const char *value)
{
    if (!*value)
        return;
    html_element(&page->text, "dt", name, page->arena);
    html_element(&page->text, "dd", value, page->arena);
}

static const char *arguments_text(const json_t *application, Arena *arena)
{
    const json_t *argument;
    const char *text = "";
    size_t i;
    json_array_foreach(json_object_get(application, "arguments"), i, argument) {
        const char *word = json_to_text(argument, arena);
        text = arena_printf(arena, "%s%s%s", text, i ? " " : "", word ? word : "");
    }
    return text;
}

/* Hosts of a machine model or of a measurement of communication. */
static void add_hosts(Page *page)
{
    const json_t *machine = json_object_get(page->documents, "machine"), *host;
    Arena *arena = page->arena;
    size_t i;
    if (!machine)
        machine = json_object_get(page->documents, "communication");
    json_array_foreach(json_object_get(machine, "hosts"), i, host)
        add_fact(page, "machine",
                 arena_printf(arena, "%s: %zu processors, %s, %s", data_text(host, "name", arena),
                              data_count(host, "cpus"), data_text(host, "processor", arena),
                              data_text(host, "system", arena)));
    if (*data_text(machine, "date", arena))
        add_fact(page, "its messages", arena_printf(arena, "measured at %s", data_text(machine, "date", arena)));
}

void section_program(Page *page, const json_t *application)
{
    const json_t *measurement = json_object_get(page->documents, "measurement");
    const json_t *prediction = json_object_get(page->documents, "prediction");
    Arena *arena = page->arena;
    text_add(&page->text, "<dl>\n");
    add_fact(page, "command", data_text(measurement, "command", arena));
    add_fact(page, "program", data_text(application, "executable", arena));
    add_fact(page, "arguments", arguments_text(application, arena));
    add_fact(page, "build", data_text(application, "build_id", arena));
    add_fact(page, "processes", format_count(arena, data_count(application, "processes")));
    add_fact(page, "MPI", data_text(application, "mpi_library", arena));
    if (measurement) {
        add_fact(page, "measured on", data_text(measurement, "host", arena));
        if (data_count(measurement, "processors"))
            add_fact(page, "load",
                     arena_printf(arena, "other programs kept %.1f of %zu processors busy",
                                  data_real(measurement, "busy_processors"), data_count(measurement, "processors")));
        add_fact(page, "how",
                 arena_printf(arena, "%s, in %s",
                              data_text(measurement, "mode", arena)[0] == 'p' ? "the beginning of the run was executed"
                                                                              : "saved states were executed",
                              format_seconds(arena, data_real(measurement, "signature_s"))));
    }
    if (prediction)
        add_fact(page, "traced run", format_seconds(arena, data_real(prediction, "traced_s")));
    add_hosts(page);
    text_add(&page->text, "</dl>\n");
}
