// A lease in ordinary life.

#include "device/lease/lease.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/lease_world.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::LeaseWorld;
using test::Trouble;

const ClockRange kCore{900_MHz, 1.2_GHz};

TEST(Lease, ChangesAndTakesBack) {
  LeaseWorld world;
  const auto before = world.gpu.state();
  auto lease = world.acquire();
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz}));
  EXPECT_EQ(world.gpu.now(Control::power_limit).power_limit, 250_W);
  EXPECT_EQ(world.gpu.now(Control::core_clock).clocks, kCore);
  EXPECT_EQ(world.gpu.now(Control::memory_clock).clocks, (ClockRange{1_GHz, 1_GHz}));
  EXPECT_FALSE(lease->recovered());

  const RestoreReport report = lease->release();
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.restored.size(), 3u);
  EXPECT_EQ(world.gpu.state(), before);
  EXPECT_EQ(world.journal_text(), "");
}

TEST(Lease, TakesBackAtTheEndOfTheObject) {
  LeaseWorld world;
  const auto before = world.gpu.state();
  std::optional<RestoreReport> told;
  {
    auto acquired = world.acquire();
    ASSERT_TRUE(acquired);
    const auto work = [&](Lease lease) -> Result<> {
      lease.on_release([&](const RestoreReport& report) { told = report; });
      EXPECT_TRUE(lease.set_power_limit(250_W));
      return fail(Errc::io, "the work went wrong");
    };
    EXPECT_FALSE(work(std::move(*acquired)));
    EXPECT_EQ(world.gpu.state(), before);
  }
  ASSERT_TRUE(told);
  EXPECT_EQ(told->restored.size(), 1u);
}

TEST(Lease, ReleasesOnce) {
  LeaseWorld world;
  int told = 0;
  {
    auto lease = world.acquire();
    ASSERT_TRUE(lease);
    lease->on_release([&](const RestoreReport&) { ++told; });
    ASSERT_TRUE(lease->set_power_limit(250_W));
    EXPECT_EQ(lease->release().restored.size(), 1u);
    world.gpu.forget_writes();
    EXPECT_EQ(lease->release().restored.size(), 1u);
    EXPECT_TRUE(world.acquire());  // somebody else's turn
    const auto late = lease->set_power_limit(200_W);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind, Errc::cancelled);
    EXPECT_TRUE(lease->requested().empty());
  }
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(world.gpu.writes().empty());
}

TEST(Lease, OnlyTheFirstPreviousValueCounts) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  ASSERT_TRUE(lease->set_power_limit(200_W));
  ASSERT_TRUE(lease->set_power_limit(350_W));
  ASSERT_EQ(lease->requested().size(), 1u);
  const ControlChange change = lease->requested()[0];
  EXPECT_EQ(change.before->power_limit, 300_W);
  EXPECT_EQ(change.requested.power_limit, 350_W);
  EXPECT_EQ(parse_journal(world.journal_text()).changes, lease->requested());
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(world.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, RestoresALockThatItCanSee) {
  LeaseWorld world;
  world.gpu.state()[1] = {0, true, 600e6, 800e6};
  const auto before = world.gpu.state();
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->unlock_clocks(ClockDomain::core));
  EXPECT_FALSE(world.gpu.now(Control::core_clock).clocks);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(world.gpu.state(), before);
}

TEST(Lease, UnlocksClocksOfWhichTheDeviceDoesNotTell) {
  LeaseWorld world;
  world.gpu.hide(Control::core_clock);
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  ASSERT_EQ(lease->requested().size(), 1u);
  EXPECT_FALSE(lease->requested()[0].before);
  EXPECT_EQ(lease->requested()[0].requested.clocks, kCore);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_FALSE(world.gpu.now(Control::core_clock).clocks);
}

TEST(Lease, WhatCannotBeReadIsNotChanged) {
  LeaseWorld world;
  world.gpu.hide(Control::power_limit);
  world.gpu.break_reading(Control::core_clock);
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  const std::string journal = world.journal_text();
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::unsupported);
  EXPECT_EQ(lease->lock_clocks(ClockDomain::core, kCore).error().kind, Errc::io);
  EXPECT_TRUE(world.gpu.writes().empty());
  EXPECT_EQ(world.journal_text(), journal);

  world.gpu.tell_all();
  world.gpu.state()[0].power = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lease->set_power_limit(250_W));
  EXPECT_TRUE(world.gpu.writes().empty());
}

