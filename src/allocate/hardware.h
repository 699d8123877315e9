#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array/array.h"
#include "systolic/catalog/catalog.h"
#include "systolic/catalog/voltage_curve.h"
#include "systolic/replay/memory_port.h"
#include "systolic/replay/semantics.h"

namespace ergon::allocate {

// Power of the memory, if it is part of the energy.
struct MemoryPower {
  Joules per_word;
  Watts background;             // while the network runs
  double scaling = 0;           // share of the background that is proportional to the bandwidth
  bool follows_demand = false;  // memory DVFS: the memory runs at the bandwidth of each layer
};

// An accelerator with its memory at full speed, and its clock and bandwidth levels.
struct Hardware {
  systolic::Machine machine;
  systolic::Semantics semantics = systolic::Semantics::v2_2021;
  Hertz clock;                 // the highest
  double words_per_cycle = 0;  // full bandwidth, in cycles of the highest clock
  std::int64_t bytes_per_word = 1;

  Hertz clock_step{50e6};      // levels are its multiples and the highest clock
  double word_step = 4;        // likewise, in words per cycle
  Seconds switch_time{10e-6};  // duration of a clock change; the array is stopped
  double switch_power = 0.1;   // during a switch, as a share of the array's power at the highest clock
  double stall_power = 0;      // during stalls, as a share of the array's power at its clock
  Watts array_power{1};        // dynamic, at the highest clock; only the ratio to the memory's power matters
  systolic::VoltageCurve voltage = systolic::VoltageCurve::linear();  // with leakage; ARADA's has none
  std::optional<MemoryPower> memory;

  systolic::MemoryPort full_port() const { return systolic::MemoryPort::of(words_per_cycle); }
  BytesPerSecond bandwidth(double words) const {
    return BytesPerSecond{words * static_cast<double>(bytes_per_word) * clock.si()};
  }
  double voltage_ratio(Hertz at) const { return voltage.ratio(at, clock); }
  // At the lowest clock level.
  double lowest_voltage_ratio() const { return voltage_ratio(std::min(clock_step, clock)); }
  // While the array is powered, busy or not.
  Watts leakage_power(Hertz at) const {
    return array_power * (voltage.leakage * voltage_ratio(at) * voltage_ratio(at));
  }
  Joules switch_energy() const { return switch_power * array_power * switch_time; }

  // Errors: invalid sizes; too many levels; semantics that cannot model a lower clock.
  Result<> check() const;
};

// An accelerator of the catalog with a memory of this bandwidth.
Hardware hardware_of(const systolic::Accelerator& accelerator, double words_per_cycle);
// Power of a memory from the catalog. Errors: the power of the memory or of the array is unknown.
Result<MemoryPower> memory_power_of(const systolic::Memory& memory, const systolic::Accelerator& accelerator);

// Ascending; the last is the highest clock, or the full bandwidth in words per cycle.
std::vector<Hertz> clock_levels(const Hardware& hardware);
std::vector<double> word_levels(const Hardware& hardware);
// The lowest level that is at least `wanted`.
Hertz clock_at_least(const Hardware& hardware, Hertz wanted);
double words_at_least(const Hardware& hardware, double wanted);

}  // namespace ergon::allocate
