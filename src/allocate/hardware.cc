#include "allocate/hardware.h"

#include <algorithm>
#include <cmath>

#include "base/units_text.h"

namespace ergon::allocate {
namespace {

// Multiples of `step` below `most`, then `most`. A product that misses `most` by rounding is it.
std::vector<double> multiples(double step, double most) {
  std::vector<double> levels;
  for (int count = 1; step * count < most * (1 - 1e-9); ++count) levels.push_back(step * count);
  levels.push_back(most);
  return levels;
}

double multiple_at_least(double step, double most, double wanted) {
  return std::min(most, step * std::ceil(wanted / step * (1 - 1e-12)));
}

constexpr double kMostLevels = 1000;

}  // namespace

Result<> Hardware::check() const {
  if (auto fits = machine.check(); !fits) return fits;
  if (semantics == systolic::Semantics::v3) {
    return fail(Errc::invalid_input,
                "v3 counts every stall twice, so a clock chosen by it would be far too low; v2-2021 (ARADA's "
                "simulator), v2 and ergon do not");
  }
  if (!(clock_step > Hertz{0}) || (clock / clock_step).si() > kMostLevels) {
    return fail(Errc::invalid_input, "clocks in steps of {} up to {}: 1 to {} levels are possible",
                to_text(clock_step), to_text(clock), kMostLevels);
  }
  if (!(word_step > 0) || words_per_cycle / word_step > kMostLevels) {
    return fail(Errc::invalid_input,
                "bandwidths in steps of {} words a cycle up to {}: 1 to {} levels are possible", word_step,
                words_per_cycle, kMostLevels);
  }
  const bool whole_words = semantics != systolic::Semantics::ergon;
  if (whole_words && word_step != std::floor(word_step)) {
    return fail(Errc::invalid_input,
                "bandwidths in steps of {} words a cycle: SCALE-Sim's ports move whole words", word_step);
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
    return fail(Errc::invalid_input, "{} does not say what it draws when nothing moves (background_w)",
                memory.name);
  }
  if (!accelerator.array_power) {
    return fail(
        Errc::invalid_input,
        "{} does not say what its array draws (array_power_w), so the memory's energy has nothing to be "
        "added to",
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
