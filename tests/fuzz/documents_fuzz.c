/* SPDX-License-Identifier: BSD-3-Clause */
/* Signatures, phase times, communication measurements, machine models, task graphs and run times
 * with bytes changed, cut and doubled at random. Each must load, or be refused as bad input. The
 * random numbers are always the same. */
#include "base/files.h"
#include "base/json.h"
#include "comm/compare.h"
#include "comm/guidelines.h"
#include "comm/modelling.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "placement/graph/graph.h"
#include "placement/graph/summary.h"
#include "scaling/scaling.h"
#include "signature/predict/predict.h"
#include "test.h"
#include "unit/example_machine.h"
#include "unit/example_signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_TEXTS = 4000, LARGEST = 1 << 16 };

static size_t read_all(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, LARGEST / 2, file);
    fclose(file);
    return length;
}

static const char interesting[] = "0123456789-+.eE\"{}[],:<@>\\ntf\x80\xff";

/* Uses a document that has loaded. */
static bool use_signature(const char *path, const char *other, Arena *arena, Err *err)
{
    Signature *signature;
    PhaseTimes *times;
    Prediction prediction;
    uint32_t ids[64];
    if (!signature_load(path, arena, &signature, err))
        return false;
    signature_expand(signature, 64, ids);
    return times_load(other, arena, &times, err) &&
           predict_run_time(signature, times, "process", arena, &prediction, err);
}

static bool use_times(const char *path, const char *other, Arena *arena, Err *err)
{
    Signature *signature;
    PhaseTimes *times;
    Prediction prediction;
    return times_load(path, arena, &times, err) && signature_load(other, arena, &signature, err) &&
           predict_run_time(signature, times, "process", arena, &prediction, err);
}

static bool use_measurement(const char *path, const char *other, Arena *arena, Err *err)
{
    (void)other;
    CommMeasurement *measurement;
    if (!comm_load(path, arena, &measurement, err))
        return false;
    modelling_make(measurement, COMM_MEDIAN, arena);
    const CommMeasurement *const both[2] = {measurement, measurement};
    comm_compare(both, (const char *const[2]){NULL, NULL}, COMM_MEDIAN, arena);
    guidelines_check(measurement, COMM_MINIMUM, arena);
    return true;
}

static bool use_machine(const char *path, const char *other, Arena *arena, Err *err)
{
    (void)other;
    MachineModel *machine;
    if (!machine_load(path, arena, &machine, err))
        return false;
    for (uint32_t i = 0; i < machine->n_paths; i++)
        machine_message_s(&machine->paths[i], 1e6);
    return true;
}

static bool use_graph(const char *path, const char *other, Arena *arena, Err *err)
{
    (void)other;
    const Ttig *ttig;
    bool is_whole;
    if (!graph_load(path, arena, &is_whole, &ttig, err))
        return false;
    graph_summarise(ttig, arena);
    return true;
}

static bool use_runs(const char *path, const char *other, Arena *arena, Err *err)
{
    (void)other;
    static const uint32_t beyond[] = {1, 64, 1 << 30};
    const ScalingOptions options = {.efficiency_limit = 0.5, .extrapolate = beyond, .n_extrapolate = 3};
    Runs *runs;
    if (!runs_load(path, arena, &runs, err))
        return false;
    scaling_make(runs, &options, arena);
    return true;
}

enum { SIGNATURE, TIMES, MEASUREMENT, MACHINE, TASK_GRAPH, TTIG, RUNS_CSV, RUNS_JSON, DOCUMENTS };

static const struct {
    const char *name; /* of its folder in the corpus */
    bool (*use)(const char *path, const char *other, Arena *arena, Err *err);
    int other; /* index of an unchanged document that it needs */
} documents[DOCUMENTS] = {{"signature", use_signature, TIMES},
                          {"times", use_times, SIGNATURE},
                          {"measurement", use_measurement, MEASUREMENT},
                          {"machine", use_machine, MACHINE},
                          {"task-graph", use_graph, TASK_GRAPH},
                          {"ttig", use_graph, TTIG},
                          {"runs-csv", use_runs, RUNS_CSV},
                          {"runs-json", use_runs, RUNS_JSON}};

static const Step first_steps[] = {{.kind = STEP_COMPUTE, .seconds = 1, .times = 1},
                                   {.kind = STEP_SEND, .peer = 1, .bytes = 8, .times = 1}},
                  first[] = {{.kind = STEP_LOOP, .times = 10, .n_body = 2, .body = first_steps}},
                  second_steps[] = {{.kind = STEP_RECV, .peer = 0, .bytes = 8, .times = 1},
                                    {.kind = STEP_COMPUTE, .seconds = 2, .times = 1}},
                  second[] = {{.kind = STEP_LOOP, .times = 10, .n_body = 2, .body = second_steps}};

