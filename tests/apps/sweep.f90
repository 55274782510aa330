! SPDX-License-Identifier: BSD-3-Clause
! A wavefront through a SIZE x SIZE x PLANES grid, as in a symmetric Gauss-Seidel solver or a transport sweep. Plane by
! plane, each rank waits for its edges from the north and the west, and sends its own to the south and the east. Then the
! wave goes back. Blocking, many small messages. The interface is mpif.h.
!
!   sweep [SIZE [PLANES [SWEEPS]]]
program sweep
    implicit none
    include 'mpif.h'
    integer :: rank, n_ranks, error, size_, planes, sweeps, dims(2), row, column, rows, columns, s, sends, receives
    integer :: north, south, west, east, collectives
    integer(8) :: send_bytes
    double precision :: start_s, elapsed_s, own_sum, total
    double precision, allocatable :: u(:, :, :)

    call MPI_Init(error)
    start_s = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks, error)
    size_ = argument(1, 64)
    planes = argument(2, 32)
    sweeps = argument(3, 100)
    sends = 0; receives = 0; collectives = 0; send_bytes = 0

    dims = 0
    call MPI_Dims_create(n_ranks, 2, dims, error)
    row = rank / dims(2)
    column = mod(rank, dims(2))
    rows = size_ * (row + 1) / dims(1) - size_ * row / dims(1)
    columns = size_ * (column + 1) / dims(2) - size_ * column / dims(2)
    north = neighbour(row - 1, column)
    south = neighbour(row + 1, column)
    west = neighbour(row, column - 1)
    east = neighbour(row, column + 1)
    allocate (u(0:rows + 1, 0:columns + 1, planes))
    u = 0
    u(1:rows, 1:columns, :) = 1

    do s = 1, sweeps
        call forward()
        call backward()
        if (mod(s, 10) == 0) then
            own_sum = sum(u(1:rows, 1:columns, :))
            call MPI_Allreduce(own_sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
            collectives = collectives + 1
        end if
    end do
    own_sum = sum(u(1:rows, 1:columns, :))
    call MPI_Allreduce(own_sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    collectives = collectives + 1

    elapsed_s = MPI_Wtime() - start_s
    print '(5(a,i0))', 'events rank ', rank, ' sends ', sends, ' send_bytes ', send_bytes, ' receives ', receives, &
        ' collectives ', collectives
    if (rank == 0) then
        print '(a,es18.10)', 'sweep checksum ', total
        print '(a,f0.6)', 'time_s ', elapsed_s
    end if
    call flush(6)
    call MPI_Finalize(error)

contains

    integer function argument(i, standard)
        integer, intent(in) :: i, standard
        character(len=32) :: word
        argument = standard
        if (i > command_argument_count()) return
        call get_command_argument(i, word)
        read (word, *) argument
    end function

    integer function neighbour(i, j)
        integer, intent(in) :: i, j
        neighbour = MPI_PROC_NULL
        if (i >= 0 .and. i < dims(1) .and. j >= 0 .and. j < dims(2)) neighbour = i * dims(2) + j
    end function

    subroutine receive(values, n, from, tag)
        integer, intent(in) :: n, from, tag
        double precision, intent(out) :: values(n)
        call MPI_Recv(values, n, MPI_DOUBLE_PRECISION, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        receives = receives + 1
    end subroutine

    subroutine send(values, n, to, tag)
        integer, intent(in) :: n, to, tag
        double precision, intent(in) :: values(n)
        call MPI_Send(values, n, MPI_DOUBLE_PRECISION, to, tag, MPI_COMM_WORLD, error)
        sends = sends + 1
        send_bytes = send_bytes + 8 * n
    end subroutine

    subroutine forward()
        integer :: i, j, k
        double precision :: edge_row(columns), edge_column(rows)
        do k = 1, planes
            if (north /= MPI_PROC_NULL) then
                call receive(edge_row, columns, north, 1)
                u(0, 1:columns, k) = edge_row
            end if
            if (west /= MPI_PROC_NULL) then
                call receive(edge_column, rows, west, 2)
                u(1:rows, 0, k) = edge_column
            end if
            do j = 1, columns
                do i = 1, rows
                    u(i, j, k) = 0.2d0 + 0.4d0 * u(i, j, k) + 0.2d0 * (u(i - 1, j, k) + u(i, j - 1, k))
                end do
            end do
            if (south /= MPI_PROC_NULL) call send(u(rows, 1:columns, k), columns, south, 1)
            if (east /= MPI_PROC_NULL) call send(u(1:rows, columns, k), rows, east, 2)
        end do
    end subroutine

    subroutine backward()
        integer :: i, j, k
        double precision :: edge_row(columns), edge_column(rows)
        do k = planes, 1, -1
            if (south /= MPI_PROC_NULL) then
                call receive(edge_row, columns, south, 3)
                u(rows + 1, 1:columns, k) = edge_row
            end if
            if (east /= MPI_PROC_NULL) then
                call receive(edge_column, rows, east, 4)
                u(1:rows, columns + 1, k) = edge_column
            end if
            do j = columns, 1, -1
                do i = rows, 1, -1
                    u(i, j, k) = 0.1d0 + 0.5d0 * u(i, j, k) + 0.2d0 * (u(i + 1, j, k) + u(i, j + 1, k))
                end do
            end do
            if (north /= MPI_PROC_NULL) call send(u(1, 1:columns, k), columns, north, 3)
            if (west /= MPI_PROC_NULL) call send(u(1:rows, 1, k), rows, west, 4)
        end do
    end subroutine
end program
