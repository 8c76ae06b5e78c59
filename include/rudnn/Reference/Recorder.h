//===- Recorder.h - what the reference knew before it rounded ---*- C++ -*-===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reference run writes rounded values into the program's own buffers. That is
// too coarse to judge a result to 0.02 ulp, so each reference operator also
// leaves a shadow: the f64 values it rounded, and how much error f32 arithmetic
// may put on each. A checker looks the shadow up by the memory of the result.
//
//===----------------------------------------------------------------------===//

#ifndef RUDNN_REFERENCE_RECORDER_H
#define RUDNN_REFERENCE_RECORDER_H

#include "rudnn/Reference/View.h"

#include <memory>
#include <optional>
#include <vector>

namespace rudnn::reference {

/// What an operator wrote to one buffer.
struct Shadow {
  /// "y", "rstd", "input_grad" or "weight_grad".
  llvm::StringRef name;
  /// The memory the rounded values went to.
  View view;
  /// The values before rounding, row-major.
  std::unique_ptr<double[]> values;
  /// Magnitude to which the f32 error of each element is relative, row-major;
  /// null: the magnitude of the value itself.
  std::unique_ptr<float[]> scale;
  /// Error that f32 arithmetic may make, relative to the scale.
  double budget = 0;
  /// Error that it may make below the smallest normal numbers, absolute.
  double floor = 0;
  /// Whether every operand was an input of the program, or the rstd of an
  /// operator of which that holds. If not, the operands of the program under
  /// test may differ from the reference's by roundings.
  bool exactInputs = false;

  double getScale(int64_t index) const;

  /// Whether the memory still holds the rounded values, bit for bit.
  bool isLive() const;
};

/// Collects the shadows of one reference run. While it exists it is the one
/// that reference operators report to; at most one exists at a time.
class Recorder {
public:
  Recorder();
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// The living recorder, or null.
  static Recorder *get();

  /// Declares memory as an input of the program that nothing writes.
  void addInput(const View &view);

  /// Whether a view lies in one of the inputs.
  bool isInput(const View &view) const;

  /// Whether a view is the live rstd of an operator with exact inputs.
  bool isExactRstd(const View &view) const;

  void add(Shadow shadow) { shadows.push_back(std::move(shadow)); }
  llvm::ArrayRef<Shadow> getShadows() const { return shadows; }

  /// Keeps the first message that an operator refused its operands with.
  void setError(std::string message);
  const std::optional<std::string> &getError() const { return error; }

private:
  std::vector<std::pair<char *, char *>> inputs;
  std::vector<Shadow> shadows;
  std::optional<std::string> error;
};

} // namespace rudnn::reference

#endif // RUDNN_REFERENCE_RECORDER_H
