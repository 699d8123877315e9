#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "device/twin/precision.h"
#include "graph/cost.h"

namespace ergon::device {

using JoulesPerByte = Quantity<Dimension{.joule = 1, .byte = -1}>;
using WattsPerKelvin = Quantity<Dimension{.joule = 1, .second = -1, .kelvin = -1}>;
using KelvinsPerWatt = Quantity<Dimension{.joule = -1, .second = 1, .kelvin = 1}>;

// Parameters of a twin: facts from data sheets and values fitted to measurements. In the device file
// (data/devices) every number names its source. docs/twins.md lists the formulas.

struct CoreClock {
  Hertz min, max, step;
};

// Relative voltage: constant (1) up to the knee, then linear in the clock.
struct VoltageLine {
  Hertz knee;
  double ratio_at_max = 1;  // voltage at the highest clock

  double at(Hertz clock, Hertz max_clock) const;
};

// Share of the peak memory bandwidth as a function of the core clock, by linear interpolation.
struct BandwidthCurve {
  struct Point {
    Hertz clock;
    double share = 1;
  };
  std::vector<Point> points;  // ascending; constant outside

  double at(Hertz clock) const;
};

struct DeviceMemory {
  Bytes capacity, cache;
  BytesPerSecond bandwidth;
  BandwidthCurve over_clock;
  double counter_full = 0.9;  // DRAM activity counter of a fully memory-bound kernel
};

// Efficiency of kernels, as shares of a peak rate. The values here are the starting point of calibrations,
// from single operators on an H200 (data/reference/h200/operators.csv).
struct KernelModel {
  double stream = 0.88;             // share of memory bandwidth of elementwise kernels
  double cache_bandwidth = 1.5;     // L2 bandwidth / memory bandwidth, at the highest clock
  double cache_share = 0.5;         // share of the L2 cache that holds output of the previous kernel
  double tensor = 0.78;             // share of the tensor core peak of a large TF32 product
  double half = 0.9;                // the same for 16-bit products
  double simt = 0.77;               // share of the CUDA core peak of a large product
  double winograd = 1.5;            // speed-up of 3x3 convolutions by Winograd's transform
  double tile_falloff = 0.4;        // efficiency of a tile: (area / largest area) to this power
  double tile_latency = 4000;       // cycles of prologue and epilogue of the largest tile
  double layout_passes = 1.6;       // extra passes over the data of a TF32 convolution to change its layout
  double pointwise = 0.55;          // share of the tensor core rate of 1x1 TF32 convolutions
  double few_channels = 0.12;       // the same for convolutions with up to four input channels
  double depthwise = 0.2;           // share of the elementwise rate of depthwise convolutions
  double depthwise_backward = 0.4;  // share of that rate of their gradients
  double grouped = 0.3;             // share of the elementwise rate of grouped convolutions
  double norm = 0.55;               // the same for batch norms
  double rows = 0.35;               // the same for softmax, layer norms and transposes
  double gather = 0.35;             // the same for pooling
  double backward = 0.8;            // share of the forward rate of the gradients of products
  double overlap = 3;               // p of the p-norm of compute and memory time
  Seconds floor{1.5e-6};            // minimum time of a kernel
  Seconds product_floor{3e-6};      // additional minimum time of a matrix product
};

// Launch time on the host per operation.
struct HostModel {
  Seconds inference{20e-6}, training{110e-6};
};

// Contributions to power, at the highest clock and 40 degrees Celsius.
struct PowerModel {
  Watts bare;                     // idle, without a CUDA context
  Watts resident;                 // additional power with a context, at the highest clock
  double resident_follows = 0.3;  // share of `resident` that scales with clock and voltage
  Watts busy{100};                // additional power with all multiprocessors busy
  WattsPerKelvin leakage{0.2};    // per degree above 40
  JoulesPerByte memory{62e-12};   // memory traffic
  JoulesPerByte cache{10e-12};    // cache traffic
  Joules simt_flop{8e-12}, tensor_flop{1.2e-12}, half_flop{0.6e-12};
};

struct PowerLimitModel {
  Watts min, default_limit, max;
  Watts holds_from;  // lowest limit that the board holds; lower limits have this effect
  Seconds period;    // of the power regulator
};

struct ThermalModel {
  Celsius ambient;
  KelvinsPerWatt resistance;
  Seconds time_constant;
  Celsius slowdown;  // above this temperature the clock is lowered
};

// One power reading of the driver.
struct SensorModel {
  std::string field;  // "usage", "average", "instant"
  Seconds period;     // between two updates
  Seconds window;     // averaging window; if shorter than the period, the rest is not measured
  double gain = 1;
  Watts offset, noise;
  std::vector<std::string> also = {};  // other fields that answer with this reading

  bool answers(std::string_view name) const;
};

// A kind of network run. The error of a twin on one kind says little about the others.
struct RunKind {
  graph::Mode mode = graph::Mode::inference;
  Precision precision = Precision::tf32;
  bool host_bound = false;  // limited by kernel launches from the host, or nearly

  friend auto operator<=>(const RunKind&, const RunKind&) = default;
};

// Accuracy of a twin on one table, for fitted and held-out rows.
struct TableResidual {
  std::string table, quantity;
  std::int64_t rows_fitted = 0, rows_held_out = 0;
  double mape_fitted = 0, mape_held_out = 0;  // mean absolute percentage error, as a share
  std::set<RunKind> kinds_held_out = {};      // of the held-out networks; empty for applications
};

struct Specification {
  std::string name, title, chip;
  std::int64_t multiprocessors = 1;
  CoreClock core;
  Hertz peak_clock;                         // clock of `peak_tflops`
  std::map<Precision, double> peak_tflops;  // fp32: CUDA cores; others: tensor cores, if any
  DeviceMemory memory;
  VoltageLine voltage;
  KernelModel kernels;
  HostModel host;
  PowerModel power;
  PowerLimitModel limit;
  ThermalModel thermal;
  std::vector<SensorModel> sensors;
  std::optional<Seconds> energy_counter_period;  // absent if there is no energy counter
  Seconds energy_counter_latency;                // time of one read through NVML
  Seconds clock_switch;                          // delay from a request to the new clock
  std::map<std::string, std::string> sources;
  std::vector<std::string> fitted;  // networks and applications used in the calibration
  std::vector<TableResidual> residuals;
  // The file's accuracy was measured with other parameters; `residuals` is empty.
  bool changed_after_calibration = false;

  // f V^2, relative to the highest clock. Dynamic power of the cores is proportional to it.
  double relative_dynamic_power(Hertz clock) const;
  // V^2, relative to the highest clock. Energy per operation is proportional to it.
  double relative_voltage_squared(Hertz clock) const;
};

}  // namespace ergon::device
