! SPDX-License-Identifier: BSD-3-Clause
! Explicit heat equation on a SIZE x SIZE plate, with columns divided into blocks. A step has two MPI_Sendrecv. Every
! tenth step sums up the total heat. The interface is `use mpi`.
!
!   heat [SIZE [STEPS]]
program heat
    use mpi
    implicit none
    integer :: rank, n_ranks, error, n, steps, step, columns, left, right, sends, collectives
    integer(8) :: send_bytes
    double precision :: start_s, elapsed_s, own_heat, total_heat
    double precision, allocatable :: u(:, :), next(:, :)

    call MPI_Init(error)
    start_s = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks, error)
    n = argument(1, 200)
    steps = argument(2, 1000)
    sends = 0; collectives = 0; send_bytes = 0
    columns = n * (rank + 1) / n_ranks - n * rank / n_ranks
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < n_ranks - 1)
    allocate (u(0:n + 1, 0:columns + 1), next(0:n + 1, 0:columns + 1))
    u = 0
    u(n / 4:n / 2, :) = 100
    next = u

    do step = 1, steps
        call exchange_columns()
        call diffuse()
        if (mod(step, 10) == 0) call add_up()
    end do
    call add_up()

    elapsed_s = MPI_Wtime() - start_s
    print '(5(a,i0))', 'events rank ', rank, ' sends ', sends, ' send_bytes ', send_bytes, ' receives ', sends, &
        ' collectives ', collectives
    if (rank == 0) then
        print '(a,es18.10)', 'heat checksum ', total_heat
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

    subroutine exchange_columns()
        call MPI_Sendrecv(u(1, 1), n, MPI_DOUBLE_PRECISION, left, 1, u(1, columns + 1), n, MPI_DOUBLE_PRECISION, &
                          right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Sendrecv(u(1, columns), n, MPI_DOUBLE_PRECISION, right, 2, u(1, 0), n, MPI_DOUBLE_PRECISION, &
                          left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        sends = sends + count([left, right] /= MPI_PROC_NULL)
        send_bytes = send_bytes + 8 * n * count([left, right] /= MPI_PROC_NULL)
    end subroutine

    subroutine diffuse()
        integer :: i, j
        do j = 1, columns
            do i = 1, n
                next(i, j) = u(i, j) + 0.2d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j))
            end do
        end do
        u(1:n, 1:columns) = next(1:n, 1:columns)
    end subroutine

    subroutine add_up()
        own_heat = sum(u(1:n, 1:columns))
        call MPI_Allreduce(own_heat, total_heat, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
        collectives = collectives + 1
    end subroutine
end program
