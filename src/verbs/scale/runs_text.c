/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_views.h: text. */
#include "verbs/scale/runs_views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/scale/scale.h"
#include <math.h>

/* "1.23"; "–" if there is none. */
static const char *number(double value, Arena *arena)
{
    if (isnan(value))
        return "–";
    return isinf(value) ? "∞" : arena_printf(arena, "%.3g", value);
}

static const char *whole(double value, Arena *arena)
{
    return isfinite(value) ? format_count(arena, (uint64_t)llround(value)) : number(value, arena);
}

static const char *interval(const Estimated *value, Arena *arena)
{
    return isnan(value->low) || isnan(value->high)
               ? "–"
               : arena_printf(arena, "%s … %s", number(value->low, arena), number(value->high, arena));
}

static void add_points(const SizeScaling *size, bool color, Text *text, Arena *arena)
{
    Table *table = table_new(arena);
    bool is_real = size->sequential_s > 0;
    table_columns(table, ">p|>runs|>time|>speedup|95 %");
    if (is_real)
        table_column(table, "real", TABLE_RIGHT);
    table_columns(table, ">efficiency|>Karp–Flatt|");
    for (uint32_t i = 0; i < size->n_points; i++) {
        const ScalePoint *point = &size->points[i];
        bool has_interval = point->speedup.low < point->speedup.high;
        table_cells(table, "%u|%u|%s|%s|%s", point->run->p, point->run->n_times,
                    format_seconds(arena, point->run->median_s), number(point->speedup.value, arena),
                    has_interval ? interval(&point->speedup, arena) : "");
        if (is_real)
            table_cells(table, "%s", number(point->real_speedup, arena));
        table_cells(table, "%.2f|%s|%s", point->efficiency, number(point->serial_share, arena),
                    point->superlinear ? "superlinear" : "");
        if (point->superlinear)
            table_row_style(table, TABLE_GOOD);
    }
    text_add(text, "%s", table_text(table, color));
}

static void add_causes(const SizeScaling *size, Text *text)
{
    SuperlinearCause before = CAUSE_NONE;
    for (uint32_t i = 0; i < size->n_points; i++) {
        SuperlinearCause cause = size->points[i].superlinear;
        if (cause && cause != before)
            text_add(text, "superlinear from p = %u on; likely %s\n", size->points[i].run->p,
                     superlinear_cause_text(cause));
        before = cause;
    }
}

static const char *parameters_text(const LawFit *law, Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; i < law->n_parameters; i++) {
        const Estimated *value = &law->values[i];
        text_add(&text, "%s%s = %s", i ? ", " : "", law->parameters[i], number(value->value, arena));
        if (!isnan(value->low))
            text_add(&text, " [%s, %s]", number(value->low, arena), number(value->high, arena));
    }
    return text_take(&text, arena);
}

static const char *doubts_text(const LawFit *law)
{
    return law->has_few_points ? law->is_noisy ? "few points, noisy" : "few points" : law->is_noisy ? "noisy" : "";
}

static void add_law(Table *table, const LawFit *law, const char *mark, Arena *arena)
{
    table_cells(table, "%s%s|%c = %s|%s|%s|%s|%s", law->name, mark, law->kind == LAW_GUSTAFSON ? 'S' : 'T',
                law->formula, format_percent(arena, law->error), format_percent(arena, law->predictive_error),
                doubts_text(law), parameters_text(law, arena));
}

static Table *law_table(Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "law||>error|>left out||parameters [95 %]");
    return table;
}

static void add_laws(const LawFit *laws, uint32_t n, bool color, Text *text, Arena *arena)
{
    Table *table = law_table(arena);
    for (uint32_t i = 0; i < n; i++)
        add_law(table, &laws[i], laws[i].plausible ? i ? " ~" : " *" : "", arena);
    if (n)
        text_add(
            text,
            "\nlaws, best first (* best, ~ as plausible by these runs); left out: error at numbers of processes that "
            "the fit leaves out\n%s",
            table_text(table, color));
}

static void add_conclusions(const SizeScaling *size, double limit, Text *text, Arena *arena)
{
    const Estimated *bound = &size->speedup_bound;
    uint32_t base = size->points[0].run->p;
    const char *more = base > 1 ? arena_printf(arena, " + %u", base - 1) : "";
    if (size->n_laws)
        text_add(text, "\n");
    if (!isnan(bound->value))
        text_add(text, "speedup is bounded by 1/s%s = %s (95 %%: %s), by Amdahl's law\n", more,
                 number(bound->value, arena), interval(bound, arena));
    if (isfinite(size->fastest_p))
        text_add(text, "time is least at p = %s, by the law `%s`\n", whole(size->fastest_p, arena), size->laws[0].name);
    if (size->n_points < 2)
        return;
    if (isnan(size->most_processes))
        text_add(text, "efficiency is below %g everywhere\n", limit);
    else if (isinf(size->most_processes))
        text_add(text, "efficiency stays at least %g, by the law `%s`\n", limit, size->laws[0].name);
    else
        text_add(text, "efficiency is at least %g up to p = %s, %s%s%s\n", limit, whole(size->most_processes, arena),
                 size->most_is_extrapolated ? "extrapolated by the law `" : "as measured",
                 size->most_is_extrapolated ? size->laws[0].name : "", size->most_is_extrapolated ? "`" : "");
}

