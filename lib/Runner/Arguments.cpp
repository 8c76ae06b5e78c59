//===- Arguments.cpp - memory and data of the arguments -------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Arguments.h"

#include "rudnn/Reference/Arithmetic.h"
#include "rudnn/Runner/Failure.h"
#include "rudnn/Runner/Npy.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace rudnn;
using namespace rudnn::runner;

/// Takes a stride or offset from the type, or where the type leaves it open
/// from the command line, or else the default.
static llvm::Expected<int64_t> choose(const Argument &argument,
                                      const Twine &what, int64_t inType,
                                      std::optional<int64_t> wanted,
                                      int64_t byDefault) {
  if (wanted && *wanted < 0)
    return badInput(argument.getName() + ": expected " + what + " >= 0, got " +
                    Twine(*wanted));
  if (ShapedType::isDynamic(inType))
    return wanted.value_or(byDefault);
  if (wanted && *wanted != inType)
    return badInput(argument.getName() + ": expected " + what + " " +
                    Twine(inType) + " as in its type, got " + Twine(*wanted));
  if (inType < 0)
    return badInput(argument.getName() + ": expected " + what + " >= 0, got " +
                    Twine(inType) + " in its type");
  return inType;
}

static llvm::Error setStrides(const Argument &argument, View &view,
                              const Shape *wanted) {
  view.strides = getContiguousStrides(view.sizes);
  if (wanted && wanted->size() != view.sizes.size())
    return badInput(argument.getName() + ": expected " +
                    Twine(view.sizes.size()) + " strides, got " +
                    Twine(wanted->size()));
  for (auto [axis, stride] : llvm::enumerate(view.strides)) {
    std::optional<int64_t> given;
    if (wanted)
      given = (*wanted)[axis];
    int64_t inType =
        argument.type.hasLayout ? argument.type.strides[axis] : stride;
    auto chosen =
        choose(argument, "stride " + Twine(axis), inType, given, stride);
    if (!chosen)
      return chosen.takeError();
    stride = *chosen;
  }
  return llvm::Error::success();
}

llvm::Expected<ArgumentBuffer>
ArgumentBuffer::create(const Argument &argument, ArrayRef<int64_t> shape,
                       const DataOptions &options) {
  ArgumentBuffer buffer;
  buffer.argument = &argument;
  buffer.view.type = argument.type.type;
  buffer.view.sizes.assign(shape.begin(), shape.end());
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return badInput(argument.getName() + ": shape " + formatShape(shape) +
                      " has more elements than 64 bits can count");
  auto strides = options.strides.find(argument.index);
  if (llvm::Error error = setStrides(
          argument, buffer.view,
          strides == options.strides.end() ? nullptr : &strides->second))
    return std::move(error);
  auto offset = options.offsets.find(argument.index);
  std::optional<int64_t> wanted;
  if (offset != options.offsets.end())
    wanted = offset->second;
  auto chosen = choose(argument, "offset", argument.type.offset, wanted, 0);
  if (!chosen)
    return chosen.takeError();
  buffer.offset = *chosen;
  int64_t elementSize = getSizeInBytes(buffer.view.type);
  buffer.placement.alignment = std::max(elementSize, options.guardAlignment);
  buffer.placement.guard = options.guard;
  if (options.misaligned.count(argument.index))
    buffer.placement.misalignment = elementSize;
  if (llvm::Error error = buffer.allocate())
    return std::move(error);
  return std::move(buffer);
}

/// Allocates the storage that offset, sizes and strides span.
llvm::Error ArgumentBuffer::allocate() {
  bool overflow = false;
  int64_t elements = offset;
  if (!llvm::is_contained(view.sizes, 0)) {
    overflow |= llvm::AddOverflow<int64_t>(elements, 1, elements);
    for (auto [size, stride] : llvm::zip_equal(view.sizes, view.strides)) {
      int64_t step;
      overflow |= llvm::MulOverflow(size - 1, stride, step);
      overflow |= llvm::AddOverflow(elements, step, elements);
    }
  }
  int64_t elementSize = getSizeInBytes(view.type), bytes;
  overflow |= llvm::MulOverflow(elements, elementSize, bytes);
  if (overflow)
    return badInput(argument->getName() + ": shape " + formatShape(view.sizes) +
                    " spans more bytes than 64 bits can count");
  auto created = HostBuffer::create(argument->getName(), bytes, placement);
  if (!created)
    return created.takeError();
  storage = std::move(*created);
  view.data = storage.getData() + offset * elementSize;
  return llvm::Error::success();
}

llvm::Expected<ArgumentBuffer> ArgumentBuffer::clone() const {
  ArgumentBuffer copy;
  copy.argument = argument;
  copy.view = view;
  copy.offset = offset;
  copy.placement = placement;
  if (llvm::Error error = copy.allocate())
    return std::move(error);
  std::memcpy(copy.storage.getData(), storage.getData(), storage.getSize());
  return std::move(copy);
}

bool ArgumentBuffer::isRead() const {
  return argument->access == Access::Read ||
         argument->access == Access::ReadWrite;
}

bool ArgumentBuffer::isWritten() const {
  return argument->access == Access::Write ||
         argument->access == Access::ReadWrite;
}

void ArgumentBuffer::poison() {
  parallelFor(storage.getSize(), [&](int64_t begin, int64_t end) {
    std::memset(storage.getData() + begin, 0xFF, end - begin);
  });
}

