! SPDX-License-Identifier: BSD-3-Clause
! Arguments that Fortran passes to MPI differently from C, on two ranks, with the module mpi_f08: ignored statuses, MPI_IN_PLACE,
! MPI_BOTTOM, handles and arrays of handles, and no ierror.
program recorder_f08
    use mpi_f08
    implicit none
    integer, parameter :: n = 4
    integer :: me, other, i, done, indices(3)
    logical :: found
    integer :: numbers(64), counts(2), places(2)
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    type(MPI_Comm) :: copy
    type(MPI_Request) :: requests(3)
    type(MPI_Datatype) :: absolute, types(2)
    type(MPI_Status) :: status

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    other = 1 - me
    numbers = me
    if (me == 0) then
        call MPI_Send(numbers, n, MPI_INTEGER, other, 1, MPI_COMM_WORLD)
        call MPI_Recv(numbers, 64, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    else
        call MPI_Recv(numbers, 64, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
        call MPI_Send(numbers, n, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD)
    end if
    call MPI_Irecv(numbers, 8, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(numbers(9), 8, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(2))
    requests(3) = MPI_REQUEST_NULL
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
    call MPI_Irecv(numbers, 8, MPI_INTEGER, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, requests(1))
    call MPI_Send(numbers(9), 8, MPI_INTEGER, other, 4, MPI_COMM_WORLD)
    done = 0
    do while (done == 0)
        call MPI_Testsome(1, requests, done, indices, MPI_STATUSES_IGNORE)
    end do
    call MPI_Recv_init(numbers, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1))
    call MPI_Send_init(numbers(9), 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2))
    call MPI_Startall(2, requests)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    found = .false.
    do while (.not. found)
        call MPI_Test(requests(1), found, status)
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Get_address(numbers, address(1))
    call MPI_Type_create_hindexed(1, (/5/), address, MPI_INTEGER, absolute)
    call MPI_Type_commit(absolute)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 1, MPI_COMM_WORLD)
    call MPI_Sendrecv(MPI_BOTTOM, 1, absolute, other, 6, numbers(9), 5, MPI_INTEGER, other, 6, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    call MPI_Allreduce(MPI_IN_PLACE, numbers, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, 3, MPI_INTEGER, MPI_COMM_WORLD)
    if (me == 0) then
        call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
    else
        call MPI_Gather(numbers, 3, MPI_INTEGER, numbers, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD)
    end if
    counts = 1
    places = (/0, 4/)
    types = MPI_INTEGER
    call MPI_Alltoallw(numbers, counts, places, types, numbers(9), counts, places, types, MPI_COMM_WORLD)
    call MPI_Iallreduce(MPI_IN_PLACE, numbers, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Barrier(copy)
    call MPI_Comm_free(copy)
    do i = 1, 2
        call MPI_Send(numbers, 1, MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_WORLD)
    end do
    call MPI_Finalize()
end program recorder_f08
