#include <optional>
#include <ostream>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/nvml/application_clock_gpu.h"
#include "device/nvml/application_clocks.h"

namespace ergon::device::nvml {
namespace {

using Old = test::ApplicationClockGpu;

std::optional<ClockRange> any_range(ClockDomain domain) {
  const auto mhz = domain == ClockDomain::memory ? *rc::gen::element(0, 405, 810, 3615)
                                                 : *rc::gen::element(0, 405, 544, 600, 810, 1303, 1531);
  if (mhz == 0) return std::nullopt;
  return ClockRange{Hertz{mhz * 1e6}, Hertz{mhz * 1e6}};
}

// Memory and core clock behave as independent controls: an accepted value is read back, a rejected one
// changes nothing, and resetting both in any order restores the defaults.
RC_GTEST_PROP(NvmlApplicationClocksProperty, MemoryAndCoreClockAreIndependent, ()) {
  const Gpu gpu = Old::made_new();
  std::optional<ApplicationClocks> clocks(gpu);
  std::optional<ClockRange> held[2];
  const auto same = [](const std::optional<ClockRange>& value, const std::optional<ClockRange>& read,
                       unsigned default_mhz) {
    // A later process cannot distinguish a request for the default clock from no request.
    return value == read || (!read && value->max == Hertz{default_mhz * 1e6});
  };
  const auto acts = *rc::gen::inRange(0, 12);
  for (int i = 0; i < acts; ++i) {
    const auto domain = *rc::gen::element(ClockDomain::core, ClockDomain::memory);
    const auto range = any_range(domain);
    const auto before = Old::now;
    if (clocks->write(domain, range)) {
      held[domain == ClockDomain::memory] = range;
    } else {
      RC_ASSERT(Old::now == before);
    }
    RC_ASSERT(same(held[0], clocks->read(ClockDomain::core)->clocks, Old::kDefault.second));
    RC_ASSERT(same(held[1], clocks->read(ClockDomain::memory)->clocks, Old::kDefault.first));
  }
  const bool core_first = *rc::gen::arbitrary<bool>();
  const ClockDomain first = core_first ? ClockDomain::core : ClockDomain::memory;
  const ClockDomain second = core_first ? ClockDomain::memory : ClockDomain::core;
  // The process after a killed one has no history.
  if (*rc::gen::arbitrary<bool>()) clocks.emplace(gpu);
  RC_ASSERT(clocks->write(first, std::nullopt));
  RC_ASSERT(clocks->write(second, std::nullopt));
  RC_ASSERT(Old::now == Old::kDefault);
}

}  // namespace
}  // namespace ergon::device::nvml
