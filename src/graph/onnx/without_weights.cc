// Protobuf's wire form is a row of fields: a key (field number and kind) and a value. Kind 2 is a length and
// as many bytes; messages inside messages are such values. So the data of a tensor can be stepped over
// without being read: the walk goes from the model to its graph to its initialisers, copies everything, and
// leaves out the large arrays.

#include "graph/onnx/without_weights.h"

#include <cstdint>

namespace ergon::graph::onnx {
namespace {

constexpr std::size_t kLarge = 65536;

// Field numbers of onnx.proto.
constexpr std::uint64_t kModelGraph = 7;
constexpr std::uint64_t kGraphInitializer = 5;
constexpr std::uint64_t kTensorFloats = 4;
constexpr std::uint64_t kTensorIntegers = 5;
constexpr std::uint64_t kTensorRaw = 9;
constexpr std::uint64_t kTensorDoubles = 10;
constexpr std::uint64_t kTensorExternal = 13;
constexpr std::uint64_t kTensorLocation = 14;

enum class Level : std::uint8_t { model, graph, tensor };

std::optional<std::uint64_t> read_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

void write_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void write_bytes(std::string& out, std::uint64_t field, std::string_view bytes) {
  write_varint(out, field << 3 | 2);
  write_varint(out, bytes.size());
  out += bytes;
}

// "The data is elsewhere; it was this long."
void write_absence(std::string& out, std::size_t raw_length) {
  std::string entry;
  write_bytes(entry, 1, kDataLength);
  write_bytes(entry, 2, std::to_string(raw_length));
  write_bytes(out, kTensorExternal, entry);
  write_varint(out, kTensorLocation << 3);
  write_varint(out, 1);
}

std::optional<Level> inside(Level level, std::uint64_t field) {
  if (level == Level::model && field == kModelGraph) return Level::graph;
  if (level == Level::graph && field == kGraphInitializer) return Level::tensor;
  return std::nullopt;
}

bool is_data(std::uint64_t field) {
  return field == kTensorFloats || field == kTensorIntegers || field == kTensorRaw || field == kTensorDoubles;
}

bool copy(std::string_view bytes, Level level, std::string& out) {
  while (!bytes.empty()) {
    const std::string_view start = bytes;
    const auto key = read_varint(bytes);
    if (!key) return false;
    const std::uint64_t field = *key >> 3;
    const std::uint64_t kind = *key & 7U;
    std::size_t size = 0;
    if (kind == 0) {
      if (!read_varint(bytes)) return false;
    } else if (kind == 1 || kind == 5) {
      size = kind == 1 ? 8 : 4;
    } else if (kind == 2) {
      const auto length = read_varint(bytes);
      if (!length || *length > bytes.size()) return false;
      size = *length;
    } else {
      return false;
    }
    if (size > bytes.size()) return false;
    const std::string_view value = bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (kind == 2 && size > kLarge && level == Level::tensor && is_data(field)) {
      write_absence(out, field == kTensorRaw ? size : 0);
      continue;
    }
    if (const auto next = kind == 2 ? inside(level, field) : std::nullopt) {
      std::string copied;
      if (!copy(value, *next, copied)) return false;
      write_bytes(out, field, copied);
      continue;
    }
    out += start.substr(0, start.size() - bytes.size());
  }
  return true;
}

}  // namespace

std::optional<std::string> without_weights(std::string_view model) {
  std::string out;
  if (!copy(model, Level::model, out)) return std::nullopt;
  return out;
}

}  // namespace ergon::graph::onnx
