/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between `firma comm` and the workers that measure: firma-comm-openmpi, -mpich, -pvm and -sockets.
 *
 * A worker gets one argument, the request, a JSON object on one line, as it is or as comm/word.h packs it. It prints
 * records to stdout, each a JSON object on a line of its own that begins with COMM_RECORD_START; other lines are
 * somebody else's (launchers talk), and are kept for errors. Only rank 0 prints, a record at a time and flushed: what
 * was measured before somebody died stays. A worker ends with status 0 if it printed a `done` record.
 *
 * Request:
 *   transport    string   which of the worker's transports: "mpi"; "tcp", "unix", "icmp"; "direct", "daemon" (PVM)
 *   packing      string   PVM: "xdr", "raw", "inplace"; else ""
 *   operations   [string] of COMM_OPERATIONS, in the order in which they are wanted
 *   sizes        [int]    bytes, see below, ascending; the same for all operations but "barrier", which has none
 *   pairs        string   pingpong: "root" (rank 0 with each other rank), or "all" (each with each)
 *   seconds      real     measuring ends after so many, whatever has been reached; the launch isn't counted
 *   target       real     a size is finished when the 95 % interval of its median is within ±target of it, …
 *   least, most  int      … after at least so many samples, or when it has so many
 *   warmup       int      repetitions before the first sample of a size
 *   cpus         [int]    rank r binds itself to cpus[r mod n] of its host; empty, or COMM_CPU_ANY: it stays as it was
 *                         started
 *   method       string   collectives: "window" (synchronised clocks) or "barrier" (each process's own time, maximum)
 *   rotate_bytes int      0: the same buffer each time; else buffers move through so many bytes, so as to leave caches
 *   touch        bool     buffers are written before measuring
 *   peers        [object] sockets: the ranks from 1 on, as {"host", "address", "start": [words]}: rank 0 executes the
 *                         words, followed by its own path and a request with "connect" in it. icmp: only addresses.
 *                         PVM: {"host"} on which the rank is spawned
 *   connect      object   sockets, for ranks from 1 on, made by rank 0: {"rank", "address", "port", "key"}
 *
 * Records ("record" is always the first member):
 *   hello        rank, host, cpus [int] it may run on, library (version text), clock_resolution_s; of its host: system,
 *                processor (model), n_cpus
 *   clock        rank, offset_s (to rank 0's clock), error_s (half a round trip), drift; before and after measuring
 *   samples      operation, bytes, ranks (pingpong: 2), from, to (pingpong; else 0 and ranks-1), batch (operations a
 *                sample is the mean of), samples_s [real]; collectives: method, skew_s [real] (of each sample, latest
 *                start - earliest), late (repetitions dropped, as a process wasn't ready when the window began).
 *                pingpong: half of a round trip; windows: from the first rank's start to the last one's end.
 *                A size comes in several of these records, about one each second, so that what was measured outlives
 *                the job: their lists are to be joined, their `late` summed up; batch is the same in all
 *   interfaces   rank, host, counters {name: [received_bytes, sent_bytes]} that grew while measuring, payload_bytes
 *                (what this rank sent and received itself)
 *   unsupported  operation, message: the transport doesn't have it; with `bytes`: not messages of that size
 *   error        message, hint (where something can be done): what went wrong; nothing follows
 *   done         seconds, complete (bool): all sizes reached their target
 *
 * Sizes: n is the whole vector. pingpong, broadcast, multicast: the message; reduce, allreduce: each process's vector
 * (doubles, sums; from 8 bytes on); scatter, gather: the root's, n/p for each; allgather: what each ends up with, n/p
 * from each; alltoall: what each sends, n/p to each. n is rounded up to a multiple of what divides it, and to the least
 * that the transport can move (1 byte of a stream); `bytes` says the requested size, and `moved_bytes`, where it
 * differs, the rounded one. */
#pragma once

#define COMM_RECORD_START "{\"record\":"

#define COMM_OPERATIONS                                                                                                \
    "pingpong", "barrier", "broadcast", "multicast", "gather", "scatter", "allgather", "reduce", "allreduce", "alltoall"

#define COMM_METHOD_WINDOW "window"
#define COMM_METHOD_BARRIER "barrier"

enum { COMM_CPU_ANY = -1, COMM_RANKS_LIMIT = 4096, COMM_SIZES_LIMIT = 512, COMM_BYTES_LIMIT = 1 << 30 };
