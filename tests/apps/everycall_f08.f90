! SPDX-License-Identifier: BSD-3-Clause
! The calls that Fortran programs make most, through `use mpi_f08`, with counts of messages and collectives. The
! counterpart of everycall.c. Differences: handles are types, ierror may be left out, and the calls have entry points of
! their own in Open MPI and MPICH.
program everycall_f08
    use mpi_f08
    implicit none
    integer, parameter :: n = 4
    integer :: rank, n_ranks, left, right, sends, receives, collectives, i, done, index_, error
    integer(8) :: send_bytes
    logical :: flag
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    type(MPI_Comm) :: comm, half
    type(MPI_Message) :: message
    double precision, asynchronous :: out(2 * n), in(2 * n), many(n, 64)

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks)
    right = mod(rank + 1, n_ranks)
    left = mod(rank + n_ranks - 1, n_ranks)
    sends = 0; receives = 0; collectives = 0; send_bytes = 0
    out = rank; in = -1; many = rank

    ! blocking, from any source, and to MPI_PROC_NULL; with and without ierror
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Recv(in, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call made()
    call MPI_Barrier(MPI_COMM_WORLD)
    collectives = collectives + 1
    call MPI_Send(out, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD)
    call MPI_Recv(in, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, right, 2, in, n, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, &
                      status)
    call made()
    call MPI_Sendrecv_replace(out, n, MPI_DOUBLE_PRECISION, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call made()

    ! nonblocking, completed in several ways
    call post_both()
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call post_both()
    call MPI_Waitall(2, requests, statuses)
    call post_both()
    do i = 1, 2
        call MPI_Waitany(2, requests, index_, status)
    end do
    call post_both()
    call MPI_Wait(requests(1), status)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    call post_both()
    flag = .false.
    do while (.not. flag)
        call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE)
    end do
    call post_both()
    done = 0
    do while (done < 2)
        call MPI_Testany(2, requests, index_, flag, MPI_STATUS_IGNORE)
        if (flag) done = done + 1
    end do

    ! persistent
    call MPI_Send_init(out, n, MPI_DOUBLE_PRECISION, right, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Recv_init(in, n, MPI_DOUBLE_PRECISION, left, 5, MPI_COMM_WORLD, requests(2))
    do i = 1, 3
        call MPI_Startall(2, requests)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
        call made()
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))

    ! probes, cancel
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 6, MPI_COMM_WORLD, requests(1))
    call MPI_Probe(left, 6, MPI_COMM_WORLD, status)
    call MPI_Recv(in, n, MPI_DOUBLE_PRECISION, status%MPI_SOURCE, status%MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(requests(1), status)
    call made()
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 7, MPI_COMM_WORLD, requests(1))
    call MPI_Mprobe(left, 7, MPI_COMM_WORLD, message, status)
    call MPI_Mrecv(in, n, MPI_DOUBLE_PRECISION, message, status)
    call MPI_Wait(requests(1), status)
    call made()
    call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, left, 999, MPI_COMM_WORLD, requests(1))
    call MPI_Cancel(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)

    ! collectives, on the world, a duplicate and halves of it
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call collect(comm)
    call MPI_Comm_free(comm)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
    call collect(half)
    call MPI_Comm_free(half)
    call collect(MPI_COMM_WORLD)

    print '(5(a,i0))', 'events rank ', rank, ' sends ', sends, ' send_bytes ', send_bytes, ' receives ', receives, &
        ' collectives ', collectives
    if (rank == 0) print '(a)', 'everycall_f08 checksum 0'
    call flush(6)
    call MPI_Finalize()

contains

    subroutine made()
        sends = sends + 1
        receives = receives + 1
        send_bytes = send_bytes + 8 * n
    end subroutine

    subroutine post_both()
        call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, left, 4, MPI_COMM_WORLD, requests(1))
        call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, 4, MPI_COMM_WORLD, requests(2))
        call made()
    end subroutine

    subroutine collect(c)
        type(MPI_Comm), intent(in) :: c
        type(MPI_Request) :: request
        call MPI_Bcast(in, n, MPI_DOUBLE_PRECISION, 0, c)
        call MPI_Reduce(out, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, c)
        call MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, c)
        call MPI_Allgather(out, n, MPI_DOUBLE_PRECISION, many, n, MPI_DOUBLE_PRECISION, c)
        call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, n, MPI_DOUBLE_PRECISION, c)
        call MPI_Barrier(c)
        call MPI_Iallreduce(out, in, n, MPI_DOUBLE_PRECISION, MPI_MAX, c, request)
        call MPI_Wait(request, MPI_STATUS_IGNORE)
        collectives = collectives + 7
    end subroutine
end program