TEST(Lease, WhatCannotBeAValueIsRefused) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  const std::string journal = world.journal_text();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double watts : {nan, -1.0, 0.0, infinite}) {
    EXPECT_EQ(lease->set_power_limit(Watts{watts}).error().kind, Errc::invalid_input) << watts;
  }
  for (const auto& [least, most] :
       {std::pair{nan, 1e9}, {1e9, nan}, {-1.0, 1e9}, {1e9, 9e8}, {0.0, 0.0}, {1e9, infinite}}) {
    EXPECT_EQ(lease->lock_clocks(ClockDomain::core, {Hertz{least}, Hertz{most}}).error().kind,
              Errc::invalid_input)
        << least << " " << most;
  }
  EXPECT_TRUE(world.gpu.writes().empty());
  EXPECT_EQ(world.journal_text(), journal);
}

TEST(Lease, ARefusedChangeIsNoChange) {
  LeaseWorld world;
  for (const Control control : test::kControls) world.gpu.trouble(control, Trouble::refuses);
  world.gpu.hide(Control::core_clock);
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::permission);
  EXPECT_EQ(lease->lock_clocks(ClockDomain::core, kCore).error().kind, Errc::permission);
  EXPECT_TRUE(lease->requested().empty());
  EXPECT_TRUE(parse_journal(world.journal_text()).changes.empty());
  world.gpu.forget_writes();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_TRUE(world.gpu.writes().empty());
}

TEST(Lease, ARefusedFurtherChangeLeavesTheOneBefore) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  world.gpu.trouble(Control::power_limit, Trouble::refuses);
  EXPECT_FALSE(lease->set_power_limit(20_W));
  EXPECT_EQ(lease->requested().at(0).requested.power_limit, 250_W);
  EXPECT_EQ(parse_journal(world.journal_text()).changes, lease->requested());
  world.gpu.no_trouble();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(world.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, AChangeThatFailedAfterItWasMadeIsTakenBack) {
  LeaseWorld world;
  const auto before = world.gpu.state();
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  world.gpu.trouble(Control::power_limit, Trouble::fails_late);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::io);
  world.gpu.no_trouble();
  EXPECT_NE(world.gpu.state(), before);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(world.gpu.state(), before);
}

TEST(Lease, WhatIsAsItWasIsNotWritten) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  world.gpu.trouble(Control::power_limit, Trouble::fails);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::io);
  EXPECT_EQ(lease->requested().size(), 1u);  // it may have happened
  world.gpu.forget_writes();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_TRUE(world.gpu.writes().empty());
}

TEST(Lease, WhatWidensIsAskedOfTheDeviceNotOfTheJournal) {
  LeaseWorld world;
  world.gpu.state()[1] = {0, true, 600e6, 800e6};
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->unlock_clocks(ClockDomain::core));
  ASSERT_TRUE(lease->set_power_limit(200_W));
  world.gpu.trouble(Control::power_limit, Trouble::fails);
  ASSERT_FALSE(lease->set_power_limit(400_W));  // it may be at 400 W or at 200 W: up or down to 300 W
  world.gpu.no_trouble();
  world.gpu.forget_writes();
  ASSERT_TRUE(lease->release().complete());
  ASSERT_EQ(world.gpu.writes().size(), 2u);
  EXPECT_EQ(world.gpu.writes()[0].control, Control::power_limit);
}

TEST(Lease, NeedsADeviceThatCanBeWritten) {
  LeaseWorld world;
  world.gpu.controllable = false;
  EXPECT_EQ(world.acquire().error().kind, Errc::unsupported);
  EXPECT_FALSE(std::filesystem::exists(world.journal_path()));

  test::SharedDevice nameless("");
  EXPECT_EQ(Lease::acquire(nameless, world.place, ControlAllowed::by_user()).error().kind,
            Errc::invalid_input);
}

TEST(Lease, TenThousandChangesMakeNoLongJournal) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  ASSERT_TRUE(lease->set_power_limit(100_W));
  ASSERT_TRUE(lease->unlock_clocks(ClockDomain::core));
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(lease->set_power_limit(Watts{100.0 + i}));
    if (i % 100 == 0) {
      const std::string text = world.journal_text();
      EXPECT_LT(text.size(), 8192u);
      const JournalContent content = parse_journal(text);
      EXPECT_FALSE(content.damage);
      EXPECT_EQ(content.changes, lease->requested());
    }
  }
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(world.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, NothingToRecoverIsNothingDone) {
  LeaseWorld world;
  const auto report = world.recover();
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->complete());
  EXPECT_TRUE(report->restored.empty());
  EXPECT_FALSE(std::filesystem::exists(world.place.folder));

  ASSERT_TRUE(world.acquire());
  const int syncs = test::sync_spy().calls;
  ASSERT_TRUE(world.recover());
  EXPECT_EQ(test::sync_spy().calls, syncs);
}

}  // namespace
}  // namespace ergon::device
