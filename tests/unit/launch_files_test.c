/* SPDX-License-Identifier: BSD-3-Clause */
/* Mappings as options of launchers, and this machine as hwloc describes it. */
#include "base/files.h"
#include "placement/launching/files.h"
#include "placement/platform/topology.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const nodes[] = {"anna", "otto"};
static const Processor known[] = {
    {"anna", 0, 0, 4, 1, 0}, {"anna", 0, 1, 6, 1, 0}, {"otto", 1, 0, 4, 1, 0}, {"otto", 1, 1, 6, 1, 0}};
static const Processor unknown[] = {
    {"anna", 0, 0, -1, 1, 0}, {"anna", 0, 1, -1, 1, 0}, {"otto", 1, 0, -1, 1, 0}, {"otto", 1, 1, -1, 1, 0}};

static Platform two_nodes(const Processor *processors)
{
    return (Platform){.description = "", .n_nodes = 2, .n_processors = 4, .nodes = nodes, .processors = processors};
}

static int begin(void **state)
{
    *state = arena_new();
    return 0;
}

static int end(void **state)
{
    arena_free(*state);
    return 0;
}

static LaunchFiles make(const uint32_t *processors, uint32_t n, const Processor *of, Arena *arena)
{
    Platform platform = two_nodes(of);
    LaunchFiles files;
    Err err = {0};
    assert_true(launch_files_make(processors, n, &platform, "here", arena, &files, &err));
    return files;
}

static void rankfile_names_node_and_core_of_each_rank(void **state)
{
    LaunchFiles files = make((const uint32_t[]){3, 0, 1}, 3, known, *state);
    assert_string_equal(files.ways[LAUNCHER_OPENMPI].text,
                        "rank 0=otto slot=1\nrank 1=anna slot=0\nrank 2=anna slot=1\n");
    assert_string_equal(files.ways[LAUNCHER_OPENMPI].line,
                        "mpirun --host anna:2,otto:1 --rankfile here.rankfile -n 3 ./app");
}

static void ranks_that_share_a_processor_yield_while_they_wait(void **state)
{
    LaunchFiles files = make((const uint32_t[]){3, 0, 0}, 3, known, *state);
    assert_string_equal(files.ways[LAUNCHER_OPENMPI].text,
                        "rank 0=otto slot=1\nrank 1=anna slot=0\nrank 2=anna slot=0\n");
    assert_string_equal(files.ways[LAUNCHER_OPENMPI].line,
                        "mpirun --host anna:2,otto:1 --rankfile here.rankfile --mca mpi_yield_when_idle 1 -n 3 ./app");
}

static void open_mpi_5_reads_the_rankfile_as_a_policy(void **state)
{
    LaunchFiles files = make((const uint32_t[]){3, 0, 1}, 3, known, *state);
    LaunchFiles shared = make((const uint32_t[]){3, 0, 0}, 3, known, *state);
    char *command[] = {"mpirun", "-n", "3", "./cg", NULL};
    assert_string_equal(files.ways[LAUNCHER_OPENMPI].newer_line,
                        "mpirun --host anna:2,otto:1 --map-by rankfile:file=here.rankfile -n 3 ./app");
    assert_string_equal(shared.ways[LAUNCHER_OPENMPI].newer_line,
                        "mpirun --host anna:2,otto:1 --map-by rankfile:file=here.rankfile --bind-to "
                        "core:overload-allowed --mca mpi_yield_when_idle 1 -n 3 ./app");
    char *const *words = launch_files_command(&files, LAUNCHER_OPENMPI, true, command, 0, 3, *state);
    assert_string_equal(words[3], "--map-by");
    assert_string_equal(words[4], "rankfile:file=here.rankfile");
}

static void mpich_gets_blocks_and_one_list_where_one_fits(void **state)
{
    LaunchFiles files = make((const uint32_t[]){1, 0, 3}, 3, known, *state);
    assert_string_equal(files.ways[LAUNCHER_MPICH].text, "anna:2\notto:1\n");
    assert_string_equal(files.ways[LAUNCHER_MPICH].line, "mpiexec -f here.hosts -bind-to user:6,4 -n 3 ./app");
    assert_null(files.pin_text);
}

static void a_script_binds_where_no_list_fits_all_nodes(void **state)
{
    LaunchFiles files = make((const uint32_t[]){1, 0, 2, 3}, 4, known, *state);
    assert_true(files.ways[LAUNCHER_MPICH].needs_pin);
    assert_string_equal(files.ways[LAUNCHER_MPICH].line, "mpiexec -f here.hosts -bind-to none -n 4 ./here.pin ./app");
    assert_non_null(strstr(files.pin_text, "0) cpu=6 ;;\n1) cpu=4 ;;\n2) cpu=4 ;;\n3) cpu=6 ;;\n"));
}

