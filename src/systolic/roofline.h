#pragma once

#include <optional>
#include <string_view>

#include "base/units.h"
#include "systolic/array/geometry.h"

namespace ergon::systolic {

// What a layer is, by the shape of its filters.
enum class LayerKind : std::uint8_t { convolution, depthwise, pointwise, fully_connected };
std::string_view name_of(LayerKind kind);
LayerKind kind_of(const Geometry& geometry);

// One layer under one roof: operations count a multiplication and an addition.
struct RooflinePoint {
  double operations = 0;
  Bytes traffic;                       // every word once: inputs, weights and outputs
  double intensity = 0;                // operations per byte
  double peak_ops = 0;                 // operations per second
  double attainable_ops = 0;           // the roof above this intensity
  std::optional<double> attained_ops;  // simulated, with filling and draining
  bool memory_bound = false;
};

struct Roof {
  double peak_ops = 0;  // operations per second
  BytesPerSecond bandwidth;
  std::int64_t bytes_per_word = 1;

  double ridge() const { return peak_ops / bandwidth.si(); }  // operations per byte
};

RooflinePoint roofline_point(const Geometry& geometry, const Roof& roof);

}  // namespace ergon::systolic
