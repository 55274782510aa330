/* SPDX-License-Identifier: BSD-3-Clause */
/* The packets that the workers of `firma comm` build themselves. */
#include "comm/worker/pvm/parts.h"
#include "comm/worker/sockets/checksum.h"
#include "test.h"

#include <string.h>

static const unsigned char example[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

static void assert_stored_as(uint16_t checksum, unsigned char first, unsigned char second)
{
    unsigned char stored[2];
    memcpy(stored, &checksum, sizeof stored);
    assert_int_equal(stored[0], first);
    assert_int_equal(stored[1], second);
}

/* RFC 1071 says that the sum is ddf2. */
static void checksum_of_the_example_in_rfc_1071(void **state)
{
    assert_stored_as(checksum_of(example, sizeof example, NULL, 0), 0x22, 0x0d);
}

static void a_message_in_two_pieces_has_the_checksum_of_the_whole(void **state)
{
    for (size_t head = 0; head <= sizeof example; head += 2)
        assert_stored_as(checksum_of(example, head, example + head, sizeof example - head), 0x22, 0x0d);
}

static void an_odd_byte_counts_as_if_a_zero_followed(void **state)
{
    const unsigned char odd[] = {0x12, 0x34, 0x56}, even[] = {0x12, 0x34, 0x56, 0x00};
    assert_int_equal(checksum_of(odd, sizeof odd, NULL, 0), checksum_of(even, sizeof even, NULL, 0));
}

static void a_message_with_its_checksum_sums_up_to_zero(void **state)
{
    unsigned char message[10];
    memcpy(message, example, sizeof example);
    uint16_t checksum = checksum_of(example, sizeof example, NULL, 0);
    memcpy(message + sizeof example, &checksum, sizeof checksum);
    assert_int_equal(checksum_of(message, sizeof message, NULL, 0), 0);
}

static void pvm_gets_as_many_doubles_as_fit_and_the_rest_as_bytes(void **state)
{
    const size_t sizes[] = {0, 1, 7, 8, 9, 1001, (size_t)1 << 30};
    const PvmParts expected[] = {{0, 0}, {0, 1}, {0, 7}, {1, 0}, {1, 1}, {125, 1}, {1 << 27, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        PvmParts parts = pvm_parts_of(sizes[i]);
        assert_int_equal(parts.doubles, expected[i].doubles);
        assert_int_equal(parts.bytes, expected[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_of_the_example_in_rfc_1071),
        cmocka_unit_test(a_message_in_two_pieces_has_the_checksum_of_the_whole),
        cmocka_unit_test(an_odd_byte_counts_as_if_a_zero_followed),
        cmocka_unit_test(a_message_with_its_checksum_sums_up_to_zero),
        cmocka_unit_test(pvm_gets_as_many_doubles_as_fit_and_the_rest_as_bytes),
    };
    return cmocka_run_group_tests_name("comm_wire", tests, NULL, NULL);
}
