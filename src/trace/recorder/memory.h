/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the memory of a restored process. */
#pragma once

/* Touches the pages of private writable memory that are present, without changing them. On a
 * virtual machine with shadow page tables, the first access to each page of a restored process
 * takes microseconds, which the saved process had already spent. The kernel's own accesses don't
 * help, and no counter tells. Other threads mustn't unmap memory meanwhile. Does nothing if /proc
 * can't be read. */
void memory_touch(void);
