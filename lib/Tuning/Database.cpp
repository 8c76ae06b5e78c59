//===- Database.cpp - Measured schedules that come with RuDNN -------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Tuning/Database.h"

#include "DatabaseText.inc"

using namespace llvm;
using namespace rudnn::tuning;

/// The text is read once, by who asks first.
static const TuningCache &getDatabase() {
  static const TuningCache database =
      cantFail(TuningCache::parse(kDatabaseText, "database"));
  return database;
}

std::optional<Measurement> rudnn::tuning::findInDatabase(json::Object key) {
  key.erase("driver");
  key.erase("rudnn");
  return getDatabase().find(key);
}
