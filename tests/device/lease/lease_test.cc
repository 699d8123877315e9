// Leases without failures.

#include "device/lease/lease.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::LeaseFixture;
using test::WriteFault;

const ClockRange kCore{900_MHz, 1.2_GHz};

TEST(Lease, ChangesAndRestores) {
  LeaseFixture fixture;
  const auto before = fixture.gpu.state();
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz}));
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 250_W);
  EXPECT_EQ(fixture.gpu.now(Control::core_clock).clocks, kCore);
  EXPECT_EQ(fixture.gpu.now(Control::memory_clock).clocks, (ClockRange{1_GHz, 1_GHz}));
  EXPECT_FALSE(lease->recovered());

  const RestoreReport report = lease->release();
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.restored.size(), 3u);
  EXPECT_EQ(fixture.gpu.state(), before);
  EXPECT_EQ(fixture.journal_text(), "");
}

TEST(Lease, RestoresInTheDestructor) {
  LeaseFixture fixture;
  const auto before = fixture.gpu.state();
  auto acquired = fixture.acquire();
  ASSERT_TRUE(acquired);
  const auto work = [&](Lease lease) -> Result<> {
    EXPECT_TRUE(lease.set_power_limit(250_W));
    EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 250_W);
    return fail(Errc::io, "the work went wrong");
  };
  EXPECT_FALSE(work(std::move(*acquired)));
  EXPECT_EQ(fixture.gpu.state(), before);
  EXPECT_EQ(fixture.gpu.writes().size(), 2u);
  EXPECT_EQ(fixture.journal_text(), "");
}

TEST(Lease, ReleasesOnce) {
  LeaseFixture fixture;
  {
    auto lease = fixture.acquire();
    ASSERT_TRUE(lease);
    ASSERT_TRUE(lease->set_power_limit(250_W));
    EXPECT_EQ(lease->release().restored.size(), 1u);
    fixture.gpu.forget_writes();
    EXPECT_EQ(lease->release().restored.size(), 1u);
    EXPECT_TRUE(fixture.acquire());  // another lease can be acquired
    const auto late = lease->set_power_limit(200_W);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind, Errc::cancelled);
    EXPECT_TRUE(lease->requested().empty());
  }
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(Lease, RestoresTheValueBeforeTheFirstChange) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  ASSERT_TRUE(lease->set_power_limit(200_W));
  ASSERT_TRUE(lease->set_power_limit(350_W));
  ASSERT_EQ(lease->requested().size(), 1u);
  const ControlChange change = lease->requested()[0];
  EXPECT_EQ(change.before->power_limit, 300_W);
  EXPECT_EQ(change.requested.power_limit, 350_W);
  EXPECT_EQ(parse_journal(fixture.journal_text()).changes, lease->requested());
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, RestoresALockThatCanBeRead) {
  LeaseFixture fixture;
  fixture.gpu.state()[1] = {0, true, 600e6, 800e6};
  const auto before = fixture.gpu.state();
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  EXPECT_EQ(fixture.gpu.now(Control::core_clock).clocks, kCore);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.state(), before);
}

TEST(Lease, UnlocksClocksThatCannotBeRead) {
  LeaseFixture fixture;
  fixture.gpu.hide(Control::core_clock);
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  ASSERT_EQ(lease->requested().size(), 1u);
  EXPECT_FALSE(lease->requested()[0].before);
  EXPECT_EQ(lease->requested()[0].requested.clocks, kCore);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_FALSE(fixture.gpu.now(Control::core_clock).clocks);
}

TEST(Lease, DoesNotChangeAControlThatCannotBeRead) {
  LeaseFixture fixture;
  fixture.gpu.hide(Control::power_limit);
  fixture.gpu.break_reading(Control::core_clock);
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  const std::string journal = fixture.journal_text();
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::unsupported);
  EXPECT_EQ(lease->lock_clocks(ClockDomain::core, kCore).error().kind, Errc::io);
  EXPECT_TRUE(fixture.gpu.writes().empty());
  EXPECT_EQ(fixture.journal_text(), journal);

  fixture.gpu.tell_all();
  fixture.gpu.state()[0].power = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(lease->set_power_limit(250_W));
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(Lease, RejectsInvalidValues) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  const std::string journal = fixture.journal_text();
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
  EXPECT_TRUE(fixture.gpu.writes().empty());
  EXPECT_EQ(fixture.journal_text(), journal);
}

