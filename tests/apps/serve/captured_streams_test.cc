// A command that runs inside another program: its output is stored in memory, and its error is available.

#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/errc.h"
#include "command_line.h"
#include "shell.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

Command command_that(const std::string& name, Action action) {
  Command command;
  command.name = name;
  command.summary = "does " + name;
  command.declare = [action = std::move(action)](Options&) { return action; };
  return command;
}

// Small commands for tests.
std::vector<Command> small_commands() {
  return {
      command_that("greet",
                   [](Shell& shell) -> Result<int> {
                     shell.note("a note");
                     const auto progress = shell.progress({"work", 2});
                     progress->advance(2);
                     if (auto printed = shell.print_document("greeting/1", {}, {{"text", "hello"}}); !printed)
                       return printed.error();
                     return kExitDone;
                   }),
      command_that("print",
                   [](Shell& shell) -> Result<int> {
                     if (auto printed = shell.print("some text\n"); !printed) return printed.error();
                     return kExitDone;
                   }),
      command_that("fail",
                   [](Shell&) -> Result<int> { return fail(Errc::not_found, "there is no such thing"); })};
}

struct CapturedRun {
  CapturedStreams streams;
  ManualClock clock;
  std::stop_source stop;
  std::vector<Command> commands = small_commands();
  std::unique_ptr<Shell> shell;

  int run(const std::vector<std::string>& words) {
    shell = std::make_unique<Shell>(std::vector<std::string>{"ergon"}, clock, stop.get_token(), streams);
    return run_command_line(words, commands, *shell);
  }
};

TEST(CapturedStreams, StoreDataAndMessagesSeparately) {
  CapturedStreams streams;
  EXPECT_TRUE(streams.out("a"));
  EXPECT_TRUE(streams.out(std::string_view("b\0c", 3)));
  streams.err("oops");
  streams.err("!");
  EXPECT_TRUE(streams.flush());
  EXPECT_EQ(streams.data(), std::string("ab\0c", 4));
  EXPECT_EQ(streams.messages(), "oops!");
  EXPECT_FALSE(streams.color());
  EXPECT_EQ(streams.progress_style(), ProgressStyle::silent);
  EXPECT_EQ(streams.columns(), 80u);
  EXPECT_FALSE(streams.message_columns());
}

TEST(CapturedStreams, StoreOneDocumentAndNoProgress) {
  CapturedRun captured;
  EXPECT_EQ(captured.run({"--json", "--quiet", "greet"}), kExitDone);
  const auto document = nlohmann::json::parse(captured.streams.data(), nullptr, false);
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["schema"], "greeting/1");
  EXPECT_EQ(document["text"], "hello");
  EXPECT_EQ(captured.streams.messages(), "");
  EXPECT_FALSE(captured.shell->failure());
}

TEST(CapturedStreams, StoreNotesWithoutTheQuietOption) {
  CapturedRun captured;
  EXPECT_EQ(captured.run({"--json", "greet"}), kExitDone);
  EXPECT_EQ(captured.streams.messages(), "a note\n");
}

TEST(CapturedStreams, ReportTheKindOfAFailure) {
  CapturedRun captured;
  EXPECT_EQ(captured.run({"fail"}), kExitFailed);
  ASSERT_TRUE(captured.shell->failure());
  EXPECT_EQ(captured.shell->failure()->kind, Errc::not_found);
  EXPECT_EQ(captured.streams.messages(), "ergon: there is no such thing\n");
  EXPECT_EQ(captured.streams.data(), "");
  CapturedRun wrong;
  EXPECT_EQ(wrong.run({"greet", "--loud"}), kExitUsage);
  EXPECT_NE(wrong.streams.messages().find("--loud"), std::string::npos);
}

TEST(CapturedStreams, ReportAStopRequestAsCancelled) {
  CapturedRun captured;
  captured.stop.request_stop();
  EXPECT_EQ(captured.run({"--json", "greet"}), kExitInterrupted);
  ASSERT_TRUE(captured.shell->failure());
  EXPECT_EQ(captured.shell->failure()->kind, Errc::cancelled);
}

TEST(CapturedStreams, AreIndependentAcrossThreads) {
  std::vector<std::jthread> all;
  for (int i = 0; i < 8; ++i) {
    all.emplace_back([] {
      for (int j = 0; j < 20; ++j) {
        CapturedRun captured;
        EXPECT_EQ(captured.run({"--json", "--quiet", "greet"}), kExitDone);
        EXPECT_TRUE(nlohmann::json::accept(captured.streams.data()));
      }
    });
  }
}

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    CapturedRun probe;
    probe.run({"greet", "--html=" + (folder_ / "probe").string()});
    if (probe.streams.messages().find("without web pages") != std::string::npos)
      GTEST_SKIP() << "built without web pages";
  }
  std::string page() const { return (folder_ / "page.html").string(); }
  std::string text() const { return read_file(page()).value_or("none"); }

  test::TemporaryFolder folder_;
};

TEST_F(HtmlReport, IsWrittenInsteadOfText) {
  CapturedRun captured;
  EXPECT_EQ(captured.run({"greet", "--html", page()}), kExitDone);
  EXPECT_EQ(captured.streams.data(), "wrote " + page() + "\n");
  EXPECT_NE(text().find("\"hello\""), std::string::npos);
  EXPECT_TRUE(captured.shell->html_requested());
}

TEST_F(HtmlReport, FailsForACommandWithoutADocument) {
  CapturedRun captured;
  EXPECT_NE(captured.run({"print", "--html", page()}), kExitDone);
  EXPECT_NE(captured.streams.messages().find("no HTML report"), std::string::npos)
      << captured.streams.messages();
  EXPECT_EQ(text(), "none");
}

TEST_F(HtmlReport, IsNotWrittenIfTheCommandFails) {
  CapturedRun captured;
  EXPECT_EQ(captured.run({"fail", "--html", page()}), kExitFailed);
  EXPECT_EQ(captured.streams.messages(), "ergon: there is no such thing\n");
  EXPECT_EQ(text(), "none");
}

}  // namespace
}  // namespace ergon::app