static const char *seconds_interval(const Estimated *time_s, Arena *arena)
{
    return isnan(time_s->low) || isnan(time_s->high)
               ? "–"
               : arena_printf(arena, "%s … %s", format_seconds(arena, time_s->low),
                              format_seconds(arena, time_s->high));
}

static void add_prediction_table(Table *table, const char *law, bool color, Text *text)
{
    text_add(text, "\npredicted by the law `%s`; laws marked * or ~ are plausible, as are powers near them\n%s", law,
             table_text(table, color));
}

static void add_predictions(const SizeScaling *size, bool color, Text *text, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">p|>time|95 %, if that law holds|of all plausible laws|>speedup|>efficiency|");
    for (uint32_t i = 0; i < size->n_predictions; i++) {
        const ScalePrediction *prediction = &size->predictions[i];
        table_cells(table, "%g|%s|%s|%s|%s|%.2f|%s", prediction->p, format_seconds(arena, prediction->time_s.value),
                    seconds_interval(&prediction->by_best, arena), seconds_interval(&prediction->time_s, arena),
                    number(prediction->speedup, arena), prediction->efficiency,
                    scale_distance_text(&prediction->distance, arena));
    }
    if (size->n_predictions)
        add_prediction_table(table, size->laws[0].name, color, text);
}

static void add_weak_predictions(const WeakScaling *weak, bool color, Text *text, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">p|>n|>time|95 %, if that law holds|of all plausible laws|>efficiency|");
    for (uint32_t i = 0; i < weak->n_predictions; i++) {
        const WeakPrediction *prediction = &weak->predictions[i];
        table_cells(table, "%g|%.6g|%s|%s|%s|%.2f|%s", prediction->p, prediction->n,
                    format_seconds(arena, prediction->time_s.value), seconds_interval(&prediction->by_best, arena),
                    seconds_interval(&prediction->time_s, arena), prediction->efficiency,
                    scale_distance_text(&prediction->distance, arena));
    }
    if (weak->n_predictions)
        add_prediction_table(table, weak->laws[0].name, color, text);
}

static bool knows_speedups(const WeakScaling *weak)
{
    for (uint32_t i = 0; i < weak->n_points; i++)
        if (weak->points[i].run->p > 1 && !isnan(weak->points[i].speedup))
            return true;
    return false;
}

static void add_weak(const WeakScaling *weak, bool color, Text *text, Arena *arena)
{
    Table *table = table_new(arena);
    const char *power = weak->dimension == 1 ? "n" : weak->dimension == 2 ? "n²" : "n³";
    bool is_known = knows_speedups(weak);
    table_columns(table, is_known ? ">p|>n|>time|>efficiency|>on one process|>scaled speedup"
                                  : ">p|>n|>time|>efficiency|>p · efficiency");
    for (uint32_t i = 0; i < weak->n_points; i++) {
        const WeakPoint *point = &weak->points[i];
        table_cells(table, "%u|%.6g|%s|%.2f", point->run->p, point->run->n, format_seconds(arena, point->run->median_s),
                    point->efficiency);
        if (is_known)
            table_cells(table, "%s|%s", isnan(point->single_s) ? "–" : format_seconds(arena, point->single_s),
                        number(point->speedup, arena));
        else
            table_cells(table, "%s", number(point->run->p * point->efficiency, arena));
    }
    text_add(text, "\nscaled: %s/p = %.6g\n%s", power, weak->share, table_text(table, color));
    if (!is_known)
        text_add(text,
                 "no scaled speedup: the times of these sizes on one process aren't known. p · efficiency assumes "
                 "work in proportion to p\n");
    if (weak->has_gustafson) {
        Table *laws = law_table(arena);
        add_law(laws, &weak->gustafson, "", arena);
        text_add(text, "%s", table_text(laws, color));
    }
    add_laws(weak->laws, weak->n_laws, color, text, arena);
    add_weak_predictions(weak, color, text, arena);
}

static void add_isoefficiency(const Scaling *scaling, bool color, Text *text, Arena *arena)
{
    const Isoefficiency *found = &scaling->isoefficiency;
    Table *table = table_new(arena);
    table_columns(table, ">p|>n|from the times' intervals");
    for (uint32_t i = 0; i < found->n_points; i++) {
        const IsoefficiencyPoint *point = &found->points[i];
        table_cells(table, "%g|%s%s|%s", point->p, number(point->n.value, arena), point->is_extrapolated ? " *" : "",
                    point->n.low < point->n.high ? interval(&point->n, arena) : "");
    }
    if (found->n_points == 0)
        return;
    text_add(text, "\nisoefficiency: the size that keeps an efficiency of %g\n%s", scaling->efficiency_limit,
             table_text(table, color));
    if (!isnan(found->exponent.value))
        text_add(text, "n grows as p^%s (95 %%: %s)\n", number(found->exponent.value, arena),
                 interval(&found->exponent, arena));
    text_add(text, "%s\n",
             found->is_scalable
                 ? "scalable: a size keeps the efficiency at each p"
                 : "scalability not seen: at some p, no size near those that were run keeps the efficiency");
}

