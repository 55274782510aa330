! SPDX-License-Identifier: BSD-3-Clause
! Alternating directions: implicit diffusion along the columns that a rank owns, a transposition by MPI_Alltoall, the
! same along the former rows, and a transposition back. SIZE is rounded up to a multiple of the ranks. The interface is
! `use mpi_f08`.
!
!   adi [SIZE [STEPS]]
program adi
    use mpi_f08
    implicit none
    integer :: rank, n_ranks, n, steps, step, own, collectives
    double precision :: start_s, elapsed_s, own_sum, total
    double precision, parameter :: r = 0.3d0
    double precision, allocatable :: u(:, :), sent(:, :, :), received(:, :, :)

    call MPI_Init()
    start_s = MPI_Wtime()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks)
    n = argument(1, 128)
    steps = argument(2, 500)
    collectives = 0
    n = (n + n_ranks - 1) / n_ranks * n_ranks
    own = n / n_ranks
    allocate (u(n, own), sent(own, own, n_ranks), received(own, own, n_ranks))
    call set_up()

    do step = 1, steps
        call solve_columns()
        call transpose_all()
        call solve_columns()
        call transpose_all()
    end do
    own_sum = sum(u * u)
    call MPI_Reduce(own_sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    collectives = collectives + 1

    elapsed_s = MPI_Wtime() - start_s
    print '(2(a,i0))', 'events rank ', rank, ' sends 0 send_bytes 0 receives 0 collectives ', collectives
    if (rank == 0) then
        print '(a,es18.10)', 'adi checksum ', total
        print '(a,f0.6)', 'time_s ', elapsed_s
    end if
    call flush(6)
    call MPI_Finalize()

contains

    integer function argument(i, standard)
        integer, intent(in) :: i, standard
        character(len=32) :: word
        argument = standard
        if (i > command_argument_count()) return
        call get_command_argument(i, word)
        read (word, *) argument
    end function

    subroutine set_up()
        integer :: i, j
        do j = 1, own
            do i = 1, n
                u(i, j) = sin(0.1d0 * i) * cos(0.07d0 * (rank * own + j))
            end do
        end do
    end subroutine

    ! (1 + 2 r) x(i) - r (x(i-1) + x(i+1)) = u(i), for each column (Thomas algorithm).
    subroutine solve_columns()
        integer :: i, j
        double precision :: upper(n), pivot
        do j = 1, own
            pivot = 1 + 2 * r
            u(1, j) = u(1, j) / pivot
            do i = 2, n
                upper(i - 1) = -r / pivot
                pivot = 1 + 2 * r + r * upper(i - 1)
                u(i, j) = (u(i, j) + r * u(i - 1, j)) / pivot
            end do
            do i = n - 1, 1, -1
                u(i, j) = u(i, j) - upper(i) * u(i + 1, j)
            end do
        end do
    end subroutine

    subroutine transpose_all()
        integer :: p
        do p = 1, n_ranks
            sent(:, :, p) = transpose(u((p - 1) * own + 1:p * own, :))
        end do
        call MPI_Alltoall(sent, own * own, MPI_DOUBLE_PRECISION, received, own * own, MPI_DOUBLE_PRECISION, &
                          MPI_COMM_WORLD)
        collectives = collectives + 1
        do p = 1, n_ranks
            u((p - 1) * own + 1:p * own, :) = received(:, :, p)
        end do
    end subroutine
end program
