// Leases with failing devices, disks and journals.

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/lease_abandoned.h"
#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

namespace fs = std::filesystem;
using namespace ergon::literals;
using test::in_child;
using test::LeaseFixture;
using test::WriteFault;

// A killed lease that had changed every control.
void leave_everything_changed(LeaseFixture& fixture) {
  const int status = in_child([&] {
    auto lease = fixture.acquire();
    if (!lease || !lease->set_power_limit(250_W) ||
        !lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}) ||
        !lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz})) {
      ::_exit(1);
    }
    ::kill(::getpid(), SIGKILL);
  });
  ASSERT_TRUE(test::killed(status));
}

std::string text_of(const Error& error) { return error.message; }

TEST(LeaseFailure, OneFailingControlDoesNotStopTheOthers) {
  for (const Control broken : test::kControls) {
    LeaseFixture fixture;
    const auto before = fixture.gpu.state();
    auto lease = fixture.acquire();
    ASSERT_TRUE(lease);
    ASSERT_TRUE(lease->set_power_limit(250_W));
    ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}));
    ASSERT_TRUE(lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz}));
    fixture.gpu.fault(broken, WriteFault::fails);
    const RestoreReport report = lease->release();
    EXPECT_FALSE(report.complete());
    ASSERT_EQ(report.failed.size(), 1u);
    EXPECT_EQ(report.failed[0].control, broken);
    EXPECT_EQ(report.failed[0].target, before[static_cast<std::size_t>(broken)].as(broken));
    EXPECT_EQ(report.failed[0].error.kind, Errc::io);
    EXPECT_EQ(report.restored.size(), 2u);
    for (const Control control : test::kControls) {
      const auto i = static_cast<std::size_t>(control);
      EXPECT_EQ(fixture.gpu.state()[i] == before[i], control != broken) << name_of(control);
    }
    // Only the failed control stays in the journal.
    const JournalContent left = parse_journal(fixture.journal_text());
    EXPECT_FALSE(left.damage);
    ASSERT_EQ(left.changes.size(), 1u);
    EXPECT_EQ(left.changes[0].control, broken);

    // The next start retries; until it succeeds, no new lease is granted.
    const auto next = fixture.acquire();
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().kind, Errc::io);
    EXPECT_NE(next.error().message.find(name_of(broken)), std::string::npos) << next.error().message;
    const auto still = fixture.recover();
    ASSERT_TRUE(still);
    EXPECT_EQ(still->failed.size(), 1u);

    fixture.gpu.no_trouble();
    fixture.gpu.forget_writes();
    const auto at_last = fixture.recover();
    ASSERT_TRUE(at_last);
    EXPECT_TRUE(at_last->complete());
    EXPECT_EQ(at_last->restored.size(), 1u);
    EXPECT_EQ(fixture.gpu.writes().size(), 1u);
    EXPECT_EQ(fixture.gpu.state(), before);
    EXPECT_EQ(fixture.journal_text(), "");
  }
}

TEST(LeaseFailure, KeepsTheJournalOfADeviceThatLostItsControls) {
  LeaseFixture fixture;
  leave_everything_changed(fixture);
  fixture.gpu.controllable = false;
  const auto report = fixture.recover();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->failed.size(), 3u);
  EXPECT_EQ(parse_journal(fixture.journal_text()).changes.size(), 3u);
}

TEST(LeaseFailure, RestoresNothingAfterAReboot) {
  for (const bool acquire : {false, true}) {
    LeaseFixture fixture;
    leave_everything_changed(fixture);
    fixture.gpu.forget_writes();
    fixture.store.boot = "boot-2";
    const auto left = abandoned_leases(fixture.store);
    ASSERT_TRUE(left);
    ASSERT_EQ(left->size(), 1u);
    EXPECT_TRUE((*left)[0].another_boot);
    if (acquire) {
      const auto lease = fixture.acquire();
      ASSERT_TRUE(lease);
      ASSERT_TRUE(lease->recovered());
      EXPECT_TRUE(lease->recovered()->another_boot);
    } else {
      const auto report = fixture.recover();
      ASSERT_TRUE(report);
      EXPECT_TRUE(report->another_boot && report->complete());
    }
    EXPECT_TRUE(fixture.gpu.writes().empty());
    EXPECT_EQ(fixture.journal_text(), "");
  }
}

