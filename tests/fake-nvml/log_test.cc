// The shared log: no failure of one process affects the others.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "record.h"
#include "shared_log.h"
#include "simulation.h"

namespace ergon::fake_nvml {
namespace {

namespace fs = std::filesystem;

class Log : public testing::Test {
 protected:
  Log() {
    std::string name = (fs::temp_directory_path() / "ergon-log-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~Log() override { fs::remove_all(folder_); }

  SharedLog open(std::uint64_t scenario = 1, bool expires = false) const {
    return SharedLog::open(folder_, scenario, expires).value();
  }
  std::string text() const { return read_file(folder_ / "world.log").value(); }
  void write(const std::string& text) const { std::ofstream(folder_ / "world.log", std::ios::trunc) << text; }
  static void append(SharedLog& log, const std::string& line) {
    auto hold = log.lock_for_writing();
    ASSERT_TRUE(hold);
    ASSERT_TRUE(hold->append(line));
  }

  fs::path folder_;
};

TEST_F(Log, ReadersSeeWhatOthersWrite) {
  SharedLog one = open(), other = open();
  EXPECT_TRUE(one.read().value().restarted);
  append(one, "a\n");
  const auto news = other.read().value();
  EXPECT_TRUE(news.restarted);
  EXPECT_EQ(news.lines, "a\n");
  append(other, "b\nc\n");
  EXPECT_EQ(one.read().value().lines, "b\nc\n");
  EXPECT_EQ(one.read().value().lines, "");
  const std::int64_t earlier = one.read().value().now_ns;
  EXPECT_LE(earlier, other.read().value().now_ns);
}

TEST_F(Log, IgnoresAndTruncatesAnIncompleteLine) {
  SharedLog log = open();
  append(log, "whole\n");
  std::ofstream(folder_ / "world.log", std::ios::app) << "half a li";
  SharedLog other = open();
  EXPECT_EQ(other.read().value().lines, "whole\n");
  append(other, "next\n");
  EXPECT_TRUE(text().ends_with("whole\nnext\n"));
  EXPECT_EQ(log.read().value().lines, "next\n");
}

TEST_F(Log, AnIncompleteHeaderStartsANewSimulation) {
  write("ergon-fake-nvml 1 something");
  SharedLog log = open();
  EXPECT_EQ(log.read().value().lines, "");
  EXPECT_EQ(split(text(), '\n').size(), 2U);
}

TEST_F(Log, AnotherBootStartsANewSimulation) {
  {
    SharedLog log = open();
    append(log, "a\n");
  }
  std::string old = text();
  old.replace(old.find(' ', 16) + 1, 4, "beef");
  write(old);
  EXPECT_EQ(open().read().value().lines, "");
}

TEST_F(Log, AnotherScenarioStartsANewSimulationAndOldReadersFail) {
  SharedLog log = open(1);
  append(log, "a\n");
  SharedLog other = open(2);
  EXPECT_EQ(other.read().value().lines, "");
  const auto news = log.read();
  ASSERT_FALSE(news);
  EXPECT_TRUE(news.error().message.ends_with("another scenario was started in this folder"));
}

TEST_F(Log, ARemovedFileStartsANewSimulation) {
  SharedLog log = open(), other = open();
  append(log, "a\n");
  EXPECT_EQ(other.read().value().lines, "a\n");
  fs::remove_all(folder_);
  append(log, "b\n");
  const auto news = other.read().value();
  EXPECT_TRUE(news.restarted);
  EXPECT_EQ(news.lines, "b\n");
}

TEST_F(Log, AnUnusedSimulationExpires) {
  const auto age = [&](std::chrono::minutes by) {
    fs::last_write_time(folder_ / "world.log", fs::file_time_type::clock::now() - by);
  };
  {
    SharedLog log = open(1, true);
    append(log, "a\n");
  }
  age(std::chrono::minutes(50));
  EXPECT_EQ(open(1, true).read().value().lines, "a\n");
  age(std::chrono::minutes(70));
  EXPECT_EQ(open(1, false).read().value().lines, "a\n");
  age(std::chrono::minutes(70));
  EXPECT_EQ(open(1, true).read().value().lines, "");
}

TEST_F(Log, ManyWritersLoseNothing) {
  constexpr int kWriters = 4, kLines = 200;
  for (int writer = 0; writer < kWriters; ++writer) {
    if (fork() != 0) continue;
    SharedLog log = open();
    for (int i = 0; i < kLines; ++i) append(log, fmt::format("{} {}\n", writer, i));
    _exit(0);
  }
  for (int writer = 0; writer < kWriters; ++writer) ::wait(nullptr);
  const std::string lines = open().read().value().lines;
  std::vector<int> next(kWriters, 0);
  for (const std::string_view line : split(lines, '\n')) {
    if (line.empty()) continue;
    const auto words = split(line, ' ');
    const auto writer = static_cast<std::size_t>(parse_int64(words[0]).value());
    EXPECT_EQ(parse_int64(words[1]), next[writer]++);
  }
  EXPECT_EQ(next, std::vector<int>(kWriters, kLines));
}

// Writers are killed at random times; later readers get complete records in order of time.
TEST_F(Log, WritersMayBeKilled) {
  const Scenario scenario = default_scenario();
  for (int round = 0; round < 25; ++round) {
    const pid_t writer = fork();
    if (writer == 0) {
      auto simulation = Simulation::open(scenario, folder_);
      for (;;) {
        if (!simulation ||
            !simulation->commit({.command = Command::limit, .owner = this_process(), .first = 300'000}))
          _exit(1);
      }
    }
    // After it has written some lines, at a different time in each round.
    const std::uintmax_t grown =
        (fs::exists(folder_ / "world.log") ? fs::file_size(folder_ / "world.log") : 0) + 500;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while ((!fs::exists(folder_ / "world.log") || fs::file_size(folder_ / "world.log") < grown) &&
           std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(317 * round % 1000));
    ::kill(writer, SIGKILL);
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    auto simulation = Simulation::open(scenario, folder_);
    ASSERT_TRUE(simulation) << simulation.error().message;
    ASSERT_TRUE(simulation->commit({.command = Command::persistence, .owner = this_process(), .first = 1}));
  }
  std::int64_t last = 0;
  std::size_t records = 0;
  const std::string lines = open(scenario.digest).read().value().lines;
  for (const std::string_view line : split(lines, '\n')) {
    if (line.empty()) continue;
    const auto record = parse_line(line);
    ASSERT_TRUE(record) << line;
    EXPECT_GE(record->time_ns, last);
    last = record->time_ns;
    ++records;
  }
  EXPECT_GT(records, 100U);
}

TEST_F(Log, ReportsAnInvalidLine) {
  const Scenario scenario = default_scenario();
  auto simulation = Simulation::open(scenario, folder_);
  ASSERT_TRUE(simulation);
  {
    SharedLog log = open(scenario.digest);
    append(log, "nonsense 1 2\n");
  }
  const auto looked = simulation->refresh();
  ASSERT_FALSE(looked);
  EXPECT_TRUE(looked.error().message.ends_with("\"nonsense 1 2\" is not a record")) << looked.error().message;
  EXPECT_FALSE(simulation->refresh());
  EXPECT_TRUE(simulation->restart());
  EXPECT_TRUE(simulation->refresh());
}

TEST(Record, RoundTripsThroughItsLine) {
  Record record{12345678901,
                Command::run,
                3,
                {4711, 99},
                -1,
                0,
                {"resnet50", 64, device::Precision::bf16, graph::Mode::training}};
  const std::string line = to_line(record);
  EXPECT_EQ(line, "run 12345678901 3 4711 99 -1 0 resnet50 64 bf16 training\n");
  const Record back = parse_line(line.substr(0, line.size() - 1)).value();
  EXPECT_EQ(back.time_ns, record.time_ns);
  EXPECT_EQ(back.command, record.command);
  EXPECT_EQ(back.gpu, record.gpu);
  EXPECT_EQ(back.owner, record.owner);
  EXPECT_EQ(back.first, record.first);
  EXPECT_EQ(back.load, record.load);
  for (const char* const wrong : {"", "run 1 2 3 4 5 6", "limit 1 2 3 4 5", "limit -1 2 3 4 5 6",
                                  "limit 1 2 3 4 5 x", "run 1 2 3 4 5 6 resnet50 1 tf16 inference"}) {
    EXPECT_FALSE(parse_line(wrong)) << wrong;
  }
}

TEST(Owner, DiffersFromALaterProcessWithTheSamePid) {
  const Owner self = this_process();
  EXPECT_TRUE(is_alive(self));
  EXPECT_FALSE(is_alive({self.pid, self.began + 1}));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Owner own = this_process();
    _exit(::write(ends[1], &own, sizeof own) == sizeof own ? 0 : 1);
  }
  Owner other;
  ASSERT_EQ(::read(ends[0], &other, sizeof other), static_cast<ssize_t>(sizeof other));
  EXPECT_EQ(other.pid, child);
  // A process that ended stays in /proc as a zombie until it is waited for.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (is_alive(other) && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(is_alive(other));
  EXPECT_TRUE(fs::exists(fmt::format("/proc/{}", child)));
  ::close(ends[0]);
  ::close(ends[1]);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(program_of(self.pid));
  EXPECT_FALSE(program_of(child));
}

}  // namespace
}  // namespace ergon::fake_nvml
