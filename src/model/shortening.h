/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortens the loops of a task graph, so that a graph too long to be simulated in full can be simulated in part.
 * Of each pair of tasks, one still sends what the other receives: matching loops lose iterations together.
 *
 *     Shortening *shortening = shortening_new(graph, arena);
 *     if (shortening_steps(shortening, 0.1) < MOST)  simulate(shortening_make(shortening, 0.1, arena));
 *
 * A simulated time is about linear in the share. So times of two shares tell that of the whole. */
#pragma once

#include "base/arena.h"
#include "model/tfg.h"

typedef struct Shortening Shortening;

/* Analyses the graph, which must not be folded. A loop keeps at least as many iterations as least_iterations says
 * of the largest matching loop. Result in the arena; it refers to the graph. */
Shortening *shortening_new(const TaskGraph *graph, uint64_t least_iterations, Arena *arena);

/* Number of computations and messages with loops run through, if outermost loops keep this share of their iterations.
 * 1: of the graph as it is. */
double shortening_steps(const Shortening *shortening, double share);

/* The graph with such loops. Result in the arena. */
const TaskGraph *shortening_make(const Shortening *shortening, double share, Arena *arena);
