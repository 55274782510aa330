! SPDX-License-Identifier: BSD-3-Clause
! Like resting.c, in Fortran with `use mpi`: processes that go to sleep in the middle of their communication.
!
!   resting_f DIRECTORY STEPS
program resting_f
    use mpi
    use, intrinsic :: iso_c_binding
    implicit none
    interface
        integer(c_int) function usleep(microseconds) bind(c)
            import :: c_int
            integer(c_int), value :: microseconds
        end function
    end interface
    integer, parameter :: words = 8192
    integer :: rank, n_ranks, error, steps, step, stop_step, next, previous, requests(2)
    integer(8) :: checksum, whole, outgoing(words), incoming(words)
    character(len=1024) :: directory, word

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, n_ranks, error)
    call get_command_argument(1, directory)
    call get_command_argument(2, word)
    read (word, *) steps
    next = mod(rank + 1, n_ranks)
    previous = mod(rank + n_ranks - 1, n_ranks)
    checksum = rank
    call read_stop()

    do step = 0, steps - 1
        if (stop_step >= 0 .and. step == stop_step + mod(rank, 2)) call sleep_until_go()
        outgoing = checksum + step
        call MPI_Irecv(incoming, words, MPI_INTEGER8, previous, 1, MPI_COMM_WORLD, requests(1), error)
        call MPI_Isend(outgoing, words, MPI_INTEGER8, next, 1, MPI_COMM_WORLD, requests(2), error)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
        checksum = ieor(ishftc(checksum, 7), incoming(words) + step)
        if (mod(step, 8) == 7) then
            call MPI_Allreduce(checksum, whole, 1, MPI_INTEGER8, MPI_BXOR, MPI_COMM_WORLD, error)
            checksum = ieor(ishftc(checksum, 3), whole)
        end if
    end do
    call MPI_Reduce(checksum, whole, 1, MPI_INTEGER8, MPI_BXOR, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a,z16.16)', 'checksum ', whole
    call flush(6)
    call MPI_Finalize(error)

contains

    subroutine read_stop()
        integer :: unit, status
        stop_step = -1
        open (newunit=unit, file=trim(directory)//'/stop', status='old', action='read', iostat=status)
        if (status /= 0) return
        read (unit, *) stop_step
        close (unit)
    end subroutine

    subroutine sleep_until_go()
        integer :: unit, ignored
        logical :: go
        character(len=16) :: name
        write (name, '(i0)') rank
        open (newunit=unit, file=trim(directory)//'/asleep.'//trim(name), action='write')
        close (unit)
        go = .false.
        do while (.not. go)
            ignored = usleep(2000)
            inquire (file=trim(directory)//'/go', exist=go)
        end do
    end subroutine
end program
