// What a lease makes of a world that does not do as it is told.

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "device/lease/journal_content.h"
#include "device/lease/lease_abandoned.h"
#include "device/lease/lease_world.h"

namespace ergon::device {
namespace {

namespace fs = std::filesystem;
using namespace ergon::literals;
using test::in_child;
using test::LeaseWorld;
using test::Trouble;

// A lease on everything, killed.
void leave_everything_changed(LeaseWorld& world) {
  const int status = in_child([&] {
    auto lease = world.acquire();
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

TEST(LeaseTrouble, OneControlThatFailsDoesNotStopTheOthers) {
  for (const Control broken : test::kControls) {
    LeaseWorld world;
    const auto before = world.gpu.state();
    auto lease = world.acquire();
    ASSERT_TRUE(lease);
    ASSERT_TRUE(lease->set_power_limit(250_W));
    ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}));
    ASSERT_TRUE(lease->lock_clocks(ClockDomain::memory, {1_GHz, 1_GHz}));
    world.gpu.trouble(broken, Trouble::fails);
    const RestoreReport report = lease->release();
    EXPECT_FALSE(report.complete());
    ASSERT_EQ(report.failed.size(), 1u);
    EXPECT_EQ(report.failed[0].control, broken);
    EXPECT_EQ(report.failed[0].wanted, before[static_cast<std::size_t>(broken)].as(broken));
    EXPECT_EQ(report.failed[0].error.kind, Errc::io);
    EXPECT_EQ(report.restored.size(), 2u);
    for (const Control control : test::kControls) {
      const auto i = static_cast<std::size_t>(control);
      EXPECT_EQ(world.gpu.state()[i] == before[i], control != broken) << name_of(control);
    }
    // The journal keeps it, and only it.
    const JournalContent left = parse_journal(world.journal_text());
    EXPECT_FALSE(left.damage);
    ASSERT_EQ(left.changes.size(), 1u);
    EXPECT_EQ(left.changes[0].control, broken);

    // The next start tries again; nobody gets a lease on a device that is not as it was.
    const auto next = world.acquire();
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().kind, Errc::io);
    EXPECT_NE(next.error().message.find(name_of(broken)), std::string::npos) << next.error().message;
    const auto still = world.recover();
    ASSERT_TRUE(still);
    EXPECT_EQ(still->failed.size(), 1u);

    world.gpu.no_trouble();
    world.gpu.forget_writes();
    const auto at_last = world.recover();
    ASSERT_TRUE(at_last);
    EXPECT_TRUE(at_last->complete());
    EXPECT_EQ(at_last->restored.size(), 1u);
    EXPECT_EQ(world.gpu.writes().size(), 1u);
    EXPECT_EQ(world.gpu.state(), before);
    EXPECT_EQ(world.journal_text(), "");
  }
}

TEST(LeaseTrouble, ADeviceThatLostItsControlsKeepsItsJournal) {
  LeaseWorld world;
  leave_everything_changed(world);
  world.gpu.controllable = false;
  const auto report = world.recover();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->failed.size(), 3u);
  EXPECT_EQ(parse_journal(world.journal_text()).changes.size(), 3u);
}

TEST(LeaseTrouble, AfterAnotherBootThereIsNothingToRestore) {
  for (const bool acquire : {false, true}) {
    LeaseWorld world;
    leave_everything_changed(world);
    world.gpu.forget_writes();
    world.place.boot = "boot-2";
    const auto left = abandoned_leases(world.place);
    ASSERT_TRUE(left);
    ASSERT_EQ(left->size(), 1u);
    EXPECT_TRUE((*left)[0].another_boot);
    if (acquire) {
      const auto lease = world.acquire();
      ASSERT_TRUE(lease);
      ASSERT_TRUE(lease->recovered());
      EXPECT_TRUE(lease->recovered()->another_boot);
    } else {
      const auto report = world.recover();
      ASSERT_TRUE(report);
      EXPECT_TRUE(report->another_boot && report->complete());
    }
    EXPECT_TRUE(world.gpu.writes().empty());
    EXPECT_EQ(world.journal_text(), "");
  }
}

