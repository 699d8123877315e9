// Two leases on one device exclude each other.

#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "device/lease/lease_abandoned.h"
#include "device/lease/lease_fixture.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;
using test::LeaseFixture;
using test::SharedDevice;

// Another process that holds a lease until it is killed.
class Holder {
 public:
  explicit Holder(LeaseFixture& fixture) {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      auto lease = fixture.acquire();
      const bool ready = lease && lease->set_power_limit(250_W);
      if (::write(pipe[1], ready ? "y" : "n", 1) == 1) ::pause();
      ::_exit(1);
    }
    ::close(pipe[1]);
    char answer = 'n';
    ready_ = ::read(pipe[0], &answer, 1) == 1 && answer == 'y';
    ::close(pipe[0]);
  }
  ~Holder() { kill(); }

  bool ready() const { return ready_; }
  pid_t pid() const { return pid_; }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
  bool ready_ = false;
};

TEST(LeaseExclusion, WithinAProcess) {
  LeaseFixture fixture;
  auto first = fixture.acquire();
  ASSERT_TRUE(first);
  const auto second = fixture.acquire();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::busy);
  EXPECT_NE(second.error().message.find("leased by process " + std::to_string(::getpid()) + " ("),
            std::string::npos)
      << second.error().message;
  first->release();
  EXPECT_TRUE(fixture.acquire());
}

TEST(LeaseExclusion, AcrossProcesses) {
  LeaseFixture fixture;
  Holder holder(fixture);
  ASSERT_TRUE(holder.ready());
  const auto second = fixture.acquire();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::busy);
  EXPECT_NE(
      second.error().message.find("process " + std::to_string(holder.pid()) + " (device_tests), since 20"),
      std::string::npos)
      << second.error().message;

  // A held lease is not restored.
  const auto report = fixture.recover();
  ASSERT_TRUE(report);
  ASSERT_TRUE(report->held && report->held->holder);
  EXPECT_EQ(report->held->holder->pid, holder.pid());
  EXPECT_FALSE(report->complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 250_W);
  const auto none = abandoned_leases(fixture.store);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());

  holder.kill();
  const auto left = abandoned_leases(fixture.store);
  ASSERT_TRUE(left);
  ASSERT_EQ(left->size(), 1u);
  EXPECT_EQ((*left)[0].uuid, fixture.gpu.identity().uuid);
  EXPECT_EQ((*left)[0].changes.size(), 1u);
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 250_W);

  auto next = fixture.acquire();
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
  ASSERT_TRUE(next->recovered());
  EXPECT_EQ(next->recovered()->restored.size(), 1u);
}

TEST(LeaseExclusion, DoesNotAffectOtherDevices) {
  LeaseFixture fixture;
  SharedDevice other("GPU-5fb1%2F0");  // resembles the file name of the first device, but is another device
  const auto first = fixture.acquire();
  EXPECT_TRUE(first);
  EXPECT_TRUE(Lease::acquire(other, fixture.store, ControlAllowed::by_user()));
}

TEST(LeaseExclusion, WaitsForAShortInspection) {
  LeaseFixture fixture;
  ASSERT_TRUE(fixture.acquire());
  const int looking = ::open(fixture.journal_path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(looking, LOCK_SH | LOCK_NB), 0);
  std::thread looker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::close(looking);
  });
  const auto lease = fixture.acquire();
  looker.join();
  EXPECT_TRUE(lease) << lease.error().message;
}

TEST(LeaseExclusion, InspectionsDoNotDisturb) {
  LeaseFixture fixture;
  if (auto first = fixture.acquire(); !first) FAIL();
  std::atomic<bool> looking = true;
  std::thread looker([&] {
    while (looking) EXPECT_TRUE(abandoned_leases(fixture.store));
  });
  for (int i = 0; i < 100 && looking; ++i) {
    const auto lease = fixture.acquire();
    EXPECT_TRUE(lease) << lease.error().message;
    if (!lease) break;
  }
  looking = false;
  looker.join();
}

TEST(LeaseExclusion, StartedProgramsDoNotInheritTheLease) {
  LeaseFixture fixture;
  const auto journal_is_open_in = [&](pid_t pid) {
    struct stat journal {};
    EXPECT_EQ(::stat(fixture.journal_path().c_str(), &journal), 0);
    for (int fd = 0; fd < 64; ++fd) {
      struct stat file {};
      const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
      if (::stat(link.c_str(), &file) == 0 && file.st_ino == journal.st_ino) return true;
    }
    return false;
  };
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  EXPECT_TRUE(journal_is_open_in(::getpid()));
  pid_t program = -1;
  char name[] = "sleep", seconds[] = "60";
  char* const arguments[] = {name, seconds, nullptr};
  ASSERT_EQ(::posix_spawnp(&program, name, nullptr, nullptr, arguments, environ), 0);
  EXPECT_FALSE(journal_is_open_in(program));
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
}

TEST(LeaseExclusion, AForkedProcessDoesNotUseTheLease) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  ASSERT_TRUE(lease->set_power_limit(250_W));
  const std::string journal = fixture.journal_text();
  fixture.gpu.forget_writes();
  const int status = test::in_child([&] {
    const auto set = lease->set_power_limit(200_W);
    const bool refused = !set && set.error().kind == Errc::permission;
    { const Lease last(std::move(*lease)); }
    ::_exit(refused ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fixture.gpu.writes().empty());
  EXPECT_EQ(fixture.journal_text(), journal);
  EXPECT_FALSE(fixture.acquire());
  EXPECT_TRUE(lease->release().complete());
  EXPECT_EQ(fixture.gpu.now(Control::power_limit).power_limit, 300_W);
}

TEST(LeaseExclusion, ReleaseWorksWhileAForkedProcessRuns) {
  LeaseFixture fixture;
  auto lease = fixture.acquire();
  ASSERT_TRUE(lease);
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  lease->release();
  EXPECT_TRUE(fixture.acquire());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace ergon::device
