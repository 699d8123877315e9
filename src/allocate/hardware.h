#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/units.h"
#include "systolic/array.h"
#include "systolic/catalogue/catalogue.h"
#include "systolic/catalogue/voltage_curve.h"
#include "systolic/memory_port.h"
#include "systolic/semantics.h"

namespace ergon::allocate {

// What the memory takes, where it is to be on the bill.
struct MemoryPower {
  Joules per_word;              // moved
  Watts background;             // as long as the network runs
  double scaling = 0;           // the share of the background that follows the bandwidth
  bool follows_demand = false;  // memory DVFS: it is slowed to the bandwidth of each layer
};

// An accelerator with its memory at full speed, and what can be turned down.
struct Hardware {
  systolic::Machine machine;
  systolic::Semantics semantics = systolic::Semantics::v2_2021;
  Hertz clock;                 // the highest
  double words_per_cycle = 0;  // the memory's most, in cycles of that clock
  std::int64_t bytes_per_word = 1;

  Hertz clock_step{50e6};      // levels are its multiples, and the highest clock
  double word_step = 4;        // likewise, words a cycle
  Seconds switch_time{10e-6};  // the array stands still while its clock changes
  double switch_power = 0.1;   // of the array's power at the highest clock, meanwhile
  double stall_power = 0;      // of the array's power at its clock, while it waits for memory
  Watts array_power{1};        // dynamic, at the highest clock; only its ratio to the memory's power matters
  systolic::VoltageCurve voltage = systolic::VoltageCurve::linear();
  std::optional<MemoryPower> memory;

  systolic::MemoryPort full_port() const { return systolic::MemoryPort::of(words_per_cycle); }
  BytesPerSecond bandwidth(double words) const {
    return BytesPerSecond{words * static_cast<double>(bytes_per_word) * clock.si()};
  }
  double voltage_ratio(Hertz at) const { return voltage.ratio(at, clock); }
  Joules switch_energy() const { return switch_power * array_power * switch_time; }

  // Sizes that can work, and timings in which a slower clock makes sense.
  Result<> check() const;
};

// An accelerator of the catalogue with a memory that gives so many words a cycle.
Hardware hardware_of(const systolic::Accelerator& accelerator, double words_per_cycle);
// What the catalogue says of a memory's power; fails when it does not say, or not what the array draws beside
// it.
Result<MemoryPower> memory_power_of(const systolic::Memory& memory, const systolic::Accelerator& accelerator);

// Ascending; the last is the highest clock, or the memory's full bandwidth in words a cycle.
std::vector<Hertz> clock_levels(const Hardware& hardware);
std::vector<double> word_levels(const Hardware& hardware);
// The lowest level that is not below.
Hertz clock_at_least(const Hardware& hardware, Hertz wanted);
double words_at_least(const Hardware& hardware, double wanted);

}  // namespace ergon::allocate
