/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What libFuzzer calls.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
