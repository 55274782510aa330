/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale: how a program's time changes with its number of processes. */
#include "verbs/scale/scale.h"

const Verb verb_scale = {
    .name = "scale",
    .question = QUESTION_SCALING,
    .summary = "tell from run times how a program scales",
    .synopsis = "[runs] RUNS.csv | trace TRACE… | model FORMULA… | run -- LAUNCHER …",
    .description =
        "How the time of a program changes with its number of processes and its problem size: from run times, from "
        "traces, or from formulas. What isn't one of the words is a file of run times.",
    .examples = "firma scale runs.csv                        # what these times say\n"
                "firma scale trace p2.trace p4.trace         # where the time of traced runs goes\n"
                "firma scale model \"n/p + 2*log2(p)\" --sizes 64:512x2 -n 1:32x2   # what a formula says\n"
                "firma scale run -n 1,2,4 --sizes 100,200 -- mpirun -n {processes} ./app {size}   # measure, then say",
    .words = VERB_WORDS(&scale_runs, &scale_trace, &scale_model, &scale_run),
    .default_word = &scale_runs,
};
