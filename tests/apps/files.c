/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file with MPI's own calls between messages; each rank writes its part.
 *
 *   files PATH [ROUNDS]
 *
 * Prints the duration of the file operations: "file_s rank R SECONDS". */
#include "app.h"

enum { N = 1 << 14 };

int main(int argc, char **argv)
{
    static double content[N];
    double file_s = 0;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    app_start();
    const long rounds = app_argument(argc, argv, 2, 20);
    const MPI_Offset size = sizeof content;
    MPI_File_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "files.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    for (long i = 0; i < rounds; i++) {
        const MPI_Offset at = (i * app.n_ranks + app.rank) * size;
        app_sum((double)i);
        const double start_s = MPI_Wtime();
        MPI_File_write_at(file, at, content, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_File_read_at_all(file, at, content, N, MPI_DOUBLE, MPI_STATUS_IGNORE);
        file_s += MPI_Wtime() - start_s;
        MPI_File_iwrite_at(file, at, content, 1, MPI_DOUBLE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    printf("file_s rank %d %.6f\n", app.rank, file_s);
    app_report("files", (double)rounds);
    MPI_Finalize();
    return 0;
}
