#include "device/nvml/clocks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units_text.h"

namespace ergon::device::nvml {
namespace {

Result<ClockList> ascending(Result<ClockList> listed) {
  if (!listed) return listed;
  std::sort(listed->begin(), listed->end());
  listed->erase(std::unique(listed->begin(), listed->end()), listed->end());
  return listed;
}

// "the nearest are 990 MHz and 1005 MHz", or the lowest or highest clock.
std::string nearest(double mhz, std::span<const unsigned> supported) {
  const auto above =
      std::find_if(supported.begin(), supported.end(), [&](unsigned clock) { return clock > mhz; });
  if (above == supported.begin()) return fmt::format("the lowest is {} MHz", supported.front());
  if (above == supported.end()) return fmt::format("the highest is {} MHz", supported.back());
  return fmt::format("the nearest are {} MHz and {} MHz", *(above - 1), *above);
}

}  // namespace

Result<ClockList> supported_memory_mhz(const Gpu& gpu) {
  return ascending(gpu.list<unsigned>("list of memory clocks", gpu.nvml().supported_memory_clocks));
}

Result<ClockList> supported_core_mhz(const Gpu& gpu, unsigned memory_mhz) {
  return ascending(
      gpu.list<unsigned>("list of core clocks", gpu.nvml().supported_graphics_clocks, memory_mhz));
}

Result<ClockList> supported_core_mhz(const Gpu& gpu) {
  const auto memory = supported_memory_mhz(gpu);
  if (!memory) return memory.error();
  if (memory->empty()) return fail(Errc::unsupported, "list of core clocks of {}: empty", gpu.label());
  return supported_core_mhz(gpu, memory->back());
}

Result<unsigned> chosen_mhz(Hertz requested, std::span<const unsigned> supported, std::string_view label,
                            std::string_view domain) {
  constexpr double kMaxMhz = 1e6, kExact = 1e-6;
  const double mhz = requested.si() / 1e6;
  const double whole = std::round(mhz);
  if (!(mhz >= 0 && mhz < kMaxMhz)) {
    return fail(Errc::invalid_input, "{} has no {} clock of {}", label, domain, to_text(requested));
  }
  if (supported.empty()) return static_cast<unsigned>(whole);
  if (mhz == 0) return supported.front();
  const auto distance = [mhz](unsigned clock) { return std::abs(clock - mhz); };
  const unsigned closest = *std::min_element(
      supported.begin(), supported.end(), [&](unsigned a, unsigned b) { return distance(a) < distance(b); });
  const bool between = std::abs(mhz - whole) > kExact;
  const bool inside = mhz > supported.front() - 1.0 && mhz < supported.back() + 1.0;
  if (distance(closest) <= kExact || (between && inside)) return closest;
  return fail(Errc::invalid_input, "{} has no {} clock of {} MHz; {}", label, domain, mhz,
              nearest(mhz, supported));
}

}  // namespace ergon::device::nvml
