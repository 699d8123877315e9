#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array/geometry.h"
#include "systolic/array/layer.h"
#include "systolic/catalog/catalog.h"

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

// One roof and the point of every layer.
struct RooflineChart {
  Roof roof;
  Hertz clock;  // at which the array has the peak of the roof
  std::vector<RooflinePoint> points;

  std::size_t memory_bound() const;  // layers
};

// Rooflines of an accelerator: every peak with every bandwidth.
struct RooflineRequest {
  std::string accelerator = kDefaultAccelerator;  // name or file
  std::optional<std::string> memory;              // name or file; absent: the accelerator's
  std::vector<double> peak_ops;                   // operations per second; empty: at the accelerator's clock
  std::vector<BytesPerSecond> bandwidths;         // empty: that of the memory
};

struct Rooflines {
  Accelerator accelerator;
  std::vector<Roof> roofs;
  std::vector<std::string> files;  // that were read
};

// Errors: unknown names; more roofs than kMaxRooflinePoints; those of reading files.
Result<Rooflines> resolve(const RooflineRequest& request);

// More layers under more than one roof are refused: a point takes a kilobyte in JSON.
inline constexpr std::size_t kMaxRooflinePoints = 20'000;

// One chart per roof. Attained performance uses Ergon's timing, with filling and draining of the array.
// Errors: more points than kMaxRooflinePoints; those of simulate(); cancelled.
Result<std::vector<RooflineChart>> charts_of(std::span<const Layer> layers, const Rooflines& rooflines,
                                             const std::stop_token& stop = {});

}  // namespace ergon::systolic
