// Data goes to standard output, messages to standard error, and bold text only to a color terminal.

#include "streams.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <sstream>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

class StreamsTest : public testing::Test {
 protected:
  void SetUp() override { run("printf 'a,b\\n1,2\\n3,4\\n' > t.csv"); }

  test::ProcessResult run(const std::string& command,
                          const std::map<std::string, std::string>& environment = {}) {
    auto with_path = environment;
    with_path["PATH"] = std::string(ERGON_PROGRAMS) + ":/usr/bin:/bin";
    return test::run_shell(command, folder_.path().string(), with_path);
  }

  test::TemporaryFolder folder_;
};

TEST_F(StreamsTest, SeparateDataAndMessages) {
  const auto ran = run("ergon table convert t.csv");
  EXPECT_EQ(ran.out, "a,b\n1,2\n3,4\n");
  EXPECT_EQ(ran.err, "2 rows\n");
  EXPECT_EQ(run("ergon table convert t.csv --quiet").err, "");
}

TEST_F(StreamsTest, PrintErrorsOnStandardErrorOnly) {
  for (const char* command :
       {"ergon table describe none.csv --json", "ergon tabel", "ergon", "ergon table --json"}) {
    const auto ran = run(command);
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_NE(ran.err, "") << command;
    EXPECT_NE(ran.exit_code, 0) << command;
  }
}

TEST_F(StreamsTest, ReportAFullDiskForSmallOutput) {
  for (const char* command :
       {"ergon table convert t.csv", "ergon table group t.csv --by a", "ergon table describe t.csv",
        "ergon --version", "ergon --help", "ergon table describe t.csv --json"}) {
    const auto ran = run(std::string(command) + " > /dev/full");
    EXPECT_EQ(ran.exit_code, 1) << command;
    EXPECT_EQ(ran.err, "ergon: standard output: no space left on the disk\n") << command;
  }
}

TEST_F(StreamsTest, ReportClosedStreams) {
  for (const char* command :
       {"ergon table describe t.csv >&-", "ergon table describe t.csv --json >&-", "ergon --help <&- >&-"}) {
    const auto ran = run(command);
    EXPECT_EQ(ran.exit_code, 1) << command;
    EXPECT_EQ(ran.err, "ergon: standard output is not open for writing\n") << command;
  }
  EXPECT_EQ(run("timeout 20 ergon table describe - <&-").exit_code, 1);
}

TEST_F(StreamsTest, ReportAFileBeyondTheLimitOfTheShell) {
  const auto ran = run("ulimit -f 1; ergon zoo > zoo.txt");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err, "ergon: standard output: File too large\n");
}

// The exit code is that of the command: its data is complete.
TEST_F(StreamsTest, DiscardMessagesThatCannotBeWritten) {
  for (const char* to : {"2>/dev/full", "2>&-", "<&- 2>&-"}) {
    const auto ran = run(std::string("ergon table convert t.csv ") + to);
    EXPECT_EQ(ran.exit_code, 0) << to;
    EXPECT_EQ(ran.out, "a,b\n1,2\n3,4\n") << to;
    EXPECT_EQ(run(std::string("ergon table describe none.csv ") + to).exit_code, 1) << to;
    EXPECT_EQ(run(std::string("ergon tabel ") + to).exit_code, 2) << to;
  }
  const auto ran =
      run("{ sleep 0.3; ergon table convert t.csv 2>&1 >out.csv; echo $? > code; } | true; cat code out.csv");
  EXPECT_EQ(ran.out, "0\na,b\n1,2\n3,4\n");
}