static void save_graphs(char paths[DOCUMENTS][64])
{
    static const Task tasks[] = {{.name = "0", .n_steps = 1, .steps = first},
                                 {.name = "b", .n_steps = 1, .steps = second}};
    static const TaskGraph graph = {.source = "", .n_tasks = 2, .tasks = tasks};
    Err err = {0};
    Ttig *ttig;
    Arena *arena = arena_new();
    assert_true(graph_ttig(&graph, arena, &ttig, &err));
    assert_true(tfg_save(&graph, paths[TASK_GRAPH], &err) && ttig_save(ttig, paths[TTIG], &err));
    arena_free(arena);
}

static void save_runs(char paths[DOCUMENTS][64])
{
    /* A third size would have a model of n and p in each round, which takes a third of a second. */
    static const char csv[] = "n,p,time,sequential\n100,1,10,9\n100,2,5.2,9\n100,4,2.9,9\n100,8,1.8,9\n100,16,1.3,9\n"
                              "200,1,20,\n200,2,10.3,\n200,4,5.5,\n200,8,3.2,\n200,16,2.1,\n";
    Err err = {0};
    Runs *runs;
    Arena *arena = arena_new();
    assert_true(files_save_text(paths[RUNS_CSV], csv, &err) && runs_load(paths[RUNS_CSV], arena, &runs, &err));
    json_t *document = runs_to_json(runs);
    assert_true(json_save_document(document, paths[RUNS_JSON], &err));
    json_decref(document);
    arena_free(arena);
}

static void save_examples(char paths[DOCUMENTS][64])
{
    Err err = {0};
    Signature signature = example_signature();
    PhaseTimes times = example_times();
    CommMeasurement measurement = example_measurement();
    MachineModel machine = example_machine();
    assert_true(signature_save(&signature, paths[SIGNATURE], &err) && times_save(&times, paths[TIMES], &err));
    assert_true(comm_save(&measurement, paths[MEASUREMENT], &err) && machine_save(&machine, paths[MACHINE], &err));
    save_graphs(paths);
    save_runs(paths);
}

typedef struct Fuzz {
    char directory[32], paths[DOCUMENTS][64], changed[64];
    char *original[DOCUMENTS];
    size_t lengths[DOCUMENTS];
    FuzzCorpus kept[DOCUMENTS];
    unsigned loaded[DOCUMENTS], refused[DOCUMENTS];
} Fuzz;

static Fuzz fuzz = {.directory = "/tmp/firma-fuzz-XXXXXX"};

static void start(void)
{
    static char original[DOCUMENTS][LARGEST];
    assert_non_null(mkdtemp(fuzz.directory));
    snprintf(fuzz.changed, sizeof fuzz.changed, "%s/changed", fuzz.directory);
    for (int i = 0; i < DOCUMENTS; i++)
        snprintf(fuzz.paths[i], sizeof fuzz.paths[i], "%s/%d", fuzz.directory, i);
    save_examples(fuzz.paths);
    for (int i = 0; i < DOCUMENTS; i++) {
        fuzz.original[i] = original[i];
        fuzz.lengths[i] = read_all(fuzz.paths[i], original[i]);
        fuzz.kept[i] = fuzz_load_corpus(documents[i].name);
    }
}

static void try_text(int which, const char *text, size_t length)
{
    assert_true(overwrite(fuzz.changed, text, length));
    Arena *arena = arena_new();
    Err err = {0};
    fuzz_begin(documents[which].name, text, length);
    bool ok = documents[which].use(fuzz.changed, fuzz.paths[documents[which].other], arena, &err);
    if (!ok)
        assert_int_equal(err.kind, ERR_INPUT);
    fuzz.loaded[which] += ok;
    fuzz.refused[which] += !ok;
    arena_free(arena);
}

static void changed_documents_load_or_are_refused(void **state)
{
    static char text[LARGEST];
    size_t n = fuzz_inputs(N_TEXTS);
    start();
    for (int i = 0; i < DOCUMENTS; i++)
        for (size_t k = 0; k < fuzz.kept[i].n; k++)
            try_text(i, fuzz.kept[i].texts[k].bytes, fuzz.kept[i].texts[k].length);
    for (size_t round = 0; round < n; round++) {
        int which = (int)(round % DOCUMENTS);
        const FuzzText *from = fuzz_choose(&fuzz.kept[which], &(FuzzText){fuzz.original[which], fuzz.lengths[which]});
        memcpy(text, from->bytes, from->length);
        try_text(which, text, mutate(text, from->length, LARGEST, interesting, sizeof interesting - 1));
    }
    for (int i = 0; i < DOCUMENTS; i++)
        assert_true(fuzz.loaded[i] > 0 && fuzz.refused[i] > 0);
    fuzz_begin("", NULL, 0);
    for (int i = 0; i < DOCUMENTS; i++)
        fuzz_free_corpus(&fuzz.kept[i]);
    assert_true(files_remove_tree(fuzz.directory));
    print_message("# %zu documents\n", n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(changed_documents_load_or_are_refused, fuzz_teardown)};
    return cmocka_run_group_tests_name("documents", tests, NULL, NULL);
}