TEST(LeaseFailure, IgnoresAnIncompleteRecord) {
  LeaseFixture fixture;
  leave_everything_changed(fixture);
  const auto changed = fixture.gpu.state();
  const std::string whole = fixture.journal_text();
  const auto last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size < whole.size(); ++size) {
    fixture.gpu.state() = changed;
    fixture.set_journal_text(whole.substr(0, size));
    const auto report = fixture.recover();
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->damaged);
    EXPECT_EQ(report->restored.size(), 2u) << size;
  }
}

TEST(LeaseFailure, AppendsAfterTheLastCompleteRecord) {
  LeaseFixture fixture;
  fixture.set_journal_text("lease 1 GPU-5f");
  {
    const auto lease = fixture.acquire();
    ASSERT_TRUE(lease) << lease.error().message;
    EXPECT_TRUE(parse_journal(fixture.journal_text()).opening);
  }
  leave_everything_changed(fixture);
  fixture.set_journal_text(fixture.journal_text() + "set power_l");
  fixture.gpu.fault(Control::power_limit, WriteFault::fails);
  EXPECT_EQ(fixture.recover().value().restored.size(), 2u);
  const JournalContent left = parse_journal(fixture.journal_text());
  EXPECT_FALSE(left.damage);
  EXPECT_EQ(left.changes.size(), 1u);
}

TEST(LeaseFailure, SavesACopyOfADamagedJournal) {
  LeaseFixture fixture;
  leave_everything_changed(fixture);
  std::string damaged = fixture.journal_text();
  const auto memory = damaged.find("memory_clock");
  damaged[memory] ^= 1;
  fixture.set_journal_text(damaged);

  const auto lease = fixture.acquire();
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().kind, Errc::invalid_input);
  EXPECT_NE(text_of(lease.error()).find("damaged"), std::string::npos) << lease.error().message;
  EXPECT_EQ(fixture.journal_text(), damaged);
  const auto left = abandoned_leases(fixture.store);
  ASSERT_TRUE(left);
  ASSERT_EQ(left->size(), 1u);
  EXPECT_TRUE((*left)[0].damage);
  EXPECT_EQ((*left)[0].changes.size(), 2u);

  // The journal is unchanged while a control cannot be restored.
  fixture.gpu.fault(Control::power_limit, WriteFault::fails);
  EXPECT_EQ(fixture.recover().value().failed.size(), 1u);
  EXPECT_EQ(fixture.journal_text(), damaged);
  fixture.gpu.no_trouble();

  const auto report = fixture.recover();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->restored.size(), 2u);
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
  EXPECT_TRUE(fixture.gpu.now(Control::memory_clock).clocks);  // its record was in the damaged line
  ASSERT_TRUE(report->damaged);
  EXPECT_FALSE(report->complete());
  EXPECT_EQ(read_file(*report->damaged).value_or(""), damaged);
  EXPECT_EQ(fixture.journal_text(), "");

  // A second copy gets another name.
  fixture.set_journal_text("hello\n");
  const auto second = fixture.recover();
  ASSERT_TRUE(second && second->damaged);
  EXPECT_NE(*second->damaged, *report->damaged);
  EXPECT_EQ(read_file(*second->damaged).value_or(""), "hello\n");
  EXPECT_EQ(read_file(*report->damaged).value_or(""), damaged);
  EXPECT_TRUE(fixture.acquire());
}

TEST(LeaseFailure, DoesNotTouchTheJournalOfANewerErgon) {
  LeaseFixture fixture;
  const std::string text = JournalChain().sign("lease 2 GPU-5fb1 whatever");
  fixture.set_journal_text(text);
  EXPECT_EQ(fixture.acquire().error().kind, Errc::unsupported);
  EXPECT_EQ(fixture.recover().error().kind, Errc::unsupported);
  EXPECT_EQ(fixture.journal_text(), text);
}

TEST(LeaseFailure, RejectsTheJournalOfAnotherDevice) {
  LeaseFixture fixture;
  leave_everything_changed(fixture);
  test::SharedDevice other("GPU-other");
  fs::copy_file(fixture.journal_path(), fixture.store.folder / journal_name("GPU-other"));
  EXPECT_EQ(Lease::recover(other, fixture.store, ControlAllowed::by_user()).error().kind,
            Errc::invalid_input);
  EXPECT_TRUE(other.writes().empty());
}

