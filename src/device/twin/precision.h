#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ergon::device {

// How a network's numbers are multiplied and stored. `tf32` is what PyTorch does when nobody asks for
// anything: convolutions on the matrix units in TF32, other products in plain 32 bits.
enum class Precision : std::uint8_t { fp32, tf32, bf16, fp16 };

std::string_view name_of(Precision precision);
std::vector<Precision> all_precisions();
std::optional<Precision> precision_named(std::string_view name);

// Bytes of one stored number.
constexpr std::int64_t bytes_of(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

}  // namespace ergon::device
