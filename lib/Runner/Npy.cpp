//===- Npy.cpp - arrays in NumPy's file format ----------------------------===//
//
// Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rudnn/Runner/Npy.h"
#include "rudnn/Support/WriteFile.h"

#include "rudnn/Runner/Failure.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace rudnn;
using namespace rudnn::runner;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);

namespace {

/// What the header's dictionary says.
struct Header {
  std::optional<std::string> description;
  std::optional<bool> fortranOrder;
  std::optional<llvm::SmallVector<int64_t, 4>> shape;
};

/// Reads the Python literal of a header:
///   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
/// in any order of keys and with any white space.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  llvm::Expected<Header> parse() {
    if (!consume("{"))
      return malformed("'{'");
    while (!consume("}")) {
      if (llvm::Error error = parseEntry())
        return error;
      if (!consume(",") && !peek("}"))
        return malformed("',' or '}'");
    }
    skipSpace();
    if (!rest.empty())
      return malformed("the end of the header");
    return std::move(header);
  }

private:
  llvm::Error malformed(StringRef expected) {
    std::string got;
    llvm::raw_string_ostream(got).write_escaped(rest.take_front(16));
    return badInput("malformed .npy header: expected " + expected + ", got '" +
                    got + "'");
  }

  llvm::Error parseEntry() {
    std::optional<StringRef> key = parseString();
    if (!key)
      return malformed("a quoted key");
    if (!consume(":"))
      return malformed("':'");
    if (*key == "descr")
      return parseDescription();
    if (*key == "fortran_order")
      return parseOrder();
    if (*key == "shape")
      return parseShape();
    return badInput("malformed .npy header: unknown key '" + *key + "'");
  }

  llvm::Error parseDescription() {
    if (peek("["))
      return badInput("expected a plain element type, got a structured one");
    std::optional<StringRef> text = parseString();
    if (!text)
      return malformed("a quoted element type");
    header.description = text->str();
    return llvm::Error::success();
  }

  llvm::Error parseOrder() {
    if (consume("True"))
      header.fortranOrder = true;
    else if (consume("False"))
      header.fortranOrder = false;
    else
      return malformed("True or False");
    return llvm::Error::success();
  }

  llvm::Error parseShape() {
    if (!consume("("))
      return malformed("'('");
    header.shape.emplace();
    while (!consume(")")) {
      skipSpace();
      uint64_t size;
      if (rest.consumeInteger(10, size) ||
          size > static_cast<uint64_t>(INT64_MAX))
        return malformed("an axis size below 2^63");
      header.shape->push_back(size);
      if (!consume(",") && !peek(")"))
        return malformed("',' or ')'");
    }
    return llvm::Error::success();
  }

  std::optional<StringRef> parseString() {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return std::nullopt;
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return std::nullopt;
    StringRef text = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return text;
  }

  void skipSpace() { rest = rest.ltrim(" \t\n\r"); }
  bool peek(StringRef token) {
    skipSpace();
    return rest.starts_with(token);
  }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  StringRef rest;
  Header header;
};

} // namespace

static constexpr std::pair<ElementType, StringRef> kDescriptions[] = {
    {ElementType::F32, "<f4"},  {ElementType::F16, "<f2"},
    {ElementType::BF16, "<V2"}, {ElementType::F64, "<f8"},
    {ElementType::I8, "|i1"},   {ElementType::I16, "<i2"},
    {ElementType::I32, "<i4"},  {ElementType::I64, "<i8"},
};

static llvm::Expected<ElementType> parseElementType(StringRef description) {
  for (auto [type, text] : kDescriptions)
    if (description == text ||
        (getSizeInBytes(type) == 1 && description == "i1"))
      return type;
  if (description == "|V2" || description == "bfloat16")
    return ElementType::BF16;
  if (description.starts_with(">"))
    return badInput("expected little-endian elements, got big-endian '" +
                    description + "'");
  if (description.contains('O'))
    return badInput("expected numbers, got Python objects ('" + description +
                    "')");
  return badInput("expected elements of type f16, bf16 ('<V2'), f32, f64 or "
                  "i8 to i64, got '" +
                  description + "'");
}