TEST(LeaseFailure, DoesNotChangeTheDeviceWhenTheDiskIsFull) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}));
  const std::string journal = fixture.journal_text();
  const auto before = fixture.gpu.state();

  struct rlimit original {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &original), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t room : {0, 1, 10}) {  // the last two leave an incomplete record
    const struct rlimit full { journal.size() + room, original.rlim_max };
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const auto set = lease->set_power_limit(250_W);
    ::setrlimit(RLIMIT_FSIZE, &original);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().kind, Errc::io);
    EXPECT_EQ(fixture.gpu.state(), before);
    EXPECT_EQ(fixture.journal_text(), journal);
    EXPECT_EQ(lease->requested().size(), 1u);
  }
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_EQ(parse_journal(fixture.journal_text()).changes, lease->requested());

  // Restoring needs no disk space.
  const struct rlimit full { 0, original.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const RestoreReport report = lease->release();
  const auto none = fixture.acquire();
  ::setrlimit(RLIMIT_FSIZE, &original);
  std::signal(SIGXFSZ, old);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(none.error().kind, Errc::io);
  EXPECT_EQ(fixture.journal_text(), "");
}

TEST(LeaseFailure, NeedsAFolderForTheJournal) {
  LeaseFixture fixture;
  { std::ofstream(fixture.folder / "file") << "not a folder"; }
  fixture.store.folder = fixture.folder / "file/state/leases";
  EXPECT_FALSE(fixture.acquire());
  fixture.store.folder = "/proc/ergon/leases";
  EXPECT_FALSE(fixture.acquire());
  EXPECT_TRUE(fixture.gpu.writes().empty());
}

TEST(LeaseFailure, FoldersAndJournalsArePrivate) {
  LeaseFixture fixture;
  ASSERT_TRUE(fixture.acquire());
  const auto mode = [](const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
  };
  EXPECT_EQ(mode(fixture.folder / "state"), 0700U);
  EXPECT_EQ(mode(fixture.store.folder), 0700U);
  EXPECT_EQ(mode(fixture.journal_path()), 0600U);
}

TEST(LeaseFailure, DoesNotFollowLinks) {
  LeaseFixture fixture;
  ASSERT_TRUE(fixture.acquire());
  const fs::path target = fixture.folder / "target";
  { std::ofstream(target) << "precious"; }
  fs::remove(fixture.journal_path());
  fs::create_symlink(target, fixture.journal_path());
  const auto lease = fixture.acquire();
  ASSERT_FALSE(lease);
  EXPECT_NE(text_of(lease.error()).find("link"), std::string::npos) << lease.error().message;
  EXPECT_EQ(read_file(target).value_or(""), "precious");

  fs::remove(fixture.journal_path());
  fs::rename(fixture.store.folder, fixture.folder / "elsewhere");
  fs::create_directory_symlink(fixture.folder / "elsewhere", fixture.store.folder);
  const auto again = fixture.acquire();
  ASSERT_FALSE(again);
  EXPECT_NE(text_of(again.error()).find("link"), std::string::npos) << again.error().message;
}

TEST(LeaseFailure, RejectsFilesWritableByOthers) {
  LeaseFixture fixture;
  leave_everything_changed(fixture);
  fixture.gpu.forget_writes();
  ::chmod(fixture.journal_path().c_str(), 0622);
  EXPECT_EQ(fixture.recover().error().kind, Errc::permission);
  ::chmod(fixture.journal_path().c_str(), 0600);
  ::chmod(fixture.store.folder.c_str(), 0777);
  EXPECT_EQ(fixture.acquire().error().kind, Errc::permission);
  ::chmod(fixture.store.folder.c_str(), 0700);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(fixture.journal_path().c_str(), 12345, static_cast<gid_t>(-1)), 0);
    EXPECT_EQ(fixture.recover().error().kind, Errc::permission);
    ASSERT_EQ(::chown(fixture.journal_path().c_str(), 0, static_cast<gid_t>(-1)), 0);
  }
  EXPECT_TRUE(fixture.gpu.writes().empty());
  EXPECT_EQ(fixture.recover().value().restored.size(), 3u);
}

TEST(LeaseFailure, RejectsAFolderInsteadOfAJournal) {
  LeaseFixture fixture;
  fs::create_directories(fixture.journal_path());
  EXPECT_EQ(fixture.acquire().error().kind, Errc::invalid_input);
}

}  // namespace
}  // namespace ergon::device
