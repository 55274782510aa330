/* SPDX-License-Identifier: BSD-3-Clause */
/* See from_signature.h. */
#include "verbs/report/from_signature.h"

#include "verbs/phases/text.h"
#include "verbs/report/data.h"

#include <math.h>
#include <string.h>

enum { TIMELINE_PHASES = 4 };

static double phase_s(const Signature *signature, uint32_t phase)
{
    return signature_phase_time_s(signature, phase, (double)signature->n_occurrences);
}

/* The phases that take longest, as their numbers in the signature. */
static uint32_t longest_phases(const Signature *signature, uint32_t numbers[TIMELINE_PHASES])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        uint32_t at = n;
        while (at > 0 && phase_s(signature, numbers[at - 1]) < phase_s(signature, i))
            at--;
        if (at == TIMELINE_PHASES)
            continue;
        n = n < TIMELINE_PHASES ? n + 1 : n;
        memmove(&numbers[at + 1], &numbers[at], (n - at - 1) * sizeof *numbers);
        numbers[at] = i;
    }
    return n;
}

json_t *timeline_json(const Signature *signature)
{
    uint32_t longest[TIMELINE_PHASES], n = longest_phases(signature, longest);
    json_t *times = json_array(), *ids = json_array(), *shares = json_array();
    for (uint32_t k = 0; k < n; k++)
        json_array_append_new(ids, json_integer(signature->phases[longest[k]].id));
    for (uint32_t i = 0; i < signature->n_milestones; i++) {
        const Milestone *milestone = &signature->milestones[i];
        json_array_append_new(times, json_real(milestone->time_s));
        if (i + 1 == signature->n_milestones)
            break;
        double length_s = milestone[1].time_s - milestone->time_s, rest_s = length_s;
        json_t *row = json_array();
        for (uint32_t k = 0; k < n; k++) {
            double time_s = milestone[1].phase_time_s[longest[k]] - milestone->phase_time_s[longest[k]];
            rest_s -= time_s;
            json_array_append_new(row, json_real(length_s > 0 ? time_s / length_s : 0));
        }
        json_array_append_new(row, json_real(length_s > 0 ? fmax(0, rest_s / length_s) : 0));
        json_array_append_new(shares, row);
    }
    return json_pack("{s:o, s:o, s:o}", "times_s", times, "phases", ids, "shares", shares);
}

/* Without the sequence: `firma show` shows it. */
void from_signature_add(const Signature *signature, json_t *documents, Arena *arena)
{
    json_t *phases = phases_json(signature, NULL, arena);
    json_object_del(phases, "sequence");
    json_object_del(phases, "renamed");
    json_object_del(phases, "first_blocks");
    report_shorten_phases(json_object_get(phases, "phases"));
    json_object_set_new(documents, "phases", phases);
    if (signature->n_milestones > 1)
        json_object_set_new(documents, "timeline", timeline_json(signature));
}
