#include "allocate/hardware.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"

namespace ergon::allocate {
namespace {

// Multiples of `step` below `max`, then `max`, with a tolerance for rounding.
std::vector<double> multiples(double step, double max) {
  std::vector<double> levels;
  for (int count = 1; step * count < max * (1 - 1e-9); ++count) levels.push_back(step * count);
  levels.push_back(max);
  return levels;
}

double multiple_at_least(double step, double max, double wanted) {
  return std::min(max, step * std::ceil(wanted / step * (1 - 1e-12)));
}

constexpr double kMaxLevels = 1000;

}  // namespace

Result<> Hardware::check() const {
  if (auto fits = machine.check(); !fits) return fits;
  if (semantics == systolic::Semantics::v3) {
    return fail(
        Errc::invalid_input,
        "v3 semantics counts every stall twice and would choose clocks too low; use v2-2021, v2 or ergon");
  }
  if (!(clock_step > Hertz{0}) || (clock / clock_step).si() > kMaxLevels) {
    return fail(Errc::invalid_input, "clock step {} up to {}: the number of levels must be 1 to {}",
                to_text(clock_step), to_text(clock), kMaxLevels);
  }
  if (!(word_step > 0) || words_per_cycle / word_step > kMaxLevels) {
    return fail(Errc::invalid_input,
                "bandwidth step {} words/cycle up to {}: the number of levels must be 1 to {}", word_step,
                words_per_cycle, kMaxLevels);
  }
  if (switch_time < Seconds{0}) return fail(Errc::invalid_input, "--switch-time must not be negative");
  const bool whole_words = semantics != systolic::Semantics::ergon;
  if (whole_words && word_step != std::floor(word_step)) {
    return fail(Errc::invalid_input, "bandwidth step {} words/cycle: SCALE-Sim ports move whole words",
                word_step);
  }
  return voltage.check(clock);
}

Hardware hardware_of(const systolic::Accelerator& accelerator, double words_per_cycle) {
  Hardware hardware;
  hardware.machine = accelerator.machine;
  hardware.clock = accelerator.clock;
  hardware.words_per_cycle = words_per_cycle;
  hardware.bytes_per_word = accelerator.memory_bytes_per_word;
  hardware.array_power = accelerator.array_power.value_or(hardware.array_power);
  return hardware;
}

Result<MemoryPower> memory_power_of(const systolic::Memory& memory,
                                    const systolic::Accelerator& accelerator) {
  if (!memory.background) {
    return fail(Errc::invalid_input, "{}: no background_w, the power without traffic, in its file",
                memory.name);
  }
  if (!accelerator.array_power) {
    return fail(Errc::invalid_input, "{}: no array_power_w in its file; needed to add the memory's energy",
                accelerator.name);
  }
  const double bits = 8 * static_cast<double>(accelerator.memory_bytes_per_word);
  return MemoryPower{memory.energy_per_bit * bits, *memory.background, memory.background_scaling, false};
}

std::vector<Hertz> clock_levels(const Hardware& hardware) {
  std::vector<Hertz> levels;
  for (const double level : multiples(hardware.clock_step.si(), hardware.clock.si()))
    levels.emplace_back(level);
  return levels;
}

std::vector<double> word_levels(const Hardware& hardware) {
  return multiples(hardware.word_step, hardware.words_per_cycle);
}

Hertz clock_at_least(const Hardware& hardware, Hertz wanted) {
  return Hertz{multiple_at_least(hardware.clock_step.si(), hardware.clock.si(), wanted.si())};
}

double words_at_least(const Hardware& hardware, double wanted) {
  return multiple_at_least(hardware.word_step, hardware.words_per_cycle, wanted);
}

}  // namespace ergon::allocate
