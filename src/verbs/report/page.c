/* SPDX-License-Identifier: BSD-3-Clause */
/* See page.h. */
#include "verbs/report/page.h"

#include "base/files.h"
#include "base/json.h"
#include "config.h"
#include "verbs/report/answer.h"
#include "verbs/report/parts.h"

static const Section sections[] = {
    {"change", "What changed", "The earlier study beside this one. Times of processes are means.", "before",
     "two studies", section_change},
    {"program", "The run", "What ran, where and how.", "application", "firma study", section_program},
    {"time", "What processes do when",
     "Each row is a process, or several neighbours. In each piece of the run, the colours have the shares of what the "
     "process does. Waiting is time in a call until another process sends, receives or joins; transfer is the rest of "
     "calls; other is time in calls without messages, or without a processor.",
     "activity", "firma study, or firma trace", section_time},
    {"phases", "Phases",
     "A phase is a stretch of communication and computation that repeats; its weight says how often.", "phases",
     "firma study, or firma phases", section_phases},
    {"comparison", "Predictions side by side",
     "Bars are 95 % intervals of the predicted time; full runs have a colour of their own.", "comparison",
     "firma predict --json, with several files of phase times", section_comparison},
    {"efficiencies", "Where efficiency is lost",
     "POP's tree: each efficiency is the product of the two below. 100 % would be computation alone, of all processes, "
     "all the time. A replay of the run on a network that costs nothing tells serialisation from transfer.",
     "efficiencies", "firma scale trace --json", section_efficiencies},
    {"calls", "MPI calls", "Time in calls, of all processes together.", "profile", "firma study, or firma trace",
     section_calls},
    {"waits", "Who waits for whom", "Longest first: a process that waited, and the one that was late.", "waits",
     "firma study, or firma trace", section_waits},
    {"matrix", "Who sends to whom", "Volume of messages from each process (row) to each other (column).", "matrix",
     "firma study, or firma trace", section_matrix},
    {"simulation", "On another machine", "The traced run, simulated where it hasn't run.", "simulation",
     "firma simulate --json", section_simulation},
    {"scaling", "Scaling",
     "Points are medians of measured times with their 95 % intervals; the band is what the plausible laws allow.",
     "scaling", "firma scale -o DIR", section_scaling},
    {"counts", "Scaling, phase by phase",
     "Phases of several runs belong together if their processes do the same. Each has laws of its computation, transfer "
     "and waiting, whose sum is the predicted time; the band is its 95 % interval.",
     "counts", "firma scale SIGNATURE… --json", section_counts},
    {"mapping", "Where tasks should run", "Predicted times of mappings, best first.", "mapping", "firma map --json",
     section_mapping},
    {"communication", "What messages cost", "Median time of a message over its size, for each way to communicate.",
     "communication", "firma comm -o DIR", section_communication},
    {"cost", "Costs from source",
     "Bars reach from the least to the most time; measured runs have a colour of their own.", "cost",
     "firma cost predict --json", section_cost},
    {"runs", "Runs of tasks", "Each mark is the time of a run.", "runs", "firma cost run -o FILE", section_runs},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

const char *const page_activities[N_PAGE_ACTIVITIES] = {"computation", "transfer", "waiting", "other"};

static const json_t *document_of(const Page *page, const Section *section)
{
    return json_object_get(page->documents, section->needs);
}

static void begin_section(Page *page, const char *id, const char *title, const char *caption)
{
    text_add(&page->text, "<section id=%s><h2>%s</h2>\n", id, title);
    if (*caption)
        html_element(&page->text, "p class=caption", caption, page->arena);
}

static void add_sections(Page *page)
{
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const json_t *document = document_of(page, &sections[i]);
        if (!document)
            continue;
        begin_section(page, sections[i].id, sections[i].title, sections[i].caption);
        sections[i].write(page, document);
        text_add(&page->text, "</section>\n");
    }
}

static void add_links(Page *page)
{
    text_add(&page->text, "<nav>");
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (document_of(page, &sections[i]))
            text_add(&page->text, "<a href=\"#%s\">%s</a> ", sections[i].id, sections[i].title);
    text_add(&page->text, "</nav>\n");
}

void page_add_captions(Page *page, const json_t *sentences)
{
    const json_t *sentence;
    size_t i;
    json_array_foreach(sentences, i, sentence)
        html_element(&page->text, "p class=caption", json_is_string(sentence) ? json_string_value(sentence) : "",
                     page->arena);
}

static void add_warnings(Page *page)
{
    const json_t *warnings = json_object_get(page->documents, "warnings"), *warning;
    size_t i;
    if (!json_array_size(warnings))
        return;
    begin_section(page, "warnings", "Warnings", "");
    text_add(&page->text, "<ul>");
    json_array_foreach(warnings, i, warning)
        html_element(&page->text, "li", json_to_text(warning, page->arena), page->arena);
    text_add(&page->text, "</ul></section>\n");
}

/* The commands that repeat the study, and that make what isn't there. */
static void add_commands(Page *page, const char *command)
{
    const json_t *measurement = json_object_get(page->documents, "measurement");
    const char *launch = data_text(measurement, "command", page->arena);
    begin_section(page, "commands", "To repeat it", "");
    if (*launch)
        html_element(&page->text, "pre", arena_printf(page->arena, "firma study --verify -- %s", launch), page->arena);
    html_element(&page->text, "pre", arena_printf(page->arena, "firma %s", command), page->arena);
    Table *table = table_new(page->arena);
    table_columns(table, "not in this report|what gives it");
    size_t n = 0;
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (!document_of(page, &sections[i]) && ++n)
            table_cells(table, "%s|%s", sections[i].title, sections[i].command);
    if (n)
        html_table(&page->text, table);
    text_add(&page->text, "</section>\n");
}

static const char *name_of(const Page *page)
{
    const json_t *application = json_object_get(page->documents, "application");
    const char *name = files_base_name(data_text(application, "executable", page->arena));
    return *name ? name : "Results";
}

const char *page_make(const json_t *documents, const char *command, Arena *arena)
{
    Page page = {.arena = arena, .documents = documents};
    const char *name = html_escape(name_of(&page), arena);
    text_add(&page.text,
             "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
             "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
             "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'; "
             "script-src '%s'\">\n<title>%s – report</title>\n<style>\n%s%s</style></head>\n<body>\n<h1>%s</h1>\n",
             REPORT_SCRIPT_HASH, name, svg_page_style(), REPORT_STYLE, name);
    if (*answer_lead(documents, arena) || *answer_details(documents, arena)) {
        begin_section(&page, "answer", "The answer", "");
        section_answer(&page, documents);
        text_add(&page.text, "</section>\n");
    }
    add_links(&page);
    add_sections(&page);
    add_warnings(&page);
    add_commands(&page, command);
    html_element(&page.text, "footer", arena_printf(arena, "firma " FIRMA_VERSION ", %s", text_of_now(arena)), arena);
    html_data(&page.text, "data", documents);
    text_add(&page.text, "<script>%s</script>\n</body></html>\n", REPORT_SCRIPT);
    return text_take(&page.text, arena);
}
