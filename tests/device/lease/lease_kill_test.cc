// Whenever a process with a lease is killed, the next start restores the exact previous state.
//
// A child process uses random leases on a random device and is killed at the n-th step; the parent acts as
// the next start. Every other time the kill also simulates a power loss: only a random part of the unsynced
// writes is kept.

#include <array>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

using test::in_child;
using test::KillAt;
using test::killed;
using test::LeaseFixture;
using test::PlainState;
using test::PlainValue;
using test::sync_spy;
using test::WriteFault;

// A power limit or locked clocks.
PlainValue any_setting(Control control, Random& random) {
  if (control == Control::power_limit) return {.power = 100 + 600 * random.uniform()};
  const double least = 2e9 * random.uniform();
  return {0, true, least, least + 1e9 * random.uniform()};
}

PlainValue any_value(Control control, Random& random) {
  const bool unlocked = control != Control::power_limit && random.below(3) == 0;
  return unlocked ? PlainValue{} : any_setting(control, random);
}

// Clocks that the device does not report are initially unlocked: a lock could not be restored.
void arrange(LeaseFixture& fixture, Random& random) {
  for (const Control control : test::kControls) {
    const auto i = static_cast<std::size_t>(control);
    fixture.gpu.state()[i] = any_value(control, random);
    if (control == Control::power_limit || random.below(2) == 0) continue;
    fixture.gpu.hide(control);
    fixture.gpu.state()[i] = {};
  }
}

void change_something(LeaseFixture& fixture, Lease& lease, Random& random) {
  const Control control = test::kControls[random.below(3)];
  constexpr std::array kTroubles{WriteFault::none, WriteFault::none, WriteFault::refuses, WriteFault::fails,
                                 WriteFault::fails_late};
  fixture.gpu.fault(control, kTroubles[random.below(kTroubles.size())]);
  const ControlValue value = any_setting(control, random).as(control);
  const ClockDomain domain = control == Control::core_clock ? ClockDomain::core : ClockDomain::memory;
  static_cast<void>(value.power_limit ? lease.set_power_limit(*value.power_limit)
                                      : lease.lock_clocks(domain, *value.clocks));
  fixture.gpu.no_trouble();
}

void live(LeaseFixture& fixture, Random& random, LeaseObserver& watch) {
  for (auto leases = random.below(2) + 1; leases > 0; --leases) {
    auto lease = fixture.acquire(&watch);
    if (!lease) ::_exit(1);
    for (auto changes = random.below(8); changes > 0; --changes) change_something(fixture, *lease, random);
    if (random.below(2) == 0) lease->release();
  }
}

void lose_what_was_not_synced(LeaseFixture& fixture, Random& random) {
  const std::string written = fixture.journal_text();
  const std::string durable(sync_spy().durable());
  const bool longer = written.starts_with(durable);
  const std::string kept =
      longer ? written.substr(0, durable.size() + random.below(written.size() - durable.size() + 1))
             : durable;
  fixture.set_journal_text(kept);
}

TEST(LeaseKill, TheNextStartRestoresTheExactState) {
  constexpr int kKills = 500;
  std::array<int, kLeaseSteps> kills_at{};
  int kills = 0;
  for (std::uint64_t seed = 1; kills < kKills; ++seed) {
    LeaseFixture fixture;
    Random random(seed);
    arrange(fixture, random);
    const PlainState before = fixture.gpu.state();
    const auto steps = static_cast<int>(random.below(24));
    const int status = in_child([&] {
      KillAt watch(steps);
      live(fixture, random, watch);
    });
    ASSERT_TRUE(killed(status) || status == 0) << "seed " << seed;
    if (killed(status)) {
      ++kills;
      ++kills_at.at(static_cast<std::size_t>(KillAt::killed_at()));
      if (seed % 2 == 0) lose_what_was_not_synced(fixture, random);
    }
    fixture.gpu.no_trouble();
    const auto report = fixture.recover();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->complete()) << "seed " << seed;
    ASSERT_EQ(fixture.gpu.state(), before) << "seed " << seed << ", killed at step " << steps;
    EXPECT_EQ(fixture.journal_text(), "");
  }
  for (std::size_t step = 0; step < kills_at.size(); ++step) {
    EXPECT_GT(kills_at[step], 0) << "no process was killed at step type " << step;
    RecordProperty("kills_at_" + std::to_string(step), kills_at[step]);
  }
}

// Starts with a killed lease; then the recovery is killed at each of its steps, until one is not killed.
void kill_next_starts(std::uint64_t seed, const std::function<void(LeaseFixture&, LeaseObserver&)>& start,
                      std::array<int, kLeaseSteps>& kills_at) {
  for (int steps = 0;; ++steps) {
    LeaseFixture fixture;
    Random random(seed);
    arrange(fixture, random);
    const PlainState before = fixture.gpu.state();
    const auto life = static_cast<int>(4 + random.below(16));
    in_child([&] {
      KillAt watch(life);
      live(fixture, random, watch);
    });
    fixture.gpu.no_trouble();
    // In some cases a control cannot be restored at first.
    const Control broken = test::kControls[random.below(3)];
    if (random.below(2) == 0) fixture.gpu.fault(broken, WriteFault::fails);
    const int status = in_child([&] {
      KillAt watch(steps);
      start(fixture, watch);
    });
    if (killed(status)) ++kills_at.at(static_cast<std::size_t>(KillAt::killed_at()));
    if (random.below(2) == 0) lose_what_was_not_synced(fixture, random);
    fixture.gpu.no_trouble();
    const auto report = fixture.recover();
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->complete()) << "seed " << seed;
    ASSERT_EQ(fixture.gpu.state(), before) << "seed " << seed << ", second kill at step " << steps;
    EXPECT_EQ(fixture.journal_text(), "");
    if (!killed(status)) return;
  }
}

TEST(LeaseKill, ARecoveryMayAlsoBeKilled) {
  std::array<int, kLeaseSteps> kills_at{};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    kill_next_starts(
        seed, [](LeaseFixture& fixture, LeaseObserver& watch) { static_cast<void>(fixture.recover(&watch)); },
        kills_at);
  }
  // A recovery makes no new changes, so no kill occurs at a change.
  for (const LeaseStep step :
       {LeaseStep::journal_written, LeaseStep::journal_synced, LeaseStep::restored, LeaseStep::cleared}) {
    EXPECT_GT(kills_at[static_cast<std::size_t>(step)], 0) << static_cast<int>(step);
  }
}

TEST(LeaseKill, ANewLeaseThatStartsWithARecoveryMayAlsoBeKilled) {
  std::array<int, kLeaseSteps> kills_at{};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto start = [seed](LeaseFixture& fixture, LeaseObserver& watch) {
      auto lease = fixture.acquire(&watch);
      Random random(seed);
      if (lease) change_something(fixture, *lease, random);
    };
    kill_next_starts(seed, start, kills_at);
  }
  for (const int kills : kills_at) EXPECT_GT(kills, 0);
}

}  // namespace
}  // namespace ergon::device