static void a_block_of_mpich_begins_its_list_anew(void **state)
{
    /* anna's second rank follows otto's. For MPICH it is the first of its block, for Slurm the
     * second of its node. */
    LaunchFiles files = make((const uint32_t[]){0, 2, 1}, 3, known, *state);
    assert_true(files.ways[LAUNCHER_MPICH].needs_pin);
    assert_false(files.ways[LAUNCHER_SLURM].needs_pin);
    assert_string_equal(files.ways[LAUNCHER_SLURM].line,
                        "SLURM_HOSTFILE=here.slurm-hosts srun --nodes=2 --ntasks=3 --distribution=arbitrary "
                        "--cpu-bind=map_cpu:4,6 ./app");
}

static void slurm_overcommits_if_tasks_share_a_processor(void **state)
{
    assert_non_null(
        strstr(make((const uint32_t[]){3, 0, 0}, 3, known, *state).ways[LAUNCHER_SLURM].line, " --overcommit"));
    assert_null(strstr(make((const uint32_t[]){3, 0, 1}, 3, known, *state).ways[LAUNCHER_SLURM].line, "--overcommit"));
}

static void ranks_of_the_default_order_get_tasks(void **state)
{
    LaunchOrder even = make((const uint32_t[]){3, 0, 1, 2}, 4, known, *state).order;
    assert_string_equal(even.text, "1\n2\n3\n0\n");
    assert_string_equal(even.cray_text, "1,2\n3,0\n");
    assert_string_equal(even.line, "mpirun --host anna:2,otto:2 --map-by core --bind-to core -n 4 ./app");
    assert_string_equal(even.cray_line,
                        "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=here.rank-order srun --nodes=2 --ntasks=4 "
                        "--ntasks-per-node=2 ./app");
    LaunchOrder uneven = make((const uint32_t[]){3, 1, 2}, 3, known, *state).order;
    assert_string_equal(uneven.cray_text, "1\n2,0\n");
    assert_string_equal(uneven.counts, "anna:1,otto:2");
    assert_null(uneven.line); /* it leaves out anna's first core */
    assert_null(uneven.cray_line);
}

static void slurm_gets_a_node_for_each_rank_in_order(void **state)
{
    LaunchFiles files = make((const uint32_t[]){2, 0, 3}, 3, known, *state);
    assert_string_equal(files.ways[LAUNCHER_SLURM].text, "otto\nanna\notto\n");
}

static void nobody_is_bound_to_processors_whose_numbers_are_not_known(void **state)
{
    LaunchFiles files = make((const uint32_t[]){0, 1, 2}, 3, unknown, *state);
    assert_true(files.ways[LAUNCHER_OPENMPI].binds); /* by the core's number */
    assert_false(files.ways[LAUNCHER_MPICH].binds);
    assert_false(files.ways[LAUNCHER_SLURM].binds);
    assert_string_equal(files.ways[LAUNCHER_MPICH].line, "mpiexec -f here.hosts -bind-to none -n 3 ./app");
    assert_null(files.pin_text);
}

/* Two nodes of two sockets of two cores. The tables show what Open MPI does there under each
 * policy. */
static void a_policy_of_open_mpi_that_does_the_same_is_named(void **state)
{
    static const struct {
        const char *policy;
        uint32_t n, processors[8];
    } cases[] = {
        {"--host anna:4,otto:2 --map-by core", 6, {0, 1, 2, 3, 4, 5}},
        {"--host anna:3,otto:2 --map-by node", 5, {0, 4, 1, 5, 2}},
        {"--host anna:4,otto:1 --map-by socket", 5, {0, 2, 1, 3, 4}},
        {"--host otto:2 --map-by core", 2, {4, 5}},
        {NULL, 2, {1, 0}},
        {NULL, 2, {0, 0}},
        {NULL, 4, {0, 4, 5, 1}},
    };
    Processor processors[8];
    for (uint32_t i = 0; i < 8; i++)
        processors[i] = (Processor){nodes[i / 4], i / 4, i % 4, (int)(i % 4), 1, 1 + (int)(i % 4) / 2};
    Platform platform = {.description = "", .n_nodes = 2, .n_processors = 8, .nodes = nodes, .processors = processors};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LaunchFiles files;
        Err err = {0};
        assert_true(launch_files_make(cases[i].processors, cases[i].n, &platform, "here", *state, &files, &err));
        const char *same = files.ways[LAUNCHER_OPENMPI].same;
        assert_true(!same == !cases[i].policy);
        assert_true(!same || strstr(same, cases[i].policy));
    }
}

