// The journal is on disk before the device is changed. Killing a process cannot test that, because the kernel
// keeps its writes. This program therefore replaces fdatasync() and fsync(), and records what a power loss
// would leave.

#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/lease_fixture.h"
#include "device/lease/sync_spy.h"

namespace ergon::test {

SyncSpy& sync_spy() {
  static SyncSpy* const shared =
      new (::mmap(nullptr, sizeof(SyncSpy), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          SyncSpy;
  return *shared;
}

}  // namespace ergon::test

extern "C" int fdatasync(int fd) {
  auto& spy = ergon::test::sync_spy();
  ++spy.calls;
  if (spy.error != 0) {
    errno = spy.error;
    return -1;
  }
  const ssize_t size = ::pread(fd, spy.content.data(), spy.content.size(), 0);
  spy.size = size > 0 ? static_cast<std::size_t>(size) : 0;
  return 0;
}

extern "C" int fsync(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) ++ergon::test::sync_spy().folders;
  return 0;
}

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::LeaseFixture;
using test::sync_spy;

TEST(LeaseSync, SyncsThePreviousValueBeforeTheDeviceIsChanged) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  const auto original = fixture.gpu.state();
  int writes = 0;
  fixture.gpu.before_write = [&](Control control) {
    ++writes;
    const JournalContent durable = parse_journal(sync_spy().durable());
    const ControlChange* change = durable.change_of(control);
    ASSERT_NE(change, nullptr) << name_of(control);
    EXPECT_EQ(change->before, original[static_cast<std::size_t>(control)].as(control));
  };
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}));
  EXPECT_TRUE(lease->set_power_limit(200_W));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz}));
  EXPECT_TRUE(lease->lock_clocks(ClockDomain::core, {600_MHz, 900_MHz}));
  EXPECT_EQ(writes, 5);
  EXPECT_TRUE(lease->release().complete());
  EXPECT_GE(writes, 7);
  EXPECT_EQ(sync_spy().durable(), "");
}

TEST(LeaseSync, SyncsTheRequestedValue) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  ASSERT_TRUE(lease->set_power_limit(200_W));
  EXPECT_EQ(parse_journal(sync_spy().durable()).changes, lease->requested());
}

TEST(LeaseSync, SyncsNewFoldersAndTheNewJournal) {
  LeaseFixture fixture;
  ASSERT_TRUE(fixture.acquire());
  EXPECT_EQ(sync_spy().folders, 3);  // the parents of state/, leases/ and the journal
}

TEST(LeaseSync, DoesNotChangeTheDeviceWhenTheDiskFails) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  const std::string journal = fixture.journal_text();
  sync_spy().error = EIO;
  const auto set = lease->set_power_limit(250_W);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().kind, Errc::io);
  EXPECT_TRUE(fixture.gpu.writes().empty());
  EXPECT_TRUE(lease->requested().empty());
  EXPECT_EQ(fixture.journal_text(), journal);

  sync_spy().error = 0;
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_EQ(parse_journal(fixture.journal_text()).changes, lease->requested());
}

TEST(LeaseSync, GrantsNoLeaseWhenTheDiskFails) {
  LeaseFixture fixture;
  sync_spy().error = EIO;
  const auto lease = fixture.acquire();
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().kind, Errc::io);
  sync_spy().error = 0;
  EXPECT_TRUE(fixture.acquire());
}

TEST(LeaseSync, ReportsAJournalThatCannotBeCleared) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  sync_spy().error = EIO;
  const RestoreReport report = lease->release();
  sync_spy().error = 0;
  EXPECT_TRUE(report.journal);
  EXPECT_FALSE(report.complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

}  // namespace
}  // namespace ergon::device