// A file that is opened first would otherwise get the number of the closed stream.
TEST_F(StreamsTest, DoNotWriteMessagesToFilesIfTheyAreClosed) {
  for (const char* closed : {"2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    run(std::string("ergon table convert t.csv --out u.csv ") + closed);
    EXPECT_EQ(run("cat u.csv; rm u.csv").out, "a,b\n1,2\n3,4\n") << closed;
  }
}

// Replaces a standard stream by the write end of a non-blocking pipe.
class NonBlockingPipe {
 public:
  explicit NonBlockingPipe(int stream) : stream_(stream), before_(::dup(stream)) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    ::dup2(ends[1], stream);
    ::close(ends[1]);
    read_end_ = ends[0];
  }
  NonBlockingPipe(const NonBlockingPipe&) = delete;
  NonBlockingPipe& operator=(const NonBlockingPipe&) = delete;
  ~NonBlockingPipe() {
    restore();
    ::close(read_end_);
  }

  void restore() {
    if (before_ < 0) return;
    ::dup2(before_, stream_);
    ::close(std::exchange(before_, -1));
  }
  // Reads until the end of the pipe.
  std::string read_slowly() const {
    std::string text;
    for (;;) {
      char block[1000];
      const ssize_t got = ::read(read_end_, block, sizeof block);
      if (got == 0) return text;
      if (got > 0) text.append(block, static_cast<std::size_t>(got));
      if (got < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  int stream_, before_, read_end_ = -1;
};

TEST(StandardStreams, WaitForTheReaderOfNonBlockingOutput) {
  NonBlockingPipe pipe(STDOUT_FILENO);
  std::string read, expected;
  std::thread reader([&] { read = pipe.read_slowly(); });
  bool printed = true;
  {
    StandardStreams streams;
    for (int i = 0; i < 50; ++i) {
      const std::string text(5000 + 1000 * (i % 3) + (i == 20 ? 200'000 : 0),
                             static_cast<char>('a' + i % 26));
      printed = printed && streams.out(text);
      expected += text;
    }
    printed = printed && streams.finish();
  }
  pipe.restore();
  reader.join();
  EXPECT_TRUE(printed);
  EXPECT_TRUE(read == expected);
}

TEST(StandardStreams, DiscardMessagesIfNobodyReadsThem) {
  const NonBlockingPipe pipe(STDERR_FILENO);
  StandardStreams streams;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) streams.err(std::string(1000, 'x'));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(StreamsTest, UseBoldTextOnColorTerminalsOnly) {
  EXPECT_EQ(run("ergon table describe t.csv", {{"TERM", "xterm"}}).out.find('\x1b'), std::string::npos);
  if (run("script --version").exit_code != 0) GTEST_SKIP() << "no script(1) to make a terminal";
  const std::string on_terminal = "script -qec 'ergon table describe t.csv --quiet' /dev/null";
  EXPECT_NE(run(on_terminal, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(run(on_terminal, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}).out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(run(on_terminal, {{"TERM", "dumb"}, {"NO_COLOR", ""}}).out.find("\x1b[1m"), std::string::npos);
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

TEST_F(StreamsTest, LimitTablesToTheColumnsVariable) {
  const std::string command = "ergon table describe t.csv --quiet";
  const auto wide = run(command + " --wide", {{"COLUMNS", "40"}});
  const std::size_t full_width = longest_line(wide.out);
  EXPECT_GT(full_width, 40u) << wide.out;
  EXPECT_EQ(wide.out.find("not shown"), std::string::npos) << wide.out;
  const auto narrow = run(command, {{"COLUMNS", "40"}});
  EXPECT_LE(longest_line(narrow.out), 40u) << narrow.out;
  EXPECT_NE(narrow.out.find("(not shown: "), std::string::npos) << narrow.out;
  EXPECT_EQ(run(command, {{"COLUMNS", "1000"}}).out, wide.out);
}

TEST_F(StreamsTest, LimitTablesToEightyColumnsWhenPiped) {
  for (const char* variable : {"80", "", "0", "-5", "many"}) {
    const auto piped = run("ergon zoo --quiet", {{"COLUMNS", variable}});
    EXPECT_LE(longest_line(piped.out), 80u) << variable << "\n" << piped.out;
  }
}

TEST_F(StreamsTest, WrapMessages) {
  const std::string command = "ergon table describe t.csv --separator ''";
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const auto piped = run(command, {{"COLUMNS", "40"}});
  EXPECT_GT(lines(piped.err), 2) << piped.err;
  EXPECT_LE(longest_line(piped.err), 40u) << piped.err;
  // Programs read one message per line.
  EXPECT_EQ(lines(run(command, {{"COLUMNS", "40"}, {"ERGON_PROGRESS", "records"}}).err), 2);
  if (run("script --version").exit_code != 0) GTEST_SKIP() << "no script(1) to make a terminal";
  const auto on_terminal = run("script -qec \"" + command + "\" /dev/null", {{"COLUMNS", "40"}});
  EXPECT_GT(lines(on_terminal.out), 2) << on_terminal.out;
  EXPECT_LE(longest_line(on_terminal.out), 41u) << on_terminal.out;  // the terminal adds a carriage return
}

// The reader is gone before the command writes: no failure, no message, 128 + SIGPIPE as for coreutils and
// git.
TEST_F(StreamsTest, ExitWith141WithoutAMessageIfTheReaderClosesTheOutput) {
  for (const char* command :
       {"ergon zoo", "ergon zoo --json", "ergon --help", "ergon --version", "ergon devices --quiet",
        "ergon table convert t.csv", "ergon table describe t.csv", "ergon table group t.csv --by a --json",
        "ergon inspect resnet18", "ergon simulate scalesim/Resnet18 --quiet",
        "ergon estimate resnet18 --device a30", "ergon predict resnet18 --device a30",
        "ergon roofline scalesim/MobileNet", "ergon allocate scalesim/MobileNet"}) {
    const auto ran = run(std::string("{ sleep 0.3; ") + command + "; echo $? > code; } | true; cat code");
    EXPECT_EQ(ran.out, "141\n") << command;
    EXPECT_EQ(ran.err, "") << command;
  }
}

// The pipe never ends, so only an interrupt ends the command.
TEST_F(StreamsTest, ExitWith130AfterAnInterrupt) {
  // The first signal may arrive before the program handles signals; a second signal ends it without a
  // message.
  const auto ran =
      run("mkfifo pipe; (while :; do echo 1,2; done > pipe 2>/dev/null) & yes=$!; ergon table describe pipe "
          "& pid=$!; "
          "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.5; kill -INT $pid 2>/dev/null || break; done; "
          "wait $pid; code=$?; kill $yes; exit $code");
  EXPECT_NE(ran.err.find("interrupted while reading"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.exit_code, 130);
  EXPECT_EQ(ran.out, "");
}

}  // namespace
}  // namespace ergon::app
