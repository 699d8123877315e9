// A protobuf message in wire format is a sequence of fields: a key (field number and wire type) and a value.
// Wire type 2 is a length followed by that many bytes; nested messages use it too. So tensor data can be
// skipped without reading it: copy the model, its graph and its initializers, except for large arrays.

#include "graph/onnx/strip_weights.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ergon::graph::onnx {
namespace {

constexpr std::size_t kLarge = 65536;

// Field numbers of onnx.proto.
constexpr std::uint64_t kModelGraph = 7;
constexpr std::uint64_t kModelFunction = 25;
constexpr std::uint64_t kGraphNode = 1;
constexpr std::uint64_t kFunctionNode = 7;
constexpr std::uint64_t kNodeAttribute = 5;
constexpr std::uint64_t kAttributeGraph = 6;
constexpr std::uint64_t kAttributeGraphs = 11;
constexpr std::uint64_t kGraphInitializer = 5;
constexpr std::uint64_t kTensorFloats = 4;
constexpr std::uint64_t kTensorIntegers = 5;
constexpr std::uint64_t kTensorName = 8;
constexpr std::uint64_t kTensorRaw = 9;
constexpr std::uint64_t kTensorDoubles = 10;
constexpr std::uint64_t kTensorExternal = 13;
constexpr std::uint64_t kTensorLocation = 14;

enum class Level : std::uint8_t { model, graph, tensor, function, node, attribute };

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

// Marks the tensor as external and records the length of its data.
void write_external(std::string& out, std::size_t raw_length) {
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

// The first field of `bytes`, which is consumed. Empty if the bytes are not a valid field.
struct WireField {
  std::uint64_t number = 0;
  bool has_length = false;
  std::string_view value;  // of length-delimited fields
  std::string_view whole;  // including the key
};

std::optional<WireField> take_field(std::string_view& bytes) {
  const std::string_view start = bytes;
  const auto key = read_varint(bytes);
  if (!key) return std::nullopt;
  const std::uint64_t kind = *key & 7U;
  std::size_t size = 0;
  if (kind == 0) {
    if (!read_varint(bytes)) return std::nullopt;
  } else if (kind == 1 || kind == 5) {
    size = kind == 1 ? 8 : 4;
  } else if (kind == 2) {
    const auto length = read_varint(bytes);
    if (!length || *length > bytes.size()) return std::nullopt;
    size = *length;
  } else {
    return std::nullopt;
  }
  if (size > bytes.size()) return std::nullopt;
  const std::string_view value = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return WireField{*key >> 3, kind == 2, value, start.substr(0, start.size() - bytes.size())};
}

bool copy(std::string_view bytes, Level level, std::string& out) {
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field) return false;
    const bool data = field->has_length && level == Level::tensor && is_data(field->number);
    if (data && field->value.size() > kLarge) {
      write_external(out, field->number == kTensorRaw ? field->value.size() : 0);
      continue;
    }
    if (const auto next = field->has_length ? inside(level, field->number) : std::nullopt) {
      std::string copied;
      if (!copy(field->value, *next, copied)) return false;
      write_bytes(out, field->number, copied);
      continue;
    }
    out += field->whole;
  }
  return true;
}

// Values of all fields with one number in a message, up to the first invalid field.
std::vector<std::string_view> fields(std::string_view message, std::uint64_t number) {
  std::vector<std::string_view> found;
  while (!message.empty()) {
    const auto field = take_field(message);
    if (!field) break;
    if (field->has_length && field->number == number) found.push_back(field->value);
  }
  return found;
}

// The kind of a field whose own fields are parts.
std::optional<Level> counted_inside(Level level, std::uint64_t field) {
  switch (level) {
    case Level::model:
      if (field == kModelGraph) return Level::graph;
      if (field == kModelFunction) return Level::function;
      return std::nullopt;
    case Level::graph:
      return field == kGraphNode ? std::optional(Level::node) : std::nullopt;
    case Level::function:
      return field == kFunctionNode ? std::optional(Level::node) : std::nullopt;
    case Level::node:
      return field == kNodeAttribute ? std::optional(Level::attribute) : std::nullopt;
    case Level::attribute:
      return field == kAttributeGraph || field == kAttributeGraphs ? std::optional(Level::graph)
                                                                   : std::nullopt;
    case Level::tensor:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> strip_weights(std::string_view model) {
  std::string out;
  if (!copy(model, Level::model, out)) return std::nullopt;
  return out;
}

std::unordered_map<std::string, std::string_view> initializers_in(std::string_view model) {
  std::unordered_map<std::string, std::string_view> found;
  for (const auto graph : fields(model, kModelGraph)) {
    for (const auto tensor : fields(graph, kGraphInitializer)) {
      const auto names = fields(tensor, kTensorName);
      found[names.empty() ? std::string() : std::string(names.back())] = tensor;
    }
  }
  return found;
}

bool has_more_parts(std::string_view model, std::uint64_t limit) {
  constexpr std::size_t kMaxDepth = 100;  // the parser refuses deeper messages
  // The rest of each message that is being read, from the model to the innermost.
  std::vector<std::pair<std::string_view, Level>> open{{model, Level::model}};
  std::uint64_t parts = 0;
  while (!open.empty()) {
    auto& [rest, level] = open.back();
    const auto field = take_field(rest);
    if (!field) {
      open.pop_back();
      continue;
    }
    if (!field->has_length) continue;
    if (++parts > limit) return true;
    const auto next = counted_inside(level, field->number);
    if (next && open.size() < kMaxDepth) open.emplace_back(field->value, *next);
  }
  return false;
}

}  // namespace ergon::graph::onnx
