/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings for the archive's tests, made record by record without a recorder. */
#pragma once

#include "trace/segment.h"
#include <stdio.h>

/* Times in process files: MPI_Init [1000, 2000], MPI_Finalize [900000, 901000]. The segments' calls
 * lie between. */
enum { INIT_ENTER = 1000, INIT_LEAVE = 2000, FINALIZE_ENTER = 900000, FINALIZE_LEAVE = 901000 };

/* Creates a temporary directory, and removes it with its content. */
char *make_directory(void);
void remove_directory(char *path);

/* A process that was initialised and finalised. Change fields before process_write(). */
ProcessFile process_file(int rank, int n_processes);
void process_write(const char *directory, const ProcessFile *file);

/* Writes communicators 0 and 1. comms_add() adds others. */
void comms_start(const char *directory, ProcessFile *file);
void comms_add(const char *directory, ProcessFile *file, uint32_t n_local, uint32_t n_remote, const int32_t *members);

/* Adds a window of all processes. */
void windows_add(const char *directory, ProcessFile *file);

FILE *segment_start(const char *directory, const ProcessFile *file, uint32_t thread);

/* The next records are stored halves. They must fill n_halves of them. */
void segment_store_halves(FILE *segment, uint32_t n_halves);

void put_call(FILE *segment, const char *name, int64_t enter_ns, int64_t leave_ns);
void put_cpu(FILE *segment, int64_t time_ns, int64_t cpu_ns);
void put_message(FILE *segment, RecordKind kind, uint32_t comm, int32_t peer, int32_t tag, uint64_t bytes,
                 uint64_t request);
/* The lower 32 bits of this request are 0. */
#define LARGE_REQUEST ((uint64_t)7 << 32)

void put_collective(FILE *segment, RecordKind kind, uint8_t collective, uint32_t comm, int32_t root, uint64_t request,
                    uint64_t sent, uint64_t received);

void put_one_sided(FILE *segment, RecordKind kind, OneSided what, uint32_t window, int32_t target, uint64_t request,
                   uint64_t sent, uint64_t received);

/* Two ranks with a little of everything: every kind of record, a second communicator, threads. */
void write_varied_recording(const char *directory);
