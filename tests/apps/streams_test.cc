// Data goes to standard output, messages to standard error, and bold text only to a color terminal.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

class Streams : public testing::Test {
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

TEST_F(Streams, SeparateDataAndMessages) {
  const auto ran = run("ergon table convert t.csv");
  EXPECT_EQ(ran.out, "a,b\n1,2\n3,4\n");
  EXPECT_EQ(ran.err, "2 rows\n");
  EXPECT_EQ(run("ergon table convert t.csv --quiet").err, "");
}

TEST_F(Streams, PrintErrorsOnStandardErrorOnly) {
  for (const char* command :
       {"ergon table describe none.csv --json", "ergon tabel", "ergon", "ergon table --json"}) {
    const auto ran = run(command);
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_NE(ran.err, "") << command;
    EXPECT_NE(ran.exit_code, 0) << command;
  }
}

TEST_F(Streams, ReportAFullDiskForSmallOutput) {
  for (const char* command :
       {"ergon table convert t.csv", "ergon table group t.csv --by a", "ergon table describe t.csv",
        "ergon --version", "ergon --help", "ergon table describe t.csv --json"}) {
    const auto ran = run(std::string(command) + " > /dev/full");
    EXPECT_EQ(ran.exit_code, 1) << command;
    EXPECT_EQ(ran.err, "ergon: standard output: no space left on the disk\n") << command;
  }
}

TEST_F(Streams, ReportClosedStreams) {
  EXPECT_EQ(run("ergon table describe t.csv >&-").exit_code, 1);
  EXPECT_EQ(run("timeout 20 ergon table describe - <&-").exit_code, 1);
}

TEST_F(Streams, UseBoldTextOnColorTerminalsOnly) {
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

TEST_F(Streams, LimitTablesToTheColumnsVariable) {
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

TEST_F(Streams, LimitTablesToEightyColumnsWhenPiped) {
  for (const char* variable : {"80", "", "0", "-5", "many"}) {
    const auto piped = run("ergon zoo --quiet", {{"COLUMNS", variable}});
    EXPECT_LE(longest_line(piped.out), 80u) << variable << "\n" << piped.out;
  }
}

TEST_F(Streams, WrapMessages) {
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
TEST_F(Streams, ExitWith141WithoutAMessageIfTheReaderClosesTheOutput) {
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
TEST_F(Streams, ExitWith130AfterAnInterrupt) {
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
