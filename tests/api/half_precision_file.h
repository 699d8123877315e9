#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ergon::test {

// An ONNX file (protobuf) of one matrix product in float16, 64 x 64, written by hand: the public API has no
// functions that write networks.
inline std::string half_precision_file() {
  const auto number = [](std::size_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
  };
  const auto varint = [&](int field, std::size_t value) {
    return number(static_cast<std::size_t>(field) << 3) + number(value);
  };
  const auto text = [&](int field, std::string_view bytes) {
    return number(static_cast<std::size_t>(field) << 3 | 2) + number(bytes.size()) + std::string(bytes);
  };
  constexpr std::size_t kFloat16 = 10, kSide = 64;
  const auto tensor_info = [&](std::string_view name) {
    const std::string shape = text(1, text(2, "N")) + text(1, varint(1, kSide));
    return text(1, name) + text(2, text(1, varint(1, kFloat16) + text(2, shape)));
  };
  const std::string node = text(1, "x") + text(1, "w") + text(2, "y") + text(4, "MatMul");
  const std::string weight = varint(1, kSide) + varint(1, kSide) + varint(2, kFloat16) + text(8, "w") +
                             text(9, std::string(2 * kSide * kSide, '\0'));
  const std::string graph = text(1, node) + text(2, "half") + text(5, weight) + text(11, tensor_info("x")) +
                            text(12, tensor_info("y"));
  return varint(1, 8) + text(7, graph) + text(8, varint(2, 17));
}

}  // namespace ergon::test