static void copyElements(const View &from, const View &to) {
  int64_t length = to.getRowLength(), size = getSizeInBytes(to.type);
  parallelFor(to.getNumRows(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const char *source = from.getRow(row);
      char *target = to.getRow(row);
      if (to.getRowStride() == 1)
        std::memcpy(target, source, length * size);
      else
        for (int64_t i = 0; i < length; ++i)
          std::memcpy(target + i * to.getRowStride() * size, source + i * size,
                      size);
    }
  });
}

/// Where elements share memory (stride 0), the file must agree with itself.
static bool holdsElements(const View &view, const View &file) {
  int64_t length = view.getRowLength(), size = getSizeInBytes(view.type);
  for (int64_t row = 0, rows = view.getNumRows(); row < rows; ++row)
    for (int64_t i = 0; i < length; ++i)
      if (std::memcmp(view.getRow(row) + i * view.getRowStride() * size,
                      file.getRow(row) + i * size, size) != 0)
        return false;
  return true;
}

static llvm::Error loadFile(const ArgumentBuffer &buffer,
                            const NpyArray &array) {
  copyElements(array.getView(), buffer.getView());
  if (llvm::is_contained(buffer.getView().strides, 0) &&
      !holdsElements(buffer.getView(), array.getView()))
    return badInput(buffer.getArgument().getName() +
                    ": the file has different elements where strides " +
                    formatShape(buffer.getView().strides) +
                    " make them share memory");
  return llvm::Error::success();
}

/// Opens the files, and refuses those whose element type does not fit.
static llvm::Expected<std::map<unsigned, NpyArray>>
openFiles(const Program &program, const DataOptions &options) {
  std::map<unsigned, NpyArray> arrays;
  for (auto &[index, path] : options.files) {
    if (index >= program.arguments.size())
      return badInput("--input: there is no argument " + Twine(index) +
                      ", the function has " + Twine(program.arguments.size()));
    const Argument &argument = program.arguments[index];
    auto array = NpyArray::read(path);
    if (!array)
      return badInput(argument.getName() + ": " + path + ": " +
                      llvm::toString(array.takeError()));
    if (array->getElementType() != argument.type.type)
      return badInput(argument.getName() + ": expected elements of type " +
                      getName(argument.type.type) + ", got " +
                      getName(array->getElementType()) + " in " + path);
    arrays.emplace(index, std::move(*array));
  }
  return std::move(arrays);
}

/// Options that name an argument must name one that is there.
static llvm::Error checkNumbers(const Program &program,
                                const DataOptions &options) {
  unsigned count = program.arguments.size();
  auto check = [&](StringRef option, unsigned index) -> llvm::Error {
    if (index < count)
      return llvm::Error::success();
    return badInput(option + ": there is no argument " + Twine(index) +
                    ", the function has " + Twine(count));
  };
  for (unsigned index : options.misaligned)
    if (llvm::Error error = check("--misalign", index))
      return error;
  for (auto &entry : options.strides)
    if (llvm::Error error = check("--strides", entry.first))
      return error;
  for (auto &entry : options.offsets)
    if (llvm::Error error = check("--offset", entry.first))
      return error;
  for (auto &entry : options.fills)
    if (llvm::Error error = check("--fill", entry.first))
      return error;
  return llvm::Error::success();
}

static Fill chooseFill(const Argument &argument, const DataOptions &options) {
  auto chosen = options.fills.find(argument.index);
  if (chosen != options.fills.end())
    return chosen->second;
  if (argument.role == "x" || argument.role.empty())
    return options.fill;
  return argument.role == "rstd" ? Fill::Positive : Fill::Normal;
}

static void storeRstd(const View &rstd, const View &x, double epsilon) {
  std::vector<double> values = reference::computeRstd(x, epsilon);
  for (auto [i, value] : llvm::enumerate(values))
    storeElement(rstd.getElement(i), rstd.type, value);
}

llvm::Expected<std::vector<ArgumentBuffer>>
rudnn::runner::createArguments(const Program &program,
                               const DataOptions &options) {
  if (llvm::Error error = checkNumbers(program, options))
    return std::move(error);
  auto files = openFiles(program, options);
  if (!files)
    return files.takeError();
  SizeSources sources{options.rows, options.columns, {}};
  for (auto &[index, array] : *files)
    sources.given.emplace(
        index, Shape(array.getShape().begin(), array.getShape().end()));
  auto shapes = resolveShapes(program, sources);
  if (!shapes)
    return shapes.takeError();

  std::vector<ArgumentBuffer> buffers;
  for (auto [argument, shape] : llvm::zip_equal(program.arguments, *shapes)) {
    auto buffer = ArgumentBuffer::create(argument, shape, options);
    if (!buffer)
      return buffer.takeError();
    buffers.push_back(std::move(*buffer));
  }
  for (ArgumentBuffer &buffer : buffers) {
    const Argument &argument = buffer.getArgument();
    auto file = files->find(argument.index);
    if (file != files->end()) {
      if (llvm::Error error = loadFile(buffer, file->second))
        return std::move(error);
    } else if (argument.access == Access::Write) {
      buffer.poison();
    } else {
      fill(buffer.getView(), chooseFill(argument, options), options.seed,
           argument.index);
    }
  }
  // Last, when every x has its data.
  for (ArgumentBuffer &buffer : buffers) {
    const Argument &argument = buffer.getArgument();
    if (argument.rstdOf && argument.access == Access::Read &&
        !files->count(argument.index) && !options.fills.count(argument.index))
      storeRstd(buffer.getView(), buffers[argument.rstdOf->x].getView(),
                argument.rstdOf->epsilon);
  }
  return std::move(buffers);
}
