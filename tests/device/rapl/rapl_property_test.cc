#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/rapl/powercap_tree.h"
#include "device/rapl/wrapping_counter.h"

namespace ergon::device::rapl {
namespace {

std::uint64_t any_up_to(std::uint64_t most) { return *rc::gen::inRange<std::uint64_t>(0, most + 1); }

RC_GTEST_PROP(RaplProperty, TheTotalIsExactForAnyNumberOfWraps, ()) {
  const std::uint64_t range =
      *rc::gen::element<std::uint64_t>(0, 1, 7, 1000, 65'532'610'987, 262'143'328'850);
  std::uint64_t truth = any_up_to(range);
  WrappingCounter counter(truth, range);
  const auto readings = *rc::gen::inRange(0, 200);
  for (int i = 0; i < readings; ++i) {
    truth += any_up_to(range);
    RC_ASSERT(counter.advance(truth % (range + 1)) == truth);
  }
}

RC_GTEST_PROP(RaplProperty, ADeviceReportsTheTotalInJoules, ()) {
  constexpr std::uint64_t kRange = 65'532'610'987;
  const test::PowercapTree tree("amd");
  std::uint64_t truth = any_up_to(kRange);
  tree.set("intel-rapl:0", truth);
  const FoundDevices found = tree.find();
  RC_ASSERT(found.devices.size() == 1u);
  const auto readings = *rc::gen::inRange(0, 10);
  for (int i = 0; i < readings; ++i) {
    truth += any_up_to(kRange);
    tree.set("intel-rapl:0", truth % (kRange + 1));
    const auto energy = found.devices[0]->energy_counter();
    RC_ASSERT(energy);
    RC_ASSERT(energy->si() == static_cast<double>(truth) / 1e6);
  }
}

}  // namespace
}  // namespace ergon::device::rapl
