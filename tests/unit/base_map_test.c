/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps from 128-bit keys to numbers, and the hash that computes keys from content. */
#include "base/map.h"
#include "unit/fixture.h"

static MapKey key(uint64_t number)
{
    return (MapKey){number, ~number};
}

static void an_empty_map_has_no_key(void **state)
{
    Map map = {0};
    assert_null(map_get(&map, key(0)));
    assert_int_equal(map.count, 0);
    map_free(&map);
}

static void a_new_key_has_the_value_0_and_is_said_to_be_new_once(void **state)
{
    Map map = {0};
    bool is_new = false;
    *map_put(&map, key(7), &is_new) += 5;
    assert_true(is_new);
    assert_int_equal(*map_put(&map, key(7), &is_new), 5);
    assert_false(is_new);
    assert_int_equal(map.count, 1);
    map_free(&map);
}

static void keys_that_differ_in_one_half_are_different(void **state)
{
    Map map = {0};
    *map_put(&map, (MapKey){1, 2}, NULL) = 12;
    *map_put(&map, (MapKey){1, 3}, NULL) = 13;
    *map_put(&map, (MapKey){2, 2}, NULL) = 22;
    assert_int_equal(*map_get(&map, (MapKey){1, 2}), 12);
    assert_int_equal(*map_get(&map, (MapKey){1, 3}), 13);
    assert_int_equal(*map_get(&map, (MapKey){2, 2}), 22);
    assert_null(map_get(&map, (MapKey){2, 3}));
    map_free(&map);
}

static void values_survive_growth(void **state)
{
    enum { N = 10000 };
    Map map = {0};
    for (uint64_t i = 0; i < N; i++)
        *map_put(&map, key(i * 1024), NULL) = i;
    assert_int_equal(map.count, N);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(*map_get(&map, key(i * 1024)), i);
    assert_null(map_get(&map, key(1)));
    assert_true(map.capacity >= 2 * N);
    map_free(&map);
}

static void keys_are_numbered_in_the_order_in_which_they_come(void **state)
{
    Map map = {0};
    assert_int_equal(map_number(&map, key(30), map.count), 0);
    assert_int_equal(map_number(&map, key(10), map.count), 1);
    assert_int_equal(map_number(&map, key(30), map.count), 0);
    assert_int_equal(map_number(&map, key(20), map.count), 2);
    map_free(&map);
}

static void the_hash_depends_on_each_word_and_on_their_order(void **state)
{
    const MapKey start = {1, 2};
    MapKey ab = hash_word(hash_word(start, 10), 20), ba = hash_word(hash_word(start, 20), 10);
    MapKey again = hash_word(hash_word(start, 10), 20), other = hash_word(hash_word(start, 10), 21);
    assert_memory_equal(&ab, &again, sizeof ab);
    assert_memory_not_equal(&ab, &ba, sizeof ab);
    assert_memory_not_equal(&ab, &other, sizeof ab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_no_key),
        cmocka_unit_test(a_new_key_has_the_value_0_and_is_said_to_be_new_once),
        cmocka_unit_test(keys_that_differ_in_one_half_are_different),
        cmocka_unit_test(values_survive_growth),
        cmocka_unit_test(keys_are_numbered_in_the_order_in_which_they_come),
        cmocka_unit_test(the_hash_depends_on_each_word_and_on_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
