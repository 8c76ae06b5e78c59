//===- Database.h - Measured schedules that come with RuDNN -----*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of lib/Tuning/database/nvidia-h200.json, a file that rudnn-runner
// --tune has written. It is part of the library, so that nobody has to find it.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_TUNING_DATABASE_H
#define RUDNN_TUNING_DATABASE_H

#include "rudnn/Tuning/TuningCache.h"

namespace rudnn::tuning {

/// The first entry with `key` (see TuningKey.h), whatever the versions of the
/// driver and of RuDNN that it was measured with.
std::optional<Measurement> findInDatabase(llvm::json::Object key);

} // namespace rudnn::tuning

#endif // RUDNN_TUNING_DATABASE_H
