#include "device/twin/precision.h"

#include "base/text.h"

namespace ergon::device {

std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::bf16:
      return "bf16";
    case Precision::fp16:
      return "fp16";
  }
  return "";
}

std::optional<Precision> precision_named(std::string_view name) {
  for (const Precision each : kPrecisions) {
    if (name_of(each) == lower(name)) return each;
  }
  return std::nullopt;
}

}  // namespace ergon::device
