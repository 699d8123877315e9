#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "device/twin/precision.h"

namespace ergon::device {

using JoulesPerByte = Quantity<Dimension{.joule = 1, .byte = -1}>;
using WattsPerKelvin = Quantity<Dimension{.joule = 1, .second = -1, .kelvin = -1}>;
using KelvinsPerWatt = Quantity<Dimension{.joule = -1, .second = 1, .kelvin = 1}>;

// What a twin is made of: facts from data sheets and a few parameters fitted to measurements. Every number of
// the file it comes from (data/devices) names its source. docs/twins.md has the formulas.

struct CoreClock {
  Hertz least, most, step;
};

// The voltage is flat up to the knee and rises in proportion to the clock above it. Only ratios matter: it is
// 1 at the knee.
struct VoltageLine {
  Hertz knee;
  double at_most = 1;  // at the highest clock

  double at(Hertz clock, Hertz most) const;
};

// The share of the peak bandwidth that the memory reaches at a core clock, along straight lines.
struct BandwidthCurve {
  struct Point {
    Hertz clock;
    double share = 1;
  };
  std::vector<Point> points;  // ascending; flat outside

  double at(Hertz clock) const;
};

struct DeviceMemory {
  Bytes capacity, cache;
  BytesPerSecond bandwidth;
  BandwidthCurve over_clock;
  double counter_full =
      0.9;  // what the counter of memory activity shows when nothing but memory is waited for
};

// How well kernels use the chip. Rates are shares of a peak. The values here are where a calibration starts:
// what single operators reached on an H200 (data/reference/h200/operators.csv).
struct KernelModel {
  double stream = 0.88;          // of the memory's bandwidth, by kernels that only move
  double cache_bandwidth = 1.5;  // of the cache, in units of the memory's bandwidth, at the highest clock
  double cache_share = 0.5;      // of the cache that holds what the kernel before left there
  double tensor = 0.78;          // of the matrix units' peak, by a large product
  double half = 0.9;             // the same in 16 bits
  double simt = 0.77;            // of the plain cores' peak, by a large product
  double winograd = 1.5;         // times that, by 3 x 3 convolutions, whose transform saves multiplications
  double tile_falloff = 0.4;     // how fast smaller tiles lose: the exponent of their area
  double tile_latency = 4000;    // cycles that the largest tile loses at its ends
  double layout_passes = 1.6;    // how often a convolution in TF32 carries its data over, to another layout
  double pointwise = 0.55;       // of the matrix units' rate, by convolutions of single pixels in TF32
  double few_channels = 0.12;    // of that rate, by convolutions of up to four input channels
  double depthwise = 0.2;        // of the streaming rate, by depthwise convolutions
  double depthwise_backward = 0.4;  // of that, by their gradients
  double grouped = 0.3;             // of the streaming rate, by convolutions of small groups
  double norm = 0.55;               // of the streaming rate, by batch norms
  double rows = 0.35;               // of the streaming rate, by softmax, layer norms and transposes
  double gather = 0.35;             // of the streaming rate, by pooling
  double backward = 0.8;            // of the forward rate, by the gradients of products
  double overlap = 3;               // how well arithmetic hides transfers: the norm of the two times
  Seconds floor{1.5e-6};            // the least a kernel takes
  Seconds product_floor{3e-6};      // what a product takes besides
};

// What the host needs to hand an operation to the GPU.
struct HostModel {
  Seconds inference{20e-6}, training{110e-6};
};

// Where watts come from, at the highest clock and 40 degrees.
struct PowerModel {
  Watts bare;                     // nothing runs and nobody holds a context
  Watts resident;                 // besides, while somebody does: at the highest clock, and falling with it
  double resident_follows = 0.3;  // the share of that which follows clock and voltage
  Watts busy{100};                // besides, while all multiprocessors have work
  WattsPerKelvin leakage{0.2};    // for each degree above 40
  JoulesPerByte memory{62e-12};   // for what crosses the memory's pins
  JoulesPerByte cache{10e-12};    // for what stays inside
  Joules simt_flop{8e-12}, tensor_flop{1.2e-12}, half_flop{0.6e-12};
};

struct PowerLimit {
  Watts least, usual, most;
  Watts holds_from;  // a lower limit is not kept: the board settles here
  Seconds period;    // of the regulator
};

struct ThermalModel {
  Celsius ambient;
  KelvinsPerWatt resistance;
  Seconds time_constant;
  Celsius slowdown;  // above, the clock is lowered whatever the power
};

// One power reading as the driver gives it.
struct SensorModel {
  std::string field;  // "usage", "average", "instant"
  Seconds period;     // between two updates
  Seconds window;     // of the mean it gives; shorter than the period: the rest is not seen
  double gain = 1;
  Watts offset, noise;
};

// How well a twin meets one table: on what it was fitted to, and on what it was not.
struct Residual {
  std::string table, quantity;
  std::int64_t rows_fitted = 0, rows_held_back = 0;
  double mape_fitted = 0, mape_held_back = 0;  // mean of the absolute relative errors
};

struct Specification {
  std::string name, title, chip;
  std::int64_t multiprocessors = 1;
  CoreClock core;
  Hertz peak_clock;                         // at which the peaks are given
  std::map<Precision, double> peak_tflops;  // by what the units multiply
  DeviceMemory memory;
  VoltageLine voltage;
  KernelModel kernels;
  HostModel host;
  PowerModel power;
  PowerLimit limit;
  ThermalModel thermal;
  std::vector<SensorModel> sensors;
  std::optional<Seconds> energy_counter_period;  // nothing: it counts no energy
  Seconds clock_switch;                          // from asking for another clock to running at it
  std::map<std::string, std::string> sources;
  std::vector<std::string> fitted;  // networks and applications that took part in the calibration
  std::vector<Residual> residuals;

  // The dynamic power of the cores follows this: clock times voltage squared, 1 at the highest clock.
  double drive(Hertz clock) const;
  // Voltage squared, 1 at the highest clock.
  double swing(Hertz clock) const;
};

}  // namespace ergon::device
