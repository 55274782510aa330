/* SPDX-License-Identifier: BSD-3-Clause */
/* See like.h. */
#include "verbs/phases/like.h"

#include "report/format.h"
#include "report/table.h"
#include "signature/compare/structure.h"
#include <inttypes.h>
#include <math.h>

static const double SHOWN_SHARE = 0.01;

static const Phase **phases_of(const Signature *signature, Arena *arena)
{
    const Phase **phases = arena_new_array(arena, const Phase *, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        phases[i] = &signature->phases[i];
    return phases;
}

static LikePhase like_phase(const Phase *own, const Phase *other, uint32_t n_processes)
{
    return (LikePhase){.id = own ? own->id : 0,
                       .other_id = other ? other->id : 0,
                       .weight = own ? own->weight : 0,
                       .other_weight = other ? other->weight : 0,
                       .duration_s = own ? structure_duration_s(own, n_processes) : NAN,
                       .other_duration_s = other ? structure_duration_s(other, n_processes) : NAN,
                       .share = own ? own->share : NAN,
                       .other_share = other ? other->share : NAN,
                       .volume_factor = own && other ? structure_volume_factor(other, own) : NAN};
}

bool like_find(const Signature *signature, const Signature *other, const char *path, Arena *arena, PhasesLike *like,
               Err *err)
{
    uint32_t n = signature->application.n_processes, n_own = signature->n_phases, n_other = other->n_phases, count = 0;
    if (other->application.n_processes != n)
        return err_set(err, ERR_INPUT, "%s: of %u processes, and the trace has %u", path,
                       other->application.n_processes, n) ||
               err_hint(err, "firma scale counts compares runs on different numbers of processes");
    LikePhase *phases = arena_new_array(arena, LikePhase, n_own + n_other);
    uint32_t *partners = arena_new_array(arena, uint32_t, n_own);
    bool *is_taken = arena_new_array(arena, bool, n_other);
    *like = (PhasesLike){.other = path,
                         .application_s = signature->application_s,
                         .other_application_s = other->application_s,
                         .phases = phases};
    structure_pairs(phases_of(signature, arena), n_own, phases_of(other, arena), n_other,
                    signature->parameters.least_match, partners);
    for (uint32_t i = 0; i < n_own; i++) {
        bool has_partner = partners[i] != NO_PARTNER;
        phases[count++] = like_phase(&signature->phases[i], has_partner ? &other->phases[partners[i]] : NULL, n);
        if (has_partner) {
            is_taken[partners[i]] = true;
            like->matched += signature->phases[i].share;
        }
    }
    for (uint32_t i = 0; i < n_other; i++)
        if (!is_taken[i])
            phases[count++] = like_phase(NULL, &other->phases[i], n);
    like->n_phases = count;
    return true;
}

/* ---- text ---- */

static const char *factor_text(double factor, Arena *arena)
{
    return isfinite(factor) ? arena_printf(arena, "× %.3g", factor) : "-";
}

static const char *duration_text(double seconds, Arena *arena)
{
    return isnan(seconds) ? "-" : format_seconds(arena, seconds);
}

static const char *share_text(double share, Arena *arena)
{
    return isnan(share) ? "-" : format_percent(arena, share);
}

static void add_phase(Table *table, const LikePhase *phase, Arena *arena)
{
    table_cells(table, "%s|%s", phase->id ? arena_printf(arena, "%u", phase->id) : "-",
                phase->other_id ? arena_printf(arena, "%u", phase->other_id) : "-");
    table_cells(table, "%s|%s|%s|%s|%s|%s|%s|%s", format_count(arena, phase->weight),
                format_count(arena, phase->other_weight), factor_text(phase->volume_factor, arena),
                duration_text(phase->duration_s, arena), duration_text(phase->other_duration_s, arena),
                factor_text(phase->duration_s / phase->other_duration_s, arena), share_text(phase->share, arena),
                share_text(phase->other_share, arena));
}

static bool is_shown(const LikePhase *phase, bool all)
{
    return all || phase->share >= SHOWN_SHARE || phase->other_share >= SHOWN_SHARE;
}

const char *like_text(const PhasesLike *like, bool all, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    uint32_t left_out = 0;
    table_columns(table, "phase|there|>weight|>there|>volumes|>duration|>there|>factor|>share|>there");
    for (uint32_t i = 0; i < like->n_phases; i++) {
        if (is_shown(&like->phases[i], all))
            add_phase(table, &like->phases[i], arena);
        else
            left_out++;
    }
    const char *more =
        left_out ? arena_printf(arena, "and %u phases of less than 1 %% of the time (--all)\n", left_out) : "";
    return arena_printf(arena,
                        "%s%s\n%s of the time is in phases that both have, whatever their volumes. There is %s,\nwhich "
                        "took %s; this run took %s.\n",
                        table_text(table, color), more, format_percent(arena, like->matched), like->other,
                        format_seconds(arena, like->other_application_s), format_seconds(arena, like->application_s));
}

/* ---- JSON ---- */

#define OR_NULL .flags = FIELD_NULL

static json_t *id_json(uint32_t id)
{
    return id ? json_integer(id) : json_null();
}

static json_t *own_id_json(const FieldContext *context, const void *record)
{
    (void)context;
    return id_json(((const LikePhase *)record)->id);
}

static json_t *other_id_json(const FieldContext *context, const void *record)
{
    (void)context;
    return id_json(((const LikePhase *)record)->other_id);
}

static const FieldList phase_fields = FIELDS(
    LikePhase,
    FIELD_OWN("id", SHAPE_ONE, own_id_json, NULL, "of the trace's phase; null: only the signature has it",
              .noun = "whole number or null"),
    FIELD_OWN("other_id", SHAPE_ONE, other_id_json, NULL, "of the signature's phase; null: only the trace has it",
              .noun = "whole number or null"),
    FIELD(LikePhase, weight, "occurrences in the trace"), FIELD(LikePhase, other_weight, "in the signature"),
    FIELD(LikePhase, volume_factor, "bytes of an occurrence over those in the signature; null: not known", OR_NULL),
    FIELD(LikePhase, duration_s, "of an occurrence, mean over processes; null: no such phase", OR_NULL),
    FIELD(LikePhase, other_duration_s, "the same in the signature", OR_NULL),
    FIELD(LikePhase, share, "of the application's time; null: no such phase", OR_NULL),
    FIELD(LikePhase, other_share, "the same in the signature", OR_NULL));

const FieldList like_fields =
    FIELDS(PhasesLike, FIELD_AS(PhasesLike, other, "like", "the signature"),
           FIELD(PhasesLike, application_s, "time of the trace's run"),
           FIELD(PhasesLike, other_application_s, "time of the signature's run"),
           FIELD_AS(PhasesLike, matched, "matched_share", "of the application's time, in phases that both have"),
           FIELD_LIST(PhasesLike, phases, n_phases, "phases",
                      "those of the trace, then those that only the signature has", .of = &phase_fields));

json_t *like_json(const PhasesLike *like)
{
    return fields_to_json(&like_fields, like, 0);
}
