/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for a recorder in tests of launching: it is preloaded, and does nothing. */
extern int launch_recorder;
int launch_recorder = 1;
