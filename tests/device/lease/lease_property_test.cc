// On its way back a device is widened before it is narrowed, whatever it was and whatever was done to it.

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/lease/lease_world.h"

namespace ergon::device {
namespace {

using test::LeaseWorld;
using test::PlainValue;
using test::Trouble;
using test::Written;

// Few different values, so that ranges touch, hold and miss each other.
PlainValue any_value(Control control) {
  if (control == Control::power_limit) return {.power = 100.0 * *rc::gen::inRange(1, 6)};
  if (*rc::gen::inRange(0, 3) == 0) return {};
  const int a = *rc::gen::inRange(1, 6), b = *rc::gen::inRange(1, 6);
  return {0, true, 1e8 * std::min(a, b), 1e8 * std::max(a, b)};
}

// What a device may do, point by point: draw so many watts, or run at such a clock.
std::set<int> freedom(Control control, const PlainValue& value) {
  std::set<int> points;
  for (int point = 0; point < 80; ++point) {
    const bool free = control == Control::power_limit
                          ? point * 10.0 <= value.power
                          : !value.locked || (point * 1e7 >= value.least && point * 1e7 <= value.most);
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

// Some changes fail, so that the journal says more than was done.
void change_anything(LeaseWorld& world, Lease& lease) {
  for (int changes = *rc::gen::inRange(0, 8); changes > 0; --changes) {
    const Control control = *rc::gen::elementOf(test::kControls);
    const ControlValue value = any_value(control).as(control);
    const ClockDomain domain = control == Control::core_clock ? ClockDomain::core : ClockDomain::memory;
    const auto trouble = *rc::gen::element(Trouble::none, Trouble::none, Trouble::fails, Trouble::refuses);
    world.gpu.trouble(control, trouble);
    const auto set = value.power_limit ? lease.set_power_limit(*value.power_limit)
                     : value.clocks    ? lease.lock_clocks(domain, *value.clocks)
                                       : lease.unlock_clocks(domain);
    RC_ASSERT(static_cast<bool>(set) == (trouble == Trouble::none));
    world.gpu.no_trouble();
  }
}

RC_GTEST_PROP(LeaseProperty, WidensBeforeItNarrows, ()) {
  LeaseWorld world;
  for (const Control control : test::kControls) {
    const auto i = static_cast<std::size_t>(control);
    world.gpu.state()[i] = any_value(control);
    if (control == Control::power_limit || *rc::gen::arbitrary<bool>()) continue;
    world.gpu.hide(control);
    world.gpu.state()[i] = {};
  }
  const auto before = world.gpu.state();
  auto lease = world.acquire();
  RC_ASSERT(lease);
  change_anything(world, *lease);
  const bool broken = *rc::gen::arbitrary<bool>();
  if (broken) world.gpu.trouble(*rc::gen::elementOf(test::kControls), Trouble::fails);
  world.gpu.forget_writes();
  const RestoreReport report = lease->release();

  const std::vector<Written> writes = world.gpu.writes();
  const auto narrowing = std::find_if(writes.begin(), writes.end(), takes_freedom);
  RC_ASSERT(std::none_of(narrowing, writes.end(), gives_freedom));
  RC_TAG(narrowing == writes.begin() ? "narrowed only" : narrowing == writes.end() ? "widened only" : "both");

  world.gpu.no_trouble();
  RC_ASSERT(report.complete() || (broken && report.failed.size() == 1));
  RC_ASSERT(world.recover().value().complete());
  RC_ASSERT(world.gpu.state() == before);
}

}  // namespace
}  // namespace ergon::device
