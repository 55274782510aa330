/* scratch: prints amounts and times of kernels */
#include "cost/compiled/compiled.h"
#include "cost/context/kernels.h"
#include "model/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int n, char **w)
{
    /* study machine.json OPTIONS time? FLOW... */
    Arena *arena = arena_new(); MachineModel *machine; Err err = {0};
    if (!machine_load(w[1], arena, &machine, &err)) { fprintf(stderr, "%s\n", err.message); return 1; }
    const CpuCosts *single = cpu_costs(&machine->processors[0], "c");
    const char *scheduler; compiled_find_scheduler(arena, &scheduler, &err);
    Caches caches = kernels_caches();
    printf("[\n"); int first = 1;
    for (int f = 4; f < n; f++) {
        PaslApplication *a;
        if (!pasl_load(w[f], arena, &a, &err)) { fprintf(stderr, "%s\n", err.message); return 1; }
        ContextRun *runs = arena_new_array(arena, ContextRun, a->n_batches), *comp = arena_new_array(arena, ContextRun, a->n_batches);
        const char *c;
        if (!kernels_count(a, single, &caches, arena, runs, &err)) fprintf(stderr, "count %s: %s\n", w[f], err.message);
        if (!kernels_count_compiled(a, w[2], scheduler, single, &caches, arena, comp, &err)) fprintf(stderr, "countc %s: %s\n", w[f], err.message);
        if (w[3][0] == '1' && !kernels_time(a, w[2], 8, arena, runs, &c, &err)) fprintf(stderr, "time %s: %s\n", w[f], err.message);
        for (size_t i = 0; i < a->n_batches; i++) {
            printf("%s{\"flow\":\"%s\",\"name\":\"%s\",\"options\":\"%s\",\"kernel\":%u,\"time\":%g", first ? "" : ",\n", w[f], a->batches[i].name, w[2], runs[i].kernel, runs[i].time_s); first = 0;
            printf(",\"ops\":["); for (int k = 0; k < CONTEXT_CLASSES; k++) printf("%s%.10g", k ? "," : "", runs[i].amounts[k]);
            printf("],\"compiled\":["); for (int k = 0; k < CONTEXT_CLASSES; k++) printf("%s%.10g", k ? "," : "", comp[i].amounts[k]);
            printf("]}");
        }
    }
    printf("\n]\n"); return 0;
}
