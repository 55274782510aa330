! SPDX-License-Identifier: BSD-3-Clause
! Arguments that Fortran passes to MPI differently from C, on two ranks, with mpif.h: ignored statuses, MPI_IN_PLACE,
! MPI_BOTTOM, handles and arrays of handles.
program recorder_mpif
    implicit none
    include 'mpif.h'
    integer, parameter :: n = 4
    integer :: me, other, ierror, i, done, indices(3)
    logical :: found
    integer :: numbers(64), counts(2), places(2)
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    integer :: copy
    integer :: requests(3)
    integer :: absolute, types(2)
    integer :: status(MPI_STATUS_SIZE)

    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
    other = 1 - me
    numbers = me
    if (me == 0) then
        call MPI_Send(numbers, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
        call MPI_Recv(numbers, 64, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    else
        call MPI_Recv(numbers, 64, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
        call MPI_Send(numbers, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, ierror)
    end if
    call MPI_Irecv(numbers, 8, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Isend(numbers(9), 8, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(2), ierror)
    requests(3) = MPI_REQUEST_NULL
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, ierror)
    call MPI_Irecv(numbers, 8, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Send(numbers(9), 8, MPI_INTEGER, other, 4, MPI_COMM_WORLD, ierror)
    done = 0
    do while (done == 0)
        call MPI_Testsome(1, requests, done, indices, MPI_STATUSES_IGNORE, ierror)
    end do
    call MPI_Recv_init(numbers, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Send_init(numbers(9), 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Startall(2, requests, ierror)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
    found = .false.
    do while (.not. found)
        call MPI_Test(requests(1), found, status, ierror)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
    call MPI_Get_address(numbers, address(1), ierror)
    call MPI_Type_create_hindexed(1, (/5/), address, MPI_INTEGER, absolute, ierror)
    call MPI_Type_commit(absolute, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 1, MPI_COMM_WORLD, ierror)
    call MPI_Sendrecv(MPI_BOTTOM, 1, absolute, other, 6, numbers(9), 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE, ierror)
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, 3, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    if (me == 0) then
        call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    else
        call MPI_Gather(numbers, 3, MPI_INTEGER, numbers, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierror)
    end if
    counts = 1
    places = (/0, 4/)
    types = MPI_INTEGER
    call MPI_Alltoallw(numbers, counts, places, types, numbers(9), counts, places, types, MPI_COMM_WORLD, ierror)
    call MPI_Iallreduce(MPI_IN_PLACE, numbers, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Barrier(copy, ierror)
    call MPI_Comm_free(copy, ierror)
    do i = 1, 2
        call MPI_Send(numbers, 1, MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_WORLD, ierror)
    end do
    call MPI_Finalize(ierror)
end program recorder_mpif
