#include "service/jobs/job_run.h"

#include <gtest/gtest.h>

#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

class JobRunTest : public testing::Test {
 protected:
  // Steps are scripts of a shell.
  JobRun run_of(const std::vector<JobStep>& steps) const { return {"/bin/sh", steps, folder_.path()}; }
  static JobStep step(const std::string& script, bool even_if_stopped = false) {
    return {{"-c", script}, even_if_stopped};
  }
  static int code_of(JobRun& run) {
    const bool ended = test::eventually([&] {
      run.look();
      return run.exit_code().has_value();
    });
    return ended ? *run.exit_code() : -1;
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name).value_or("none"); }

  test::TemporaryFolder folder_;
};

TEST_F(JobRunTest, TheLastStepMakesTheDocument) {
  JobRun run = run_of({step("echo one"), step("echo two")});
  EXPECT_FALSE(run.exit_code());
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(file("result.json"), "two\n");
  EXPECT_EQ(file("output.txt"), "one\n");
  EXPECT_EQ(file("result.part"), "none");
  EXPECT_FALSE(run.look()) << "there is no more";
}

TEST_F(JobRunTest, AClaimThatDidNotHoldIsStillADocument) {
  JobRun run = run_of({step("exit 3"), step("echo two; exit 3")});
  EXPECT_EQ(code_of(run), 3);
  EXPECT_EQ(file("result.json"), "two\n");
}

TEST_F(JobRunTest, AFailureEndsItWithItsLastWords) {
  JobRun run = run_of({step("echo early >&2; echo last words >&2; echo >&2; exit 7"), step("echo two")});
  EXPECT_EQ(code_of(run), 7);
  EXPECT_EQ(run.last_words(), "last words");
  EXPECT_EQ(file("result.json"), "none");
}

TEST_F(JobRunTest, HalfADocumentIsNone) {
  JobRun run = run_of({step("echo half; kill -KILL $$")});
  EXPECT_EQ(code_of(run), 128 + 9);
  EXPECT_EQ(file("result.json"), "none");
}

// The reason is what failed first; what comes after it only follows.
TEST_F(JobRunTest, TheFirstFailureHasTheLastWord) {
  JobRun run =
      run_of({step("echo the reason >&2; exit 1"), step("echo nothing to evaluate >&2; exit 2", true)});
  EXPECT_EQ(code_of(run), 1);
  EXPECT_EQ(run.last_words(), "the reason");
}

TEST_F(JobRunTest, ProgressIsReadAndForgottenBetweenSteps) {
  const std::string wait = "i=0; while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; ";
  const std::string here = "cd " + folder_.path().string() + "; ";
  JobRun run =
      run_of({step(here + "printf 'progress\\tpoints\\t3\\t10\\tMB\\n' >&2; echo remark >&2; " + wait),
              step(here + "rm go; " + wait)});
  ASSERT_TRUE(test::eventually([&] {
    run.look();
    return run.progress().has_value();
  }));
  EXPECT_EQ(*run.progress(), (JobProgress{"points", "MB", 3, 10}));
  ASSERT_TRUE(write_file(folder_ / "go", ""));
  ASSERT_TRUE(test::eventually([&] {
    run.look();
    return !run.progress();
  }));
  EXPECT_FALSE(run.exit_code());
  ASSERT_TRUE(test::eventually([&] {
    run.look();
    return !std::filesystem::exists(folder_ / "go");
  }));
  ASSERT_TRUE(write_file(folder_ / "go", ""));
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(run.last_words(), "remark");
}

TEST_F(JobRunTest, StoppedOnesDoWhatIsWorthItEvenThen) {
  JobRun run = run_of({step("exec sleep 50"), step("echo never >&2"), step("echo partial", true)});
  run.look();
  run.stop();
  EXPECT_TRUE(run.stopping());
  EXPECT_EQ(code_of(run), 128 + 2);
  EXPECT_EQ(file("result.json"), "partial\n");
  EXPECT_EQ(file("messages.txt"), "");
}

TEST_F(JobRunTest, WhatIsWorthItIsNotInterrupted) {
  JobRun run = run_of({step("true"), step("echo here >&2; sleep 0.5; echo whole", true)});
  ASSERT_TRUE(test::eventually([&] {
    run.look();
    return run.last_words() == "here";
  }));
  run.stop();
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(file("result.json"), "whole\n");
}

TEST_F(JobRunTest, AStubbornOneCanBeKilled) {
  JobRun run =
      run_of({step("trap '' INT; echo here >&2; i=0; while [ $i -lt 500 ]; do sleep 0.1; i=$((i+1)); done")});
  ASSERT_TRUE(test::eventually([&] {
    run.look();
    return run.last_words() == "here";
  }));
  run.stop();
  run.look();
  run.kill();
  EXPECT_EQ(code_of(run), 128 + 9);
}

TEST_F(JobRunTest, AnEarlierRunsWordsAreNotItsOwn) {
  ASSERT_TRUE(write_file(folder_ / "messages.txt", "old words\nprogress\told\t1\t2\t\n"));
  JobRun run = run_of({step("true")});
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(run.last_words(), "");
  EXPECT_EQ(file("messages.txt"), "old words\nprogress\told\t1\t2\t\n");
}

TEST_F(JobRunTest, AFolderThatIsGoneIsAFailureInWords) {
  JobRun run("/bin/true", {step("")}, folder_ / "gone");
  EXPECT_EQ(code_of(run), 1);
  EXPECT_NE(run.last_words().find("gone"), std::string::npos) << run.last_words();
}

// Without the end of its line, as programs that are killed leave them.
TEST_F(JobRunTest, LastWordsNeedNoEndOfLine) {
  JobRun run = run_of({step("printf 'out of memory' >&2; exit 1")});
  EXPECT_EQ(code_of(run), 1);
  EXPECT_EQ(run.last_words(), "out of memory");
}

TEST(JobProgressLines, AreRead) {
  EXPECT_EQ(progress_of("progress\ta b\t3\t10\tMB"), (JobProgress{"a b", "MB", 3, 10}));
  EXPECT_EQ(progress_of("progress\t\t0\t0\t"), (JobProgress{"", "", 0, 0}));
  for (const char* line :
       {"", "progress", "progress\ta\t1\t2", "progress\ta\t-1\t2\t", "progress\ta\tx\t2\t",
        "progress\ta\t1\t2\tb\tc", "Progress\ta\t1\t2\t", " progress\ta\t1\t2\t", "progress\ta\t1.5\t2\t"})
    EXPECT_FALSE(progress_of(line)) << line;
}

}  // namespace
}  // namespace ergon::service