static void add_joint_predictions(const JointScaling *joint, bool color, Text *text, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, ">n|>p|>time|95 %, if that model holds|of all plausible models|>efficiency|");
    for (uint32_t i = 0; i < joint->n_predictions; i++) {
        const JointPrediction *prediction = &joint->predictions[i];
        table_cells(table, "%.6g|%g|%s|%s|%s|%.2f|%s", prediction->n, prediction->p,
                    format_seconds(arena, prediction->time_s.value), seconds_interval(&prediction->by_best, arena),
                    seconds_interval(&prediction->time_s, arena), prediction->efficiency,
                    scale_distance_text(&prediction->distance, arena));
    }
    if (joint->n_predictions)
        text_add(text, "\npredicted by the model of n and p\n%s", table_text(table, color));
}

static void add_joint_isoefficiency(const Scaling *scaling, bool color, Text *text, Arena *arena)
{
    const Isoefficiency *found = &scaling->joint.isoefficiency;
    Table *table = table_new(arena);
    table_columns(table, ">p|>n|95 %");
    for (uint32_t i = 0; i < found->n_points; i++) {
        const IsoefficiencyPoint *point = &found->points[i];
        table_cells(table, "%g|%s%s|%s … %s", point->p, number(point->n.value, arena),
                    point->is_extrapolated && !isnan(point->n.value) ? " *" : "", number(point->n.low, arena),
                    isnan(point->n.high) ? "∞" : number(point->n.high, arena));
    }
    if (found->n_points)
        text_add(text,
                 "\nisoefficiency by the model: the size that keeps an efficiency of %g (* not among those run)\n%s",
                 scaling->efficiency_limit, table_text(table, color));
    if (!isnan(found->exponent.value))
        text_add(text, "n grows as p^%s (95 %%: %s … %s)\n", number(found->exponent.value, arena),
                 number(found->exponent.low, arena),
                 isnan(found->exponent.high) ? "∞" : number(found->exponent.high, arena));
}

static void add_joint(const Scaling *scaling, bool color, Text *text, Arena *arena)
{
    const JointScaling *joint = &scaling->joint;
    if (!joint->n_laws)
        return;
    Table *table = law_table(arena);
    add_law(table, joint->laws, "", arena);
    text_add(text,
             "\nmodel of n and p, the best of %u plausible ones; left out: error at points that the fit leaves out\n%s",
             joint->laws->n_alternatives, table_text(table, color));
    add_joint_predictions(joint, color, text, arena);
    add_joint_isoefficiency(scaling, color, text, arena);
}

static const char *kind_text(const Scaling *scaling)
{
    static const char *const texts[] = {
        [SCALING_NONE] = "neither strong nor weak scaling: no size was run on two numbers of processes",
        [SCALING_STRONG] = "strong scaling: the same size on several numbers of processes",
        [SCALING_WEAK] = "weak scaling: the size grows with the number of processes",
        [SCALING_BOTH] = "strong and weak scaling: sizes that stay, and sizes that grow with the number of processes"};
    return scaling->runs->has_sizes || scaling->kind == SCALING_NONE
               ? texts[scaling->kind]
               : "strong scaling, as all runs count as one size: the file has no column `n`";
}

const char *scaling_text(const Scaling *scaling, bool color, Arena *arena)
{
    Text text = {0};
    text_add(&text, "%s\n", kind_text(scaling));
    for (uint32_t i = 0; i < scaling->n_sizes; i++) {
        const SizeScaling *size = &scaling->sizes[i];
        if (scaling->n_sizes > 1 && size->n_points == 1 && scaling->n_weak)
            continue;
        text_add(&text, "\n");
        if (scaling->runs->has_sizes)
            text_add(&text, "n = %.6g\n", size->n);
        add_points(size, color, &text, arena);
        add_causes(size, &text);
        add_laws(size->laws, size->n_laws, color, &text, arena);
        add_conclusions(size, scaling->efficiency_limit, &text, arena);
        add_predictions(size, color, &text, arena);
    }
    for (uint32_t i = 0; i < scaling->n_weak; i++)
        add_weak(&scaling->weak[i], color, &text, arena);
    add_isoefficiency(scaling, color, &text, arena);
    add_joint(scaling, color, &text, arena);
    for (uint32_t i = 0; i < scaling->n_warnings; i++)
        text_add(&text, "%swarning: %s\n", i ? "" : "\n", text_as_line(scaling->warnings[i], arena));
    return text_take(&text, arena);
}