TEST(LeaseTrouble, ARecordThatWasTornOffIsAsNeverWritten) {
  LeaseWorld world;
  leave_everything_changed(world);
  const auto changed = world.gpu.state();
  const std::string whole = world.journal_text();
  const auto last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t size = last; size < whole.size(); ++size) {
    world.gpu.state() = changed;
    world.set_journal_text(whole.substr(0, size));
    const auto report = world.recover();
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->damaged);
    EXPECT_EQ(report->restored.size(), 2u) << size;
  }
}

TEST(LeaseTrouble, WritingGoesOnBehindTheLastWholeRecord) {
  LeaseWorld world;
  world.set_journal_text("lease 1 GPU-5f");
  {
    const auto lease = world.acquire();
    ASSERT_TRUE(lease) << lease.error().message;
    EXPECT_TRUE(parse_journal(world.journal_text()).opening);
  }
  leave_everything_changed(world);
  world.set_journal_text(world.journal_text() + "set power_l");
  world.gpu.trouble(Control::power_limit, Trouble::fails);
  EXPECT_EQ(world.recover().value().restored.size(), 2u);
  const JournalContent left = parse_journal(world.journal_text());
  EXPECT_FALSE(left.damage);
  EXPECT_EQ(left.changes.size(), 1u);
}

TEST(LeaseTrouble, ADamagedJournalIsNotThrownAway) {
  LeaseWorld world;
  leave_everything_changed(world);
  std::string damaged = world.journal_text();
  const auto memory = damaged.find("memory_clock");
  damaged[memory] ^= 1;
  world.set_journal_text(damaged);

  const auto lease = world.acquire();
  ASSERT_FALSE(lease);
  EXPECT_EQ(lease.error().kind, Errc::invalid_input);
  EXPECT_NE(text_of(lease.error()).find("damaged"), std::string::npos) << lease.error().message;
  EXPECT_EQ(world.journal_text(), damaged);
  const auto left = abandoned_leases(world.place);
  ASSERT_TRUE(left);
  ASSERT_EQ(left->size(), 1u);
  EXPECT_TRUE((*left)[0].damage);
  EXPECT_EQ((*left)[0].changes.size(), 2u);

  // While something cannot be restored, it stays as it is.
  world.gpu.trouble(Control::power_limit, Trouble::fails);
  EXPECT_EQ(world.recover().value().failed.size(), 1u);
  EXPECT_EQ(world.journal_text(), damaged);
  world.gpu.no_trouble();

  const auto report = world.recover();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->restored.size(), 2u);
  EXPECT_EQ(world.gpu.now(Control::power_limit).power_limit, 300_W);
  EXPECT_TRUE(world.gpu.now(Control::memory_clock).clocks);  // was in the damaged line
  ASSERT_TRUE(report->damaged);
  EXPECT_FALSE(report->complete());
  EXPECT_EQ(read_file(*report->damaged).value_or(""), damaged);
  EXPECT_EQ(world.journal_text(), "");

  // A second one gets a name of its own.
  world.set_journal_text("hello\n");
  const auto second = world.recover();
  ASSERT_TRUE(second && second->damaged);
  EXPECT_NE(*second->damaged, *report->damaged);
  EXPECT_EQ(read_file(*second->damaged).value_or(""), "hello\n");
  EXPECT_EQ(read_file(*report->damaged).value_or(""), damaged);
  EXPECT_TRUE(world.acquire());
}

TEST(LeaseTrouble, TheJournalOfALaterErgonIsLeftAlone) {
  LeaseWorld world;
  const std::string text = JournalChain().sign("lease 2 GPU-5fb1 whatever");
  world.set_journal_text(text);
  EXPECT_EQ(world.acquire().error().kind, Errc::unsupported);
  EXPECT_EQ(world.recover().error().kind, Errc::unsupported);
  EXPECT_EQ(world.journal_text(), text);
}

TEST(LeaseTrouble, TheJournalOfAnotherDeviceIsNotBelieved) {
  LeaseWorld world;
  leave_everything_changed(world);
  test::SharedDevice other("GPU-other");
  fs::copy_file(world.journal_path(), world.place.folder / journal_name("GPU-other"));
  EXPECT_EQ(Lease::recover(other, world.place, ControlAllowed::by_user()).error().kind, Errc::invalid_input);
  EXPECT_TRUE(other.writes().empty());
}

