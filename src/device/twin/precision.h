#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ergon::device {

// Data type of the arithmetic. `tf32` is PyTorch's default: convolutions in TF32 on tensor cores, other
// matrix products in fp32.
enum class Precision : std::uint8_t { fp32, tf32, bf16, fp16 };

std::string_view name_of(Precision precision);
inline constexpr Precision kPrecisions[] = {Precision::fp32, Precision::tf32, Precision::bf16,
                                            Precision::fp16};
// For help and messages.
inline constexpr std::string_view kPrecisionList = "fp32, tf32, bf16 or fp16";
// Ignores case.
std::optional<Precision> precision_named(std::string_view name);

// Bytes per stored number.
constexpr std::int64_t bytes_of(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4 : 2;
}

}  // namespace ergon::device
