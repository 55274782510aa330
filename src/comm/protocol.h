/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between `firma comm` and the workers, the programs that measure: firma-comm-openmpi,
 * -mpich, -pvm and -sockets.
 *
 * A worker gets one argument, the request: a JSON object on one line, as plain text or packed by
 * comm/word.h. It prints records to stdout. A record is a JSON object on a line of its own that
 * begins with COMM_RECORD_START. Other lines come from launchers and libraries; firma keeps some
 * for errors. Only rank 0 prints. It flushes each record, so measured data survive a rank's death.
 * A worker ends with status 0 if it printed a `done` record.
 *
 * Request:
 *   transport    string   one of the worker's transports: "mpi"; "tcp", "unix", "icmp"; "direct",
 *                         "daemon" (PVM)
 *   packing      string   PVM: "xdr", "raw", "inplace"; else ""
 *   operations   [string] of COMM_OPERATIONS, in the order in which to measure them
 *   sizes        [int]    bytes (see Sizes below), ascending; the same for all operations but
 *                         "barrier", which has none
 *   pairs        string   exchanges: "root" (rank 0 with each other rank), or "all" (each with each)
 *   seconds      real     measuring ends after this time in any case; launching doesn't count
 *   target       real     a size is finished when the 95 % interval of its median is within ±target
 *                         of the median ...
 *   least, most  int      ... after at least `least` samples; or when it has `most` samples
 *   warmup       int      repetitions before a size's first sample
 *   cpus         [int]    rank r binds itself to CPU cpus[r mod n] of its host. If the list is
 *                         empty, or the CPU is COMM_CPU_ANY, the rank isn't bound
 *   method       string   of collectives: "window" (synchronised clocks) or "barrier" (the longest
 *                         of the processes' own times)
 *   rotate_bytes int      0: the same buffer each time; else buffers move through this many bytes,
 *                         so that they aren't in a cache
 *   touch        bool     write buffers before measuring
 *   addresses    [string] of all hosts between which messages go, as numbers; absent within a host. With
 *   bind         bool     a worker of MPI binds its library to the interface that has one of them
 *   peers        [object] the ranks from 1 on.
 *                         sockets: {"host", "address", "start": [words]}; rank 0 executes them,
 *                         followed by its own path and by the request with "connect" added.
 *                         icmp: addresses alone. PVM: {"host"} on which to spawn the rank ("": this host)
 *   connect      object   sockets, ranks from 1 on, added by rank 0: {"rank", "address", "port",
 *                         "key"}
 *
 * Records ("record" is always the first member):
 *   hello        parts (of the library, which may carry messages: "ob1 tcp vader"), rank, host, cpus [int] (where the rank may run), library (version text),
 *                clock_resolution_s; of its host: system, processor (model), n_cpus, load (average of a
 *                minute; absent: not known)
 *   clock        rank, offset_s (to rank 0's clock), error_s (half a round trip), drift; printed
 *                before and after measuring
 *   samples      operation, bytes, ranks (exchanges: 2), from, to (exchanges; else 0 and ranks-1),
 *                batch (number of operations of which a sample is the mean), samples_s [real].
 *                Exchanges are pingpong, stream, bidirectional, put and get. A pingpong's sample is half a round trip. That of
 *                a stream is the time of COMM_WINDOW messages and a short answer, divided by COMM_WINDOW; in the
 *                bidirectional one as many messages come back at the same time, in place of the answer, and the
 *                divisor is twice as large. `pairs` counts as a collective: rank r of p streams to rank r + p/2; a
 *                sample is the time of all windows of all pairs, divided by their messages. That of a put or get
 *                is the time until its flush has returned. With method "window", a collective's
 *                sample lasts from the first rank's start to the last rank's end.
 *                Collectives also have: method, skew_s [real] (latest - earliest start of each
 *                sample), late (dropped repetitions: a process wasn't ready when the window began).
 *                A size comes in several records, about one each second, so that data survive the
 *                job's death. The reader joins their lists, and adds up `late`; all have the same
 *                batch. compute_s [real]: these repetitions of a nonblocking collective computed so long
 *                between start and wait; samples_s is without that
 *   interfaces   rank, host, counters {name: [received_bytes, sent_bytes]} (their growth),
 *                payload_bytes (sent and received by this rank), interface (that of the addresses; absent: none)
 *   unsupported  operation, message: the transport doesn't have this operation; with `bytes`:
 *                doesn't have messages of this size
 *   error        message, hint (optional): what went wrong; the last record
 *   done         seconds, complete (bool): all sizes reached their target, unvisited (int): number of
 *                sizes without a sample for lack of time
 *
 * Sizes: n counts
 *   pingpong, stream, bidirectional, pairs, put, get, broadcast, multicast
 *                                   the message
 *   reduce, allreduce               each process's vector (of doubles, which are summed; n >= 8)
 *   scatter, gather                 the root's vector: n/p for each process
 *   allgather                       the vector at the end: n/p from each process
 *   alltoall                        each process's vector: n/p to each process
 *   gatherv, scatterv, allgatherv, alltoallv
 *                                   the same as without v. Process i has 2 i / (p (p - 1)) of n: from nothing to twice
 *                                   the mean. In an alltoallv, process r sends that share to process r + i (modulo p).
 *   ibarrier, ibroadcast …          the same as without i
 * An empty put or get would do nothing, so these have no size 0.
 * n is rounded up to a multiple of what must divide it, and to the transport's least size (1 byte
 * for a stream). `bytes` is the requested size. `moved_bytes` is the rounded size, where it
 * differs. */
#pragma once

#define COMM_RECORD_START "{\"record\":"

#define COMM_OPERATIONS                                                                                                \
    "pingpong", "stream", "bidirectional", "pairs", "put", "get", "barrier", "broadcast", "multicast", "gather",       \
        "scatter", "allgather", "reduce", "allreduce", "alltoall", "gatherv", "scatterv", "allgatherv", "alltoallv",   \
        "ibarrier", "ibroadcast", "igather", "iscatter", "iallgather", "ireduce", "iallreduce", "ialltoall"

#define COMM_METHOD_WINDOW "window"
#define COMM_METHOD_BARRIER "barrier"

enum { COMM_WINDOW = 64 }; /* messages of a stream that are under way at once */

enum { COMM_CPU_ANY = -1, COMM_RANKS_LIMIT = 4096, COMM_SIZES_LIMIT = 512, COMM_BYTES_LIMIT = 1 << 30 };
