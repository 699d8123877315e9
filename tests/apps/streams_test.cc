// Data goes to standard output, everything else to standard error, and colour only to a terminal that wants
// it.

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

TEST_F(Streams, DataAndRemarksPartWays) {
  const auto ran = run("ergon table convert t.csv");
  EXPECT_EQ(ran.out, "a,b\n1,2\n3,4\n");
  EXPECT_EQ(ran.err, "2 rows\n");
  EXPECT_EQ(run("ergon table convert t.csv --quiet").err, "");
}

TEST_F(Streams, ErrorsLeaveStandardOutputAlone) {
  for (const char* command :
       {"ergon table describe none.csv --json", "ergon tabel", "ergon", "ergon table --json"}) {
    const auto ran = run(command);
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_NE(ran.err, "") << command;
    EXPECT_NE(ran.exit_code, 0) << command;
  }
}

TEST_F(Streams, SmallOutputOnAFullDiskIsAFailureToo) {
  for (const char* command :
       {"ergon table convert t.csv", "ergon table group t.csv --by a", "ergon table describe t.csv",
        "ergon --version", "ergon --help", "ergon table describe t.csv --json"}) {
    const auto ran = run(std::string(command) + " > /dev/full");
    EXPECT_EQ(ran.exit_code, 1) << command;
    EXPECT_EQ(ran.err, "ergon: standard output: no space left on the disk\n") << command;
  }
}

TEST_F(Streams, ClosedStreamsAreErrorsAndNotOtherFiles) {
  EXPECT_EQ(run("ergon table describe t.csv >&-").exit_code, 1);
  EXPECT_EQ(run("timeout 20 ergon table describe - <&-").exit_code, 1);
}

TEST_F(Streams, ColourIsForTerminalsThatWantIt) {
  EXPECT_EQ(run("ergon table describe t.csv", {{"TERM", "xterm"}}).out.find('\x1b'), std::string::npos);
  if (run("script --version").exit_code != 0) GTEST_SKIP() << "no script(1) to make a terminal";
  const std::string on_terminal = "script -qec 'ergon table describe t.csv --quiet' /dev/null";
  EXPECT_NE(run(on_terminal, {{"TERM", "xterm"}, {"NO_COLOR", ""}}).out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(run(on_terminal, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}).out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(run(on_terminal, {{"TERM", "dumb"}, {"NO_COLOR", ""}}).out.find("\x1b[1m"), std::string::npos);
}

// A pipe that never ends: only an interrupt ends the reading of it.
TEST_F(Streams, AnInterruptEndsLongWorkWith130) {
  // On a busy machine the first signal may come before the program listens; a second one ends it without a
  // word.
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
