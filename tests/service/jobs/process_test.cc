#include "service/jobs/process.h"

#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/text.h"
#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

using test::eventually;

// A shell command; its output and messages are in files.
class ProcessTest : public testing::Test {
 protected:
  Result<Process> start(const std::string& command) const {
    return Process::start({"/bin/sh", "-c", command}, out_file(), err_file());
  }
  std::filesystem::path out_file() const { return folder_ / "out"; }
  std::filesystem::path err_file() const { return folder_ / "err"; }
  std::string out() const { return read_file(out_file()).value_or("none"); }
  std::string err() const { return read_file(err_file()).value_or("none"); }
  bool printed(const std::string& text) const {
    return eventually([&] { return out().find(text) != std::string::npos; });
  }
  static int code_of(Process& process) {
    if (!eventually([&] { return process.ended().has_value(); })) return -1;
    return *process.ended();
  }
  int code_of(const std::string& command) const {
    auto process = start(command);
    return process ? code_of(*process) : -2;
  }

  test::TemporaryFolder folder_;
};

// True if the process exists and is not a zombie.
bool lives(int pid) {
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return false;
  const auto name_end = stat->rfind(')');
  const char state = stat->at(name_end + 2);
  return state != 'Z' && state != 'X';
}

TEST_F(ProcessTest, ExitCodesAndSignals) {
  EXPECT_EQ(code_of("exit 0"), 0);
  EXPECT_EQ(code_of("exit 3"), 3);
  EXPECT_EQ(code_of("kill -KILL $$"), 128 + SIGKILL);
  EXPECT_EQ(code_of("kill -TERM $$"), 128 + SIGTERM);
}

TEST_F(ProcessTest, RemembersTheSignal) {
  for (const auto& [command, signal] :
       {std::pair{"kill -SEGV $$", std::optional(SIGSEGV)}, {"exit 139", std::nullopt}}) {
    auto process = start(command);
    ASSERT_TRUE(process);
    EXPECT_EQ(code_of(*process), 128 + SIGSEGV);
    EXPECT_EQ(process->signal(), signal) << command;
  }
}

TEST_F(ProcessTest, OtherUsersCannotReadWhatItWrites) {
  const auto file = folder_ / "written";
  EXPECT_EQ(code_of("echo x > " + file.string() + "; mkdir " + file.string() + "s"), 0);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms::owner_read | perms::owner_write);
  EXPECT_EQ(std::filesystem::status(folder_ / "writtens").permissions(), perms::owner_all);
}

TEST_F(ProcessTest, ReportsProgramsThatCannotRun) {
  const std::string name = (folder_ / "nobody").string();
  const auto missing = Process::start({name}, out_file(), err_file());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot start " + name + ": no such file");
  ASSERT_TRUE(write_file(folder_ / "plain", "echo"));
  const auto plain = Process::start({(folder_ / "plain").string()}, out_file(), err_file());
  ASSERT_FALSE(plain);
  EXPECT_EQ(plain.error().kind, Errc::permission) << plain.error().message;
}

// So that the server responds, and that the kernel ends jobs first.
TEST_F(ProcessTest, HasALowerPriorityThanThisProgram) {
  const int own = ::nice(0);
  const auto own_score = parse_int64(trim(read_file("/proc/self/oom_score_adj").value_or("")));
  ASSERT_TRUE(own_score);
  EXPECT_EQ(code_of("ulimit -c; nice; cat /proc/self/oom_score_adj"), 0);
  EXPECT_EQ(out(), fmt::format("0\n{}\n{}\n", std::min(own + 10, 19), std::min(*own_score + 500, 1000L)));
}

