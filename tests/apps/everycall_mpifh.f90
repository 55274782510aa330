! SPDX-License-Identifier: BSD-3-Clause
! The calls that Fortran programs make most, through mpif.h, with counts of messages and collectives. The counterpart
! of everycall.c. Differences: MPI_IN_PLACE, MPI_BOTTOM and MPI_STATUS(ES)_IGNORE are addresses of common blocks, and
! statuses are arrays of integers.
program everycall_mpifh
    implicit none
    include 'mpif.h'
    integer, parameter :: n = 4
    integer :: error, rank, n_ranks, left, right, sends, receives, collectives, i, done, index_, comm, half
    integer :: requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), group, column
    integer(kind=MPI_ADDRESS_KIND) :: address
    integer(8) :: send_bytes
    logical :: flag
    double precision :: out(2 * n), in(2 * n), many(n, 64)
    integer :: lengths(1), types(1), absolute, numbers(n)
    integer(kind=MPI_ADDRESS_KIND) :: places(1)

    call MPI_INIT(error)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, n_ranks, error)
    right = mod(rank + 1, n_ranks)
    left = mod(rank + n_ranks - 1, n_ranks)
    sends = 0; receives = 0; collectives = 0; send_bytes = 0
    out = rank; in = -1; many = rank; numbers = rank

    ! blocking, from any source, and to MPI_PROC_NULL
    call MPI_ISEND(out, n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_RECV(in, n, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
    call MPI_WAIT(requests(1), MPI_STATUS_IGNORE, error)
    call made(1, 1, 8 * n)
    call MPI_BARRIER(MPI_COMM_WORLD, error)
    collectives = collectives + 1
    call MPI_SEND(out, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, error)
    call MPI_RECV(in, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_SENDRECV(out, n, MPI_DOUBLE_PRECISION, right, 2, in, n, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, &
                      status, error)
    call made(1, 1, 8 * n)
    call MPI_SENDRECV_REPLACE(out, n, MPI_DOUBLE_PRECISION, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call made(1, 1, 8 * n)

    ! nonblocking, completed in several ways
    call post_both()
    call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, error)
    call post_both()
    call MPI_WAITALL(2, requests, statuses, error)
    call post_both()
    do i = 1, 2
        call MPI_WAITANY(2, requests, index_, status, error)
    end do
    call post_both()
    flag = .false.
    do while (.not. flag)
        call MPI_TESTALL(2, requests, flag, MPI_STATUSES_IGNORE, error)
    end do
    call post_both()
    done = 0
    do while (done < 2)
        call MPI_TESTANY(2, requests, index_, flag, MPI_STATUS_IGNORE, error)
        if (flag) done = done + 1
    end do

    ! persistent
    call MPI_SEND_INIT(out, n, MPI_DOUBLE_PRECISION, right, 5, MPI_COMM_WORLD, requests(1), error)
    call MPI_RECV_INIT(in, n, MPI_DOUBLE_PRECISION, left, 5, MPI_COMM_WORLD, requests(2), error)
    do i = 1, 3
        call MPI_STARTALL(2, requests, error)
        call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, error)
        call made(1, 1, 8 * n)
    end do
    call MPI_REQUEST_FREE(requests(1), error)
    call MPI_REQUEST_FREE(requests(2), error)

    ! probe, cancel
    call MPI_ISEND(out, n, MPI_DOUBLE_PRECISION, right, 6, MPI_COMM_WORLD, requests(1), error)
    call MPI_PROBE(left, 6, MPI_COMM_WORLD, status, error)
    call MPI_RECV(in, n, MPI_DOUBLE_PRECISION, status(MPI_SOURCE), status(MPI_TAG), MPI_COMM_WORLD, &
                  MPI_STATUS_IGNORE, error)
    call MPI_WAIT(requests(1), status, error)
    call made(1, 1, 8 * n)
    call MPI_IRECV(in, n, MPI_DOUBLE_PRECISION, left, 999, MPI_COMM_WORLD, requests(1), error)
    call MPI_CANCEL(requests(1), error)
    call MPI_WAIT(requests(1), MPI_STATUS_IGNORE, error)

    ! derived datatype, absolute addresses
    call MPI_TYPE_VECTOR(n, 1, 2, MPI_DOUBLE_PRECISION, column, error)
    call MPI_TYPE_COMMIT(column, error)
    call MPI_SENDRECV(out, 1, column, right, 7, in, n, MPI_DOUBLE_PRECISION, left, 7, MPI_COMM_WORLD, status, error)
    call made(1, 1, 8 * n)
    call MPI_GET_ADDRESS(out, address, error)
    lengths(1) = n; places(1) = address; types(1) = MPI_DOUBLE_PRECISION
    call MPI_TYPE_CREATE_STRUCT(1, lengths, places, types, absolute, error)
    call MPI_TYPE_COMMIT(absolute, error)
    call MPI_BCAST(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, error)
    collectives = collectives + 1
    call MPI_TYPE_FREE(column, error)
    call MPI_TYPE_FREE(absolute, error)

    ! collectives, on the world, a duplicate and halves of it
    call MPI_COMM_DUP(MPI_COMM_WORLD, comm, error)
    call collect(comm)
    call MPI_COMM_FREE(comm, error)
    call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
    call collect(half)
    call MPI_COMM_FREE(half, error)
    call MPI_COMM_GROUP(MPI_COMM_WORLD, group, error)
    call MPI_COMM_CREATE(MPI_COMM_WORLD, group, comm, error)
    call collect(comm)
    call MPI_COMM_FREE(comm, error)
    call collect(MPI_COMM_WORLD)

    print '(5(a,i0))', 'events rank ', rank, ' sends ', sends, ' send_bytes ', send_bytes, ' receives ', receives, &
        ' collectives ', collectives
    if (rank == 0) print '(a)', 'everycall_mpifh checksum 0'
    call flush(6)
    call MPI_FINALIZE(error)

contains

    subroutine made(s, r, bytes)
        integer, intent(in) :: s, r, bytes
        sends = sends + s
        receives = receives + r
        send_bytes = send_bytes + s * bytes
    end subroutine

    subroutine post_both()
        call MPI_IRECV(in, n, MPI_DOUBLE_PRECISION, left, 4, MPI_COMM_WORLD, requests(1), error)
        call MPI_ISEND(out, n, MPI_DOUBLE_PRECISION, right, 4, MPI_COMM_WORLD, requests(2), error)
        call made(1, 1, 8 * n)
    end subroutine

    subroutine collect(c)
        integer, intent(in) :: c
        integer :: request
        call MPI_BCAST(numbers(1), n, MPI_INTEGER, 0, c, error)
        call MPI_REDUCE(out, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, c, error)
        call MPI_ALLREDUCE(MPI_IN_PLACE, in, n, MPI_DOUBLE_PRECISION, MPI_SUM, c, error)
        call MPI_ALLGATHER(out, n, MPI_DOUBLE_PRECISION, many, n, MPI_DOUBLE_PRECISION, c, error)
        call MPI_ALLTOALL(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, n, MPI_DOUBLE_PRECISION, c, error)
        call MPI_BARRIER(c, error)
        call MPI_IALLREDUCE(out, in, n, MPI_DOUBLE_PRECISION, MPI_MAX, c, request, error)
        call MPI_WAIT(request, MPI_STATUS_IGNORE, error)
        collectives = collectives + 7
    end subroutine
end program