TEST(Lease, ARejectedChangeIsNotRecorded) {
  LeaseFixture fixture;
  for (const Control control : test::kControls) fixture.gpu.fault(control, WriteFault::refuses);
  fixture.gpu.hide(Control::core_clock);
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::permission);
  EXPECT_EQ(lease->lock_clocks(ClockDomain::core, kCore).error().kind, Errc::permission);
  EXPECT_TRUE(lease->requested().empty());
  EXPECT_TRUE(parse_journal(fixture.journal_text()).changes.empty());
  fixture.gpu.forget_writes();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(Lease, ARejectedLaterChangeKeepsTheEarlierOne) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  fixture.gpu.fault(Control::power_limit, WriteFault::refuses);
  EXPECT_FALSE(lease->set_power_limit(20_W));
  EXPECT_EQ(lease->requested().at(0).requested.power_limit, 250_W);
  EXPECT_EQ(parse_journal(fixture.journal_text()).changes, lease->requested());
  fixture.gpu.no_trouble();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, RestoresAChangeThatFailedAfterItTookEffect) {
  LeaseFixture fixture;
  const auto before = fixture.gpu.state();
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  fixture.gpu.fault(Control::power_limit, WriteFault::fails_late);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::io);
  fixture.gpu.no_trouble();
  EXPECT_NE(fixture.gpu.state(), before);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.state(), before);
}

TEST(Lease, DoesNotWriteUnchangedControls) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  fixture.gpu.fault(Control::power_limit, WriteFault::fails);
  EXPECT_EQ(lease->set_power_limit(250_W).error().kind, Errc::io);
  EXPECT_EQ(lease->requested().size(), 1u);  // the change may have taken effect
  fixture.gpu.forget_writes();
  EXPECT_TRUE(lease->release().complete());
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(Lease, TheCurrentValueOfTheDeviceDecidesWhatWidens) {
  LeaseFixture fixture;
  fixture.gpu.state()[1] = {0, true, 600e6, 800e6};
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {500_MHz, 900_MHz}));
  ASSERT_TRUE(lease->set_power_limit(200_W));
  fixture.gpu.fault(Control::power_limit, WriteFault::fails);
  ASSERT_FALSE(lease->set_power_limit(400_W));  // it may be at 400 W or at 200 W: up or down to 300 W
  fixture.gpu.no_trouble();
  fixture.gpu.forget_writes();
  ASSERT_TRUE(lease->release().complete());
  ASSERT_EQ(fixture.gpu.writes().size(), 2u);
  EXPECT_EQ(fixture.gpu.writes()[0].control, Control::power_limit);
}

TEST(Lease, NeedsADeviceWithControls) {
  LeaseFixture fixture;
  fixture.gpu.controllable = false;
  EXPECT_EQ(fixture.acquire().error().kind, Errc::unsupported);
  EXPECT_FALSE(std::filesystem::exists(fixture.journal_path()));

  test::SharedDevice nameless("");
  EXPECT_EQ(Lease::acquire(nameless, fixture.store, ControlAllowed::by_user()).error().kind,
            Errc::invalid_input);
}

TEST(Lease, TenThousandChangesKeepTheJournalShort) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, kCore));
  ASSERT_TRUE(lease->set_power_limit(100_W));
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {500_MHz, 900_MHz}));
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(lease->set_power_limit(Watts{100.0 + i}));
    if (i % 100 == 0) {
      const std::string text = fixture.journal_text();
      EXPECT_LT(text.size(), 8192u);
      const JournalContent content = parse_journal(text);
      EXPECT_FALSE(content.damage);
      EXPECT_EQ(content.changes, lease->requested());
    }
  }
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(Lease, RecoverDoesNothingWithoutAbandonedLeases) {
  LeaseFixture fixture;
  const auto report = fixture.recover();
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->complete());
  EXPECT_TRUE(report->restored.empty());
  EXPECT_FALSE(std::filesystem::exists(fixture.store.folder));

  ASSERT_TRUE(fixture.acquire());
  const int syncs = test::sync_spy().calls;
  ASSERT_TRUE(fixture.recover());
  EXPECT_EQ(test::sync_spy().calls, syncs);
}

}  // namespace
}  // namespace ergon::device
