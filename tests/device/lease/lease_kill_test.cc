// Whenever a lease is killed, the next start finds the device's exact previous state.
//
// A process of its own lives through random leases on a random device and is killed at the n-th step; the
// parent is the next start. Every other time the kill is a power cut as well: of what was written but not
// synced, only a random part is kept.

#include <array>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/lease/lease_world.h"

namespace ergon::device {
namespace {

using test::in_child;
using test::KillAt;
using test::killed;
using test::LeaseWorld;
using test::PlainState;
using test::PlainValue;
using test::sync_spy;
using test::Trouble;

PlainValue any_value(Control control, Random& random) {
  if (control == Control::power_limit) return {.power = 100 + 600 * random.uniform()};
  if (random.below(3) == 0) return {};
  const double least = 2e9 * random.uniform();
  return {0, true, least, least + 1e9 * random.uniform()};
}

// Clocks that are not told are not locked at first: that lock could not be restored.
void arrange(LeaseWorld& world, Random& random) {
  for (const Control control : test::kControls) {
    const auto i = static_cast<std::size_t>(control);
    world.gpu.state()[i] = any_value(control, random);
    if (control == Control::power_limit || random.below(2) == 0) continue;
    world.gpu.hide(control);
    world.gpu.state()[i] = {};
  }
}

void change_something(LeaseWorld& world, Lease& lease, Random& random) {
  const Control control = test::kControls[random.below(3)];
  constexpr std::array kTroubles{Trouble::none, Trouble::none, Trouble::refuses, Trouble::fails,
                                 Trouble::fails_late};
  world.gpu.trouble(control, kTroubles[random.below(kTroubles.size())]);
  const ControlValue value = any_value(control, random).as(control);
  const ClockDomain domain = control == Control::core_clock ? ClockDomain::core : ClockDomain::memory;
  static_cast<void>(value.power_limit ? lease.set_power_limit(*value.power_limit)
                    : value.clocks    ? lease.lock_clocks(domain, *value.clocks)
                                      : lease.unlock_clocks(domain));
  world.gpu.no_trouble();
}

void live(LeaseWorld& world, Random& random, LeaseWatch& watch) {
  for (auto leases = random.below(2) + 1; leases > 0; --leases) {
    auto lease = world.acquire(&watch);
    if (!lease) ::_exit(1);
    for (auto changes = random.below(8); changes > 0; --changes) change_something(world, *lease, random);
    if (random.below(2) == 0) lease->release();
  }
}

void lose_what_was_not_synced(LeaseWorld& world, Random& random) {
  const std::string written = world.journal_text();
  const std::string durable(sync_spy().durable());
  const bool longer = written.starts_with(durable);
  const std::string kept =
      longer ? written.substr(0, durable.size() + random.below(written.size() - durable.size() + 1))
             : durable;
  world.set_journal_text(kept);
}

TEST(LeaseKill, TheNextStartRestoresTheExactState) {
  constexpr int kKills = 500;
  std::array<int, kLeaseSteps> kills_at{};
  int kills = 0;
  for (std::uint64_t seed = 1; kills < kKills; ++seed) {
    LeaseWorld world;
    Random random(seed);
    arrange(world, random);
    const PlainState before = world.gpu.state();
    const auto steps = static_cast<int>(random.below(24));
    const int status = in_child([&] {
      KillAt watch(steps);
      live(world, random, watch);
    });
    ASSERT_TRUE(killed(status) || status == 0) << "seed " << seed;
    if (killed(status)) {
      ++kills;
      ++kills_at.at(static_cast<std::size_t>(KillAt::killed_at()));
      if (seed % 2 == 0) lose_what_was_not_synced(world, random);
    }
    world.gpu.no_trouble();
    const auto report = world.recover();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->complete()) << "seed " << seed;
    ASSERT_EQ(world.gpu.state(), before) << "seed " << seed << ", killed at step " << steps;
    EXPECT_EQ(world.journal_text(), "");
  }
  for (std::size_t step = 0; step < kills_at.size(); ++step) {
    EXPECT_GT(kills_at[step], 0) << "nobody was killed at step kind " << step;
    RecordProperty("kills_at_" + std::to_string(step), kills_at[step]);
  }
}

// Begins with a killed lease; then next starts are killed at every step of theirs until one is not.
void kill_next_starts(std::uint64_t seed, const std::function<void(LeaseWorld&, LeaseWatch&)>& start,
                      std::array<int, kLeaseSteps>& kills_at) {
  for (int steps = 0;; ++steps) {
    LeaseWorld world;
    Random random(seed);
    arrange(world, random);
    const PlainState before = world.gpu.state();
    const auto life = static_cast<int>(4 + random.below(16));
    in_child([&] {
      KillAt watch(life);
      live(world, random, watch);
    });
    world.gpu.no_trouble();
    // In some worlds a control cannot be restored at first.
    const Control broken = test::kControls[random.below(3)];
    if (random.below(2) == 0) world.gpu.trouble(broken, Trouble::fails);
    const int status = in_child([&] {
      KillAt watch(steps);
      start(world, watch);
    });
    if (killed(status)) ++kills_at.at(static_cast<std::size_t>(KillAt::killed_at()));
    if (random.below(2) == 0) lose_what_was_not_synced(world, random);
    world.gpu.no_trouble();
    const auto report = world.recover();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->complete()) << "seed " << seed;
    ASSERT_EQ(world.gpu.state(), before) << "seed " << seed << ", second kill at step " << steps;
    EXPECT_EQ(world.journal_text(), "");
    if (!killed(status)) return;
  }
}

TEST(LeaseKill, ARecoveryMayBeKilledToo) {
  std::array<int, kLeaseSteps> kills_at{};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    kill_next_starts(
        seed, [](LeaseWorld& world, LeaseWatch& watch) { static_cast<void>(world.recover(&watch)); },
        kills_at);
  }
  // A recovery changes nothing, so nobody is killed at a change.
  for (const LeaseStep step :
       {LeaseStep::journal_written, LeaseStep::journal_synced, LeaseStep::restored, LeaseStep::cleared}) {
    EXPECT_GT(kills_at[static_cast<std::size_t>(step)], 0) << static_cast<int>(step);
  }
}

TEST(LeaseKill, SoMayANewLeaseThatBeginsWithARecovery) {
  std::array<int, kLeaseSteps> kills_at{};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto start = [seed](LeaseWorld& world, LeaseWatch& watch) {
      auto lease = world.acquire(&watch);
      Random random(seed);
      if (lease) change_something(world, *lease, random);
    };
    kill_next_starts(seed, start, kills_at);
  }
  for (const int kills : kills_at) EXPECT_GT(kills, 0);
}

}  // namespace
}  // namespace ergon::device
