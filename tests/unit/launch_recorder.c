/* SPDX-License-Identifier: BSD-3-Clause */
/* A library in place of the recorder, for tests of launching. It does nothing. */
extern int launch_recorder;
int launch_recorder = 1;