TEST_F(ProcessTest, FilesHaveALimit) {
  auto process = Process::start({"/bin/sh", "-c", "exec head -c 100000 /dev/zero"}, out_file(), err_file(),
                                Bytes{50'000});
  ASSERT_TRUE(process);
  EXPECT_EQ(code_of(*process), 128 + SIGXFSZ);
  EXPECT_EQ(out().size(), 50'000u);
}

TEST_F(ProcessTest, OverwritesOutputAndAppendsMessages) {
  EXPECT_EQ(code_of("echo a; echo b >&2"), 0);
  EXPECT_EQ(code_of("echo c; echo d >&2"), 0);
  EXPECT_EQ(out(), "c\n");
  EXPECT_EQ(err(), "b\nd\n");
  for (const auto& file : {out_file(), err_file()}) {
    EXPECT_EQ(std::filesystem::status(file).permissions() & std::filesystem::perms::others_all,
              std::filesystem::perms::none);
  }
}

TEST_F(ProcessTest, StandardInputIsEmpty) { EXPECT_EQ(code_of("cat; exit 4"), 4); }

TEST_F(ProcessTest, ReportsUnwritableFiles) {
  const auto nowhere = folder_ / "no/such/out";
  const auto out_missing = Process::start({"/bin/true"}, nowhere, err_file());
  ASSERT_FALSE(out_missing);
  EXPECT_EQ(out_missing.error().kind, Errc::not_found);
  EXPECT_NE(out_missing.error().message.find(nowhere.string()), std::string::npos);
  EXPECT_FALSE(Process::start({"/bin/true"}, out_file(), nowhere));
}

TEST_F(ProcessTest, InheritsNoFiles) {
  const int theirs = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(theirs, 0);
  const int far = ::fcntl(theirs, F_DUPFD, 77);
  EXPECT_EQ(code_of(fmt::format(
                "test -e /proc/self/fd/0 && test ! -e /proc/self/fd/{} && test ! -e /proc/self/fd/{}", theirs,
                far)),
            0);
  ::close(theirs);
  ::close(far);
}

TEST_F(ProcessTest, ReceivesAnInterrupt) {
  auto process = start("trap 'echo cleaned; exit 9' INT; echo ready; while :; do sleep 0.1; done");
  ASSERT_TRUE(process);
  ASSERT_TRUE(printed("ready"));
  EXPECT_FALSE(process->ended());
  process->interrupt();
  EXPECT_EQ(code_of(*process), 9);
  EXPECT_EQ(out(), "ready\ncleaned\n");
  process->interrupt();  // of nobody
  EXPECT_EQ(process->ended(), 9);
}

// Independent of this process's signal handlers.
TEST_F(ProcessTest, HasDefaultSignalHandlers) {
  sigset_t blocked{}, before{};
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto old_pipe = std::signal(SIGPIPE, SIG_IGN);
  auto process = Process::start({"/bin/sleep", "30"}, out_file(), err_file());
  EXPECT_EQ(code_of("kill -PIPE $$; exit 5"), 128 + SIGPIPE);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::signal(SIGPIPE, old_pipe);
  ASSERT_TRUE(process);
  process->interrupt();
  EXPECT_EQ(code_of(*process), 128 + SIGINT);
}

// Without a shell, which misses interrupts while it starts a command.
TEST_F(ProcessTest, ReceivesAnInterruptRightAfterTheStart) {
  for (int i = 0; i < 20; ++i) {
    auto process = Process::start({"/bin/sleep", "30"}, out_file(), err_file());
    ASSERT_TRUE(process);
    process->interrupt();
    ASSERT_EQ(code_of(*process), 128 + SIGINT) << "try " << i;
  }
}

TEST_F(ProcessTest, KillsTheProcessGroup) {
  int child = 0;
  {
    auto process = start("sleep 50 & echo $!; wait");
    ASSERT_TRUE(process);
    ASSERT_TRUE(printed("\n"));
    child = static_cast<int>(parse_int64(trim(out())).value_or(0));
    ASSERT_GT(child, 0);
    EXPECT_TRUE(lives(child));
  }
  EXPECT_TRUE(eventually([&] { return !lives(child); }));
}

TEST_F(ProcessTest, EndsWithItsObject) {
  for (int i = 0; i < 20; ++i) {
    const auto before = std::chrono::steady_clock::now();
    {
      const auto process = start("exec sleep 20");
      ASSERT_TRUE(process);
    }
    ASSERT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(15)) << "try " << i;
  }
}

TEST_F(ProcessTest, CanBeMoved) {
  auto first = start("exit 6");
  ASSERT_TRUE(first);
  Process second(std::move(*first));
  EXPECT_EQ(code_of(second), 6);
  first->interrupt();
  first->kill();
  EXPECT_FALSE(first->ended());
  const Process third(std::move(second));
}

// As when the server is killed: the supervising thread ends without cleanup.
TEST_F(ProcessTest, IsInterruptedWhenItsThreadEnds) {
  std::optional<Process> process;
  std::thread owner([&] {
    auto started = start("trap 'echo cleaned; exit 8' INT; echo ready; while :; do sleep 0.05; done");
    ASSERT_TRUE(started);
    process.emplace(std::move(*started));
    EXPECT_TRUE(printed("ready"));
  });
  owner.join();
  ASSERT_TRUE(process);
  EXPECT_EQ(code_of(*process), 8);
  EXPECT_EQ(out(), "ready\ncleaned\n");
}

}  // namespace
}  // namespace ergon::service