/* Sockets of three cores: two ranks on each, one socket after the other. */
static void ranks_per_socket_are_a_policy(void **state)
{
    Processor processors[6];
    LaunchFiles files;
    Err err = {0};
    for (uint32_t i = 0; i < 6; i++)
        processors[i] = (Processor){nodes[0], 0, i, (int)i, 1, 1 + (int)i / 3};
    Platform platform = {.description = "", .n_nodes = 1, .n_processors = 6, .nodes = nodes, .processors = processors};
    assert_true(launch_files_make((const uint32_t[]){0, 1, 3, 4}, 4, &platform, "here", *state, &files, &err));
    assert_non_null(strstr(files.ways[LAUNCHER_OPENMPI].same, "--map-by ppr:2:socket --bind-to core -n 4"));
}

static void a_name_that_no_launcher_could_read_is_refused(void **state)
{
    static const char *const odd[] = {"-x; rm", "otto"};
    Platform platform = two_nodes(known);
    LaunchFiles files;
    Err err = {0};
    platform.nodes = odd;
    assert_false(launch_files_make((const uint32_t[]){0}, 1, &platform, "here", *state, &files, &err));
    assert_error(err, ERR_INPUT, "-x; rm");
}

static void the_command_keeps_its_words(void **state)
{
    LaunchFiles files = make((const uint32_t[]){1, 0, 2, 3}, 4, known, *state);
    char *command[] = {"timeout", "60", "mpiexec", "-n", "4", "./cg", "x", NULL};
    char *const *words = launch_files_command(&files, LAUNCHER_MPICH, false, command, 2, 5, *state);
    const char *const expected[] = {"timeout", "60", "mpiexec", "-f",         "here.hosts", "-bind-to",
                                    "none",    "-n", "4",       "./here.pin", "./cg",       "x"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(words[i], expected[i]);
    assert_null(words[sizeof expected / sizeof *expected]);
}

static void files_are_quoted_for_shells(void **state)
{
    Platform platform = two_nodes(known);
    LaunchFiles files;
    Err err = {0};
    assert_true(launch_files_make((const uint32_t[]){0}, 1, &platform, "my dir/it's", *state, &files, &err));
    assert_non_null(strstr(files.ways[LAUNCHER_OPENMPI].line, "--rankfile 'my dir/it'\\''s.rankfile'"));
    assert_string_equal(files.pin, "my dir/it's.pin");
}

static void this_machine_has_a_processor_for_each_core_and_says_that_costs_are_guessed(void **state)
{
    Platform *platform;
    Err err = {0};
    assert_true(topology_local(false, *state, &platform, &err));
    assert_int_equal(platform->n_nodes, 1);
    assert_true(platform->n_processors >= 1);
    assert_non_null(strstr(platform->description, "guess"));
    for (uint32_t i = 0; i < platform->n_processors; i++) {
        assert_true(platform->processors[i].cpu >= 0);
        assert_true(i == 0 || platform->processors[i].core > platform->processors[i - 1].core);
    }
}

static void only_this_machines_node_gets_processors_numbers(void **state)
{
    char own[256];
    assert_int_equal(gethostname(own, sizeof own), 0);
    own[sizeof own - 1] = '\0';
    const char *const names[] = {"surely-not-this-one", own};
    const Processor processors[] = {{names[0], 0, 0, -1, 1, 0}, {own, 1, 0, -1, 1, 0}};
    Platform platform = {.n_nodes = 2, .n_processors = 2, .nodes = names, .processors = processors};
    uint32_t n_cores;
    assert_int_equal(topology_find_cpus(&platform, *state, &n_cores), TOPOLOGY_FOUND);
    assert_int_equal(platform.processors[0].cpu, -1);
    assert_true(platform.processors[1].cpu >= 0);
    platform.n_processors = 1;
    assert_int_equal(topology_find_cpus(&platform, *state, &n_cores), TOPOLOGY_ABSENT);
}

static void more_processors_than_cores_are_told_and_left_alone(void **state)
{
    Platform *local;
    Err err = {0};
    uint32_t n_cores;
    assert_true(topology_local(false, *state, &local, &err));
    Processor *processors = arena_new_array(*state, Processor, local->n_processors + 1);
    for (uint32_t i = 0; i <= local->n_processors; i++)
        processors[i] = (Processor){local->nodes[0], 0, i, -1, 1, 0};
    const Platform platform = {
        .n_nodes = 1, .n_processors = local->n_processors + 1, .nodes = local->nodes, .processors = processors};
    Platform asked = platform;
    assert_int_equal(topology_find_cpus(&asked, *state, &n_cores), TOPOLOGY_FEWER);
    assert_int_equal(n_cores, local->n_processors);
    assert_int_equal(asked.processors[0].cpu, -1);
}

/* Starts the script as a launcher would. said[] becomes the processors that it may run on. */
static void run_pin(const char *pin, const char *rank, char said[256])
{
    char command[512];
    snprintf(command, sizeof command, "PMI_RANK=%s '%s' sh -c 'taskset -cp $$' 2>&1", rank, pin);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    said[0] = '\0';
    while (fgets(said, 256, stream))
        continue;
    pclose(stream);
}

static void the_script_binds_the_rank_that_it_is_started_as(void **state)
{
    Platform *local;
    LaunchFiles files;
    Err err = {0};
    char directory[] = "/tmp/firma-pin-XXXXXX", said[256], expected[32];
    assert_true(topology_local(false, *state, &local, &err));
    if (local->n_processors < 2)
        skip();
    const int first = local->processors[0].cpu, second = local->processors[1].cpu;
    const Processor processors[] = {{"anna", 0, 0, first, 1, 0},
                                    {"anna", 0, 1, second, 1, 0},
                                    {"otto", 1, 0, first, 1, 0},
                                    {"otto", 1, 1, second, 1, 0}};
    const Platform platform = two_nodes(processors);
    assert_non_null(mkdtemp(directory));
    const char *prefix = arena_printf(*state, "%s/here", directory);
    assert_true(launch_files_make((const uint32_t[]){1, 0, 2, 3}, 4, &platform, prefix, *state, &files, &err));
    assert_true(launch_files_write(&files, &err));
    run_pin(files.pin, "0", said);
    snprintf(expected, sizeof expected, ": %d\n", second);
    assert_non_null(strstr(said, expected));
    run_pin(files.pin, "2", said);
    snprintf(expected, sizeof expected, ": %d\n", first);
    assert_non_null(strstr(said, expected));
    run_pin(files.pin, "4", said);
    assert_non_null(strstr(said, "the mapping"));
    assert_true(files_remove_tree(directory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rankfile_names_node_and_core_of_each_rank, begin, end),
        cmocka_unit_test_setup_teardown(open_mpi_5_reads_the_rankfile_as_a_policy, begin, end),
        cmocka_unit_test_setup_teardown(ranks_that_share_a_processor_yield_while_they_wait, begin, end),
        cmocka_unit_test_setup_teardown(mpich_gets_blocks_and_one_list_where_one_fits, begin, end),
        cmocka_unit_test_setup_teardown(a_script_binds_where_no_list_fits_all_nodes, begin, end),
        cmocka_unit_test_setup_teardown(a_block_of_mpich_begins_its_list_anew, begin, end),
        cmocka_unit_test_setup_teardown(slurm_gets_a_node_for_each_rank_in_order, begin, end),
        cmocka_unit_test_setup_teardown(slurm_overcommits_if_tasks_share_a_processor, begin, end),
        cmocka_unit_test_setup_teardown(ranks_of_the_default_order_get_tasks, begin, end),
        cmocka_unit_test_setup_teardown(nobody_is_bound_to_processors_whose_numbers_are_not_known, begin, end),
        cmocka_unit_test_setup_teardown(a_name_that_no_launcher_could_read_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(the_command_keeps_its_words, begin, end),
        cmocka_unit_test_setup_teardown(a_policy_of_open_mpi_that_does_the_same_is_named, begin, end),
        cmocka_unit_test_setup_teardown(ranks_per_socket_are_a_policy, begin, end),
        cmocka_unit_test_setup_teardown(files_are_quoted_for_shells, begin, end),
        cmocka_unit_test_setup_teardown(this_machine_has_a_processor_for_each_core_and_says_that_costs_are_guessed,
                                        begin, end),
        cmocka_unit_test_setup_teardown(more_processors_than_cores_are_told_and_left_alone, begin, end),
        cmocka_unit_test_setup_teardown(the_script_binds_the_rank_that_it_is_started_as, begin, end),
        cmocka_unit_test_setup_teardown(only_this_machines_node_gets_processors_numbers, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
