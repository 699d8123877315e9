// Restoring widens before it narrows, for all previous values and changes.

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

using test::LeaseFixture;
using test::PlainValue;
using test::WriteFault;
using test::Written;

// Few different values, so that ranges touch, contain and miss each other.
PlainValue any_setting(Control control) {
  if (control == Control::power_limit) return {.power = 100.0 * *rc::gen::inRange(1, 6)};
  const int a = *rc::gen::inRange(1, 6), b = *rc::gen::inRange(1, 6);
  return {0, true, 1e8 * std::min(a, b), 1e8 * std::max(a, b)};
}

// Also unlocked clocks.
PlainValue any_value(Control control) {
  const bool unlocked = control != Control::power_limit && *rc::gen::inRange(0, 3) == 0;
  return unlocked ? PlainValue{} : any_setting(control);
}

// Whether a device may draw a power or run at a clock.
std::set<int> freedom(Control control, const PlainValue& value) {
  std::set<int> points;
  for (int point = 0; point < 80; ++point) {
    const bool free = control == Control::power_limit
                          ? point * 10.0 <= value.power
                          : !value.locked || (point * 1e7 >= value.min && point * 1e7 <= value.max);
    if (free) points.insert(point);
  }
  return points;
}

bool takes_freedom(const Written& write) {
  const auto from = freedom(write.control, write.from), to = freedom(write.control, write.to);
  return !std::includes(to.begin(), to.end(), from.begin(), from.end());
}
bool gives_freedom(const Written& write) {
  return !takes_freedom(write) && freedom(write.control, write.from) != freedom(write.control, write.to);
}

// Some changes fail, so that the journal lists more changes than were made.
void change_anything(LeaseFixture& fixture, Lease& lease) {
  for (int changes = *rc::gen::inRange(0, 8); changes > 0; --changes) {
    const Control control = *rc::gen::elementOf(test::kControls);
    const ControlValue value = any_setting(control).as(control);
    const ClockDomain domain = control == Control::core_clock ? ClockDomain::core : ClockDomain::memory;
    const auto fault =
        *rc::gen::element(WriteFault::none, WriteFault::none, WriteFault::fails, WriteFault::refuses);
    fixture.gpu.fault(control, fault);
    const auto set = value.power_limit ? lease.set_power_limit(*value.power_limit)
                                       : lease.lock_clocks(domain, *value.clocks);
    RC_ASSERT(static_cast<bool>(set) == (fault == WriteFault::none));
    fixture.gpu.no_trouble();
  }
}

RC_GTEST_PROP(LeaseProperty, WidensBeforeItNarrows, ()) {
  LeaseFixture fixture;
  for (const Control control : test::kControls) {
    const auto i = static_cast<std::size_t>(control);
    fixture.gpu.state()[i] = any_value(control);
    if (control == Control::power_limit || *rc::gen::arbitrary<bool>()) continue;
    fixture.gpu.hide(control);
    fixture.gpu.state()[i] = {};
  }
  const auto before = fixture.gpu.state();
  auto lease = fixture.acquire();
  RC_ASSERT(lease);
  change_anything(fixture, *lease);
  const bool broken = *rc::gen::arbitrary<bool>();
  if (broken) fixture.gpu.fault(*rc::gen::elementOf(test::kControls), WriteFault::fails);
  fixture.gpu.forget_writes();
  const RestoreReport report = lease->release();

  const std::vector<Written> writes = fixture.gpu.writes();
  const auto narrowing = std::find_if(writes.begin(), writes.end(), takes_freedom);
  RC_ASSERT(std::none_of(narrowing, writes.end(), gives_freedom));
  RC_TAG(narrowing == writes.begin() ? "narrowed only" : narrowing == writes.end() ? "widened only" : "both");

  fixture.gpu.no_trouble();
  RC_ASSERT(report.complete() || (broken && report.failed.size() == 1));
  RC_ASSERT(fixture.recover().value().complete());
  RC_ASSERT(fixture.gpu.state() == before);
}

}  // namespace
}  // namespace ergon::device
