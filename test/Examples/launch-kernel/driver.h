/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What the example needs of the CUDA driver, declared here so that no toolkit
   is needed, and loaded when the program runs. */

#ifndef LAUNCH_KERNEL_DRIVER_H
#define LAUNCH_KERNEL_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t DevicePointer;
typedef struct Module *Module;
typedef struct Function *Function;

/* Loads libcuda.so.1 and makes the first GPU's context the current one. Ends
   the program with exit code 3 if there is no driver or no GPU. */
void driver_open(void);

/* These end the program with the driver's message if they fail. */
DevicePointer driver_allocate(size_t bytes);
void driver_free(DevicePointer memory);
void driver_upload(DevicePointer to, const void *from, size_t bytes);
void driver_download(void *to, DevicePointer from, size_t bytes);
Module driver_load(const void *code);
/* `shared_bytes` of dynamic shared memory will be asked for. */
Function driver_find(Module module, const char *name, unsigned shared_bytes);
/* Launches and waits. `parameters` points to the parameters. */
void driver_launch(Function function, const unsigned grid[3],
                   const unsigned block[3], unsigned shared_bytes,
                   void **parameters);

#endif