TEST(LeaseTrouble, AFullDiskLeavesTheDeviceAlone) {
  LeaseWorld world;
  auto lease = world.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->lock_clocks(ClockDomain::core, {900_MHz, 1.2_GHz}));
  const std::string journal = world.journal_text();
  const auto before = world.gpu.state();

  struct rlimit usual {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t room : {0, 1, 10}) {  // the last two tear the record
    const struct rlimit full { journal.size() + room, usual.rlim_max };
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
    const auto set = lease->set_power_limit(250_W);
    ::setrlimit(RLIMIT_FSIZE, &usual);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().kind, Errc::io);
    EXPECT_EQ(world.gpu.state(), before);
    EXPECT_EQ(world.journal_text(), journal);
    EXPECT_EQ(lease->requested().size(), 1u);
  }
  EXPECT_TRUE(lease->set_power_limit(250_W));
  EXPECT_EQ(parse_journal(world.journal_text()).changes, lease->requested());

  // Taking back needs no room.
  const struct rlimit full { 0, usual.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const RestoreReport report = lease->release();
  const auto none = world.acquire();
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, old);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(none.error().kind, Errc::io);
  EXPECT_EQ(world.journal_text(), "");
}

TEST(LeaseTrouble, NoLeaseWithoutAPlaceForItsJournal) {
  LeaseWorld world;
  { std::ofstream(world.folder / "file") << "no folder"; }
  world.place.folder = world.folder / "file/state/leases";
  EXPECT_FALSE(world.acquire());
  world.place.folder = "/proc/ergon/leases";
  EXPECT_FALSE(world.acquire());
  EXPECT_TRUE(world.gpu.writes().empty());
}

TEST(LeaseTrouble, FoldersAndJournalsAreForTheirOwnerOnly) {
  LeaseWorld world;
  ASSERT_TRUE(world.acquire());
  const auto mode = [](const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 0777U;
  };
  EXPECT_EQ(mode(world.folder / "state"), 0700U);
  EXPECT_EQ(mode(world.place.folder), 0700U);
  EXPECT_EQ(mode(world.journal_path()), 0600U);
}

TEST(LeaseTrouble, LinksAreNotFollowed) {
  LeaseWorld world;
  ASSERT_TRUE(world.acquire());
  const fs::path target = world.folder / "target";
  { std::ofstream(target) << "precious"; }
  fs::remove(world.journal_path());
  fs::create_symlink(target, world.journal_path());
  const auto lease = world.acquire();
  ASSERT_FALSE(lease);
  EXPECT_NE(text_of(lease.error()).find("link"), std::string::npos) << lease.error().message;
  EXPECT_EQ(read_file(target).value_or(""), "precious");

  fs::remove(world.journal_path());
  fs::rename(world.place.folder, world.folder / "elsewhere");
  fs::create_directory_symlink(world.folder / "elsewhere", world.place.folder);
  const auto again = world.acquire();
  ASSERT_FALSE(again);
  EXPECT_NE(text_of(again.error()).find("link"), std::string::npos) << again.error().message;
}

TEST(LeaseTrouble, WhatOthersCanWriteIsNotBelieved) {
  LeaseWorld world;
  leave_everything_changed(world);
  world.gpu.forget_writes();
  ::chmod(world.journal_path().c_str(), 0622);
  EXPECT_EQ(world.recover().error().kind, Errc::permission);
  ::chmod(world.journal_path().c_str(), 0600);
  ::chmod(world.place.folder.c_str(), 0777);
  EXPECT_EQ(world.acquire().error().kind, Errc::permission);
  ::chmod(world.place.folder.c_str(), 0700);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(world.journal_path().c_str(), 12345, static_cast<gid_t>(-1)), 0);
    EXPECT_EQ(world.recover().error().kind, Errc::permission);
    ASSERT_EQ(::chown(world.journal_path().c_str(), 0, static_cast<gid_t>(-1)), 0);
  }
  EXPECT_TRUE(world.gpu.writes().empty());
  EXPECT_EQ(world.recover().value().restored.size(), 3u);
}

TEST(LeaseTrouble, AFolderInPlaceOfAJournalIsAnError) {
  LeaseWorld world;
  fs::create_directories(world.journal_path());
  EXPECT_EQ(world.acquire().error().kind, Errc::invalid_input);
}

}  // namespace
}  // namespace ergon::device
