/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortens the loops of a task graph, so that a graph too long to be simulated in full can be simulated in part.
 * Of each pair of tasks, one still sends what the other receives: matching loops lose iterations together.
 *
 *     Shortening *shortening = shortening_new(graph, arena);
 *     double share = shortening_share(shortening, LEAST, MOST);
 *     if (shortening_steps(shortening, share, LEAST) < MOST)  simulate(shortening_make(shortening, share, LEAST, arena));
 *
 * A simulated time is about linear in the share. So times of two shares tell that of the whole. */
#pragma once

#include "base/arena.h"
#include "model/tfg.h"

typedef struct Shortening Shortening;

/* Analyses the graph, which must not be folded. Result in the arena; it refers to the graph. */
Shortening *shortening_new(const TaskGraph *graph, Arena *arena);

/* Number of computations and messages with loops run through, if outermost loops keep this share of their iterations.
 * Loops that would keep fewer rounds than least_iterations keep all: they wouldn't keep the share. (A round is an
 * iteration of the matching loop whose iterations are largest.) Share 1: of the graph as it is. */
double shortening_steps(const Shortening *shortening, double share, uint64_t least_iterations);

/* About the largest share that leaves at most so many steps; if there is none, that which leaves the fewest. 1: the
 * whole graph has no more, or can't be shortened. */
double shortening_share(const Shortening *shortening, uint64_t least_iterations, double most_steps);

/* The graph with such loops. Result in the arena. */
const TaskGraph *shortening_make(const Shortening *shortening, double share, uint64_t least_iterations, Arena *arena);
