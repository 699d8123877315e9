#include "device/nvml/application_clocks.h"

#include <algorithm>

namespace ergon::device::nvml {

Result<ApplicationClocks::Pair> ApplicationClocks::pair_by(Getter* getter, std::string_view what) const {
  Pair pair;
  auto asked = gpu_.ask(what, getter, ClockType::memory, &pair.memory_mhz);
  if (asked) asked = gpu_.ask(what, getter, ClockType::graphics, &pair.core_mhz);
  if (!asked) return asked.error();
  return pair;
}

// The core clock that comes nearest to a wish from below; the lowest where none does.
unsigned ApplicationClocks::possible_core_mhz(unsigned memory_mhz, unsigned wanted_mhz) const {
  const auto possible = supported_core_mhz(gpu_, memory_mhz);
  if (!possible || possible->empty()) return wanted_mhz;
  const auto above = std::upper_bound(possible->begin(), possible->end(), wanted_mhz);
  return above == possible->begin() ? *above : *(above - 1);
}

ApplicationClocks::Wishes ApplicationClocks::wishes_behind(const Pair& now, const Pair& usual) const {
  if (set_ == now) return wished_;
  Wishes wishes;
  if (now.memory_mhz != usual.memory_mhz) wishes.memory_mhz = now.memory_mhz;
  if (now.core_mhz != possible_core_mhz(now.memory_mhz, usual.core_mhz)) wishes.core_mhz = now.core_mhz;
  return wishes;
}

Result<ControlValue> ApplicationClocks::read(ClockDomain domain) {
  const auto now = pair_by(gpu_.nvml().application_clock, "application clocks");
  if (!now) return now.error();
  const auto usual = pair_by(gpu_.nvml().default_application_clock, "default application clocks");
  if (!usual) return usual.error();
  const Wishes wishes = wishes_behind(*now, *usual);
  const auto& held = domain == ClockDomain::core ? wishes.core_mhz : wishes.memory_mhz;
  if (!held) return ControlValue{};
  const Hertz clock{*held * 1e6};
  return ControlValue{.clocks = ClockRange{clock, clock}};
}

Result<> ApplicationClocks::write(ClockDomain domain, const std::optional<ClockRange>& range) {
  const auto now = pair_by(gpu_.nvml().application_clock, "application clocks");
  if (!now) return now.error();
  const auto usual = pair_by(gpu_.nvml().default_application_clock, "default application clocks");
  if (!usual) return usual.error();

  Wishes wishes = wishes_behind(*now, *usual);
  auto& wish = domain == ClockDomain::core ? wishes.core_mhz : wishes.memory_mhz;
  wish.reset();
  const unsigned memory_held_mhz = wishes.memory_mhz.value_or(usual->memory_mhz);
  if (range) {
    const auto chosen =
        domain == ClockDomain::memory
            ? chosen_mhz(range->most, supported_memory_mhz(gpu_).value_or({}), gpu_.label(), "memory")
            : chosen_mhz(range->most, supported_core_mhz(gpu_, memory_held_mhz).value_or({}),
                         fmt::format("{} with its memory at {} MHz", gpu_.label(), memory_held_mhz), "core");
    if (!chosen) return chosen.error();
    wish = *chosen;
  }
  Pair pair{wishes.memory_mhz.value_or(usual->memory_mhz), wishes.core_mhz.value_or(usual->core_mhz)};
  pair.core_mhz = possible_core_mhz(pair.memory_mhz, pair.core_mhz);

  auto written = pair == *usual
                     ? gpu_.ask("resetting the application clocks", gpu_.nvml().reset_application_clocks)
                     : gpu_.ask("setting the application clocks", gpu_.nvml().set_application_clocks,
                                pair.memory_mhz, pair.core_mhz);
  if (!written) return written;
  wished_ = wishes;
  set_ = pair;
  return {};
}

}  // namespace ergon::device::nvml
