/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale: how a program's time changes with its number of processes. */
#include "verbs/scale/scale.h"

const Verb verb_scale = {
    .name = "scale",
    .question = QUESTION_SCALING,
    .summary = "tell from run times or traces how a program scales",
    .synopsis = "[runs] RUNS.csv | [counts] SIGNATURE… | trace TRACE… | model FORMULA… | run -- LAUNCHER …",
    .description =
        "Tells how the run time of a program changes with its number of processes and its problem size: "
        "from run times, from signatures, from traces, or from formulas. The words `runs` and `counts` may be "
        "left out: signatures, studies and traces are of `counts`, other files are run times.",
    .examples =
        "firma scale runs.csv                        # analyse run times\n"
        "firma scale app.4.firma app.8.firma app.16.firma --predict 64   # phase by phase, on 64 processes\n"
        "firma scale trace p2.trace p4.trace         # where does the time of traced runs go?\n"
        "firma scale model \"n/p + 2*log2(p)\" --sizes 64:512x2 -n 1:32x2   # evaluate a formula\n"
        "firma scale run -n 1,2,4 --sizes 100,200 -- mpirun -n {processes} ./app {size}   # measure, then analyse",
    .words = VERB_WORDS(&scale_runs, &scale_counts, &scale_trace, &scale_model, &scale_run),
    .default_word = &scale_runs,
};