/// Splits a file into the header's text and what follows it.
static llvm::Expected<std::pair<StringRef, StringRef>> split(StringRef file) {
  if (!file.consume_front(kMagic))
    return badInput("not a .npy file: it does not begin with \\x93NUMPY");
  if (file.size() < 2)
    return badInput("truncated .npy header");
  unsigned version = static_cast<uint8_t>(file[0]);
  if (version < 1 || version > 3)
    return badInput("expected .npy version 1, 2 or 3, got " +
                    llvm::Twine(version));
  file = file.drop_front(2);
  size_t lengthSize = version == 1 ? 2 : 4;
  if (file.size() < lengthSize)
    return badInput("truncated .npy header");
  size_t length = version == 1 ? llvm::support::endian::read16le(file.data())
                               : llvm::support::endian::read32le(file.data());
  file = file.drop_front(lengthSize);
  if (file.size() < length)
    return badInput("truncated .npy header: expected " + llvm::Twine(length) +
                    " bytes, got " + llvm::Twine(file.size()));
  return std::make_pair(file.take_front(length), file.drop_front(length));
}

static llvm::Error checkSize(llvm::ArrayRef<int64_t> shape, ElementType type,
                             size_t available) {
  int64_t bytes = getSizeInBytes(type);
  bool overflow = false;
  for (int64_t size : shape)
    overflow |= llvm::MulOverflow(bytes, size, bytes);
  // A later zero would hide an overflow before it.
  if (overflow)
    return badInput("shape " + formatShape(shape) +
                    " has more bytes than 64 bits can count");
  if (static_cast<size_t>(bytes) == available)
    return llvm::Error::success();
  StringRef what = available < static_cast<size_t>(bytes)
                       ? "truncated .npy file"
                       : "trailing bytes in .npy file";
  return badInput(what + ": shape " + formatShape(shape) + " of " +
                  getName(type) + " has " + llvm::Twine(bytes) +
                  " bytes, the file has " + llvm::Twine(available));
}

llvm::Expected<NpyArray> NpyArray::read(StringRef path) {
  // Devices may give bytes for ever.
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return badInput(error.message());
  if (llvm::sys::fs::is_other(status) &&
      status.type() != llvm::sys::fs::file_type::fifo_file)
    return badInput("expected a file or a pipe, got a device");
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return badInput(file.getError().message());
  auto parts = split((*file)->getBuffer());
  if (!parts)
    return parts.takeError();
  auto header = HeaderParser(parts->first).parse();
  if (!header)
    return header.takeError();
  if (!header->description || !header->fortranOrder || !header->shape)
    return badInput("malformed .npy header: expected 'descr', 'fortran_order' "
                    "and 'shape'");
  auto type = parseElementType(*header->description);
  if (!type)
    return type.takeError();
  if (*header->fortranOrder && header->shape->size() > 1)
    return badInput("expected row-major (C) order, got Fortran order");
  if (llvm::Error error =
          checkSize(*header->shape, *type, parts->second.size()))
    return error;
  NpyArray array;
  array.type = *type;
  array.shape = std::move(*header->shape);
  array.dataOffset = parts->second.data() - (*file)->getBufferStart();
  array.file = std::move(*file);
  return array;
}

View NpyArray::getView() const {
  View view;
  view.type = type;
  view.data = const_cast<char *>(file->getBufferStart()) + dataOffset;
  view.sizes = shape;
  view.strides = getContiguousStrides(shape);
  return view;
}

static std::string makeHeader(const View &view) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{'descr': '" << kDescriptions[static_cast<int64_t>(view.type)].second
     << "', 'fortran_order': False, 'shape': (";
  for (int64_t size : view.sizes)
    os << size << (view.getRank() == 1 ? "," : ", ");
  if (view.getRank() > 1)
    text.resize(text.size() - 2);
  os << "), }";
  // The data begin at a multiple of 64 bytes; a line feed comes before them.
  size_t prefix = kMagic.size() + 4;
  size_t padded = llvm::alignTo(prefix + text.size() + 1, 64) - prefix;
  text.resize(padded - 1, ' ');
  text += '\n';
  return text;
}

llvm::Error rudnn::runner::writeNpy(StringRef path, const View &view) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    std::string header = makeHeader(view);
    char length[2];
    llvm::support::endian::write16le(length, header.size());
    os << kMagic << StringRef("\x01\x00", 2) << StringRef(length, 2) << header;
    int64_t elementSize = getSizeInBytes(view.type);
    int64_t rowBytes = view.getRowLength() * elementSize;
    if (view.getNumElements() == 0)
      return llvm::Error::success();
    for (int64_t row = 0, rows = view.getNumRows(); row < rows; ++row) {
      const char *data = view.getRow(row);
      if (view.getRowStride() == 1) {
        os.write(data, rowBytes);
        continue;
      }
      for (int64_t i = 0; i < view.getRowLength(); ++i)
        os.write(data + i * view.getRowStride() * elementSize, elementSize);
    }
    return llvm::Error::success();
  });
}
