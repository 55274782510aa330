/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI calls that symbols of executables stand for. */
#include "trace/binary/calls.h"
#include "unit/fixture.h"

#include <string.h>

static void assert_call(const char *symbol, const char *name, CallClass class)
{
    CallClass found = CLASS_COUNT;
    const char *call = call_of_symbol(symbol, arena, &found);
    if (!call)
        fail_msg("%s is no call", symbol);
    assert_string_equal(call, name);
    assert_int_equal(found, class);
}

static void assert_no_call(const char *symbol)
{
    CallClass class;
    const char *call = call_of_symbol(symbol, arena, &class);
    if (call)
        fail_msg("%s is taken for %s", symbol, call);
}

static void finds_calls_of_c_and_of_its_profiling_layer(void **state)
{
    assert_call("MPI_Send", "MPI_Send", CLASS_RECORDED);
    assert_call("PMPI_Send", "MPI_Send", CLASS_RECORDED);
    assert_call("MPI_Comm_create_group", "MPI_Comm_create_group", CLASS_RECORDED);
}

static void finds_the_same_call_in_every_spelling_of_fortran(void **state)
{
    static const char *const symbols[] = {"mpi_isend",       "mpi_isend_",       "mpi_isend__",      "MPI_ISEND",
                                          "mpi_isend_f08_",  "mpi_isend_f08ts_", "pmpi_isend_",      "PMPI_ISEND__",
                                          "pmpi_isend_f08_", "mpi_isend_fts_",   "pmpi_isend_f08ts_"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        assert_call(symbols[i], "MPI_Isend", CLASS_RECORDED);
}

static void a_large_count_of_fortran_is_its_own_call(void **state)
{
    assert_call("mpi_send_f08ts_large_", "MPI_Send_c", CLASS_RECORDED);
    assert_call("MPI_Send_c", "MPI_Send_c", CLASS_RECORDED);
}

static void names_calls_that_a_pattern_stands_for_as_c_does(void **state)
{
    assert_call("MPI_Type_commit", "MPI_Type_commit", CLASS_LOCAL);
    assert_call("mpi_type_create_struct_", "MPI_Type_create_struct", CLASS_LOCAL);
    assert_call("MPI_T_init_thread", "MPI_T_init_thread", CLASS_LOCAL);
}

static void a_line_of_the_table_goes_before_a_pattern(void **state)
{
    assert_call("MPI_Comm_rank", "MPI_Comm_rank", CLASS_LOCAL);
    assert_call("MPI_Graph_create", "MPI_Graph_create", CLASS_RECORDED);
}

static void a_call_that_the_table_lacks_is_unknown(void **state)
{
    assert_call("MPI_Frobnicate", "MPI_Frobnicate", CLASS_UNKNOWN);
    assert_call("mpi_frobnicate_all_", "MPI_Frobnicate_all", CLASS_UNKNOWN);
    assert_call("MPIX_Frobnicate", "MPIX_Frobnicate", CLASS_UNKNOWN);
}

static void constants_callbacks_and_others_are_no_calls(void **state)
{
    static const char *const symbols[] = {"MPI_F_STATUS_IGNORE",
                                          "MPI_UNWEIGHTED",
                                          "mpi_null_copy_fn_",
                                          "MPIR_Dup_fn",
                                          "ompi_mpi_comm_world",
                                          "mpi",
                                          "MPI_",
                                          "printf",
                                          "mpi_conversion_fn_null_",
                                          "p",
                                          "",
                                          "MPI_CONVERSION_FN_NULL"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        assert_no_call(symbols[i]);
}

static void a_name_of_any_length_is_harmless(void **state)
{
    char symbol[4096] = "MPI_";
    memset(symbol + 4, 'a', sizeof symbol - 5);
    assert_no_call(symbol);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_calls_of_c_and_of_its_profiling_layer),
        cmocka_unit_test(finds_the_same_call_in_every_spelling_of_fortran),
        cmocka_unit_test(a_large_count_of_fortran_is_its_own_call),
        cmocka_unit_test(names_calls_that_a_pattern_stands_for_as_c_does),
        cmocka_unit_test(a_line_of_the_table_goes_before_a_pattern),
        cmocka_unit_test(a_call_that_the_table_lacks_is_unknown),
        cmocka_unit_test(constants_callbacks_and_others_are_no_calls),
        cmocka_unit_test(a_name_of_any_length_is_harmless),
    };
    return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
