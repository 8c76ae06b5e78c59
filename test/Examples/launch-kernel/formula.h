/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The formulas of a manifest: C expressions over 64-bit integers. */

#ifndef LAUNCH_KERNEL_FORMULA_H
#define LAUNCH_KERNEL_FORMULA_H

#include <stddef.h>
#include <stdint.h>

/* The value of a name like "arg0.size0"; ends the program for one that it does
   not know. */
typedef int64_t (*FormulaNames)(void *context, const char *name, size_t length);

/* Computes `text`; ends the program with a message if it is no formula. */
int64_t formula_value(const char *text, FormulaNames names, void *context);

#endif
