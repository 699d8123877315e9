#include "service/jobs/job_execution.h"

#include <gtest/gtest.h>

#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

class JobExecutionTest : public testing::Test {
 protected:
  // Steps are shell scripts.
  JobExecution run_of(const std::vector<JobStep>& steps) const { return {"/bin/sh", steps, folder_.path()}; }
  static JobStep step(const std::string& script, bool run_after_stop = false) {
    return {{"-c", script}, run_after_stop};
  }
  static int code_of(JobExecution& run) {
    const bool ended = test::eventually([&] {
      run.poll();
      return run.exit_code().has_value();
    });
    return ended ? *run.exit_code() : -1;
  }
  std::string file(const std::string& name) const { return read_file(folder_ / name).value_or("none"); }

  test::TemporaryFolder folder_;
};

TEST_F(JobExecutionTest, TheLastStepWritesTheDocument) {
  JobExecution run = run_of({step("echo one"), step("echo two")});
  EXPECT_FALSE(run.exit_code());
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(file("result.json"), "two\n");
  EXPECT_EQ(file("output.txt"), "one\n");
  EXPECT_EQ(file("result.part"), "none");
  EXPECT_FALSE(run.poll()) << "there is no more";
}

TEST_F(JobExecutionTest, ExitCode3StillHasADocument) {
  JobExecution run = run_of({step("exit 3"), step("echo two; exit 3")});
  EXPECT_EQ(code_of(run), 3);
  EXPECT_EQ(file("result.json"), "two\n");
}

TEST_F(JobExecutionTest, AFailureEndsWithItsMessage) {
  JobExecution run =
      run_of({step("echo early >&2; echo last words >&2; echo >&2; exit 7"), step("echo two")});
  EXPECT_EQ(code_of(run), 7);
  EXPECT_EQ(run.last_message(), "last words");
  EXPECT_EQ(file("result.json"), "none");
}

TEST_F(JobExecutionTest, AFailedStepLeavesNoDocument) {
  JobExecution run = run_of({step("echo half; kill -KILL $$")});
  EXPECT_EQ(code_of(run), 128 + 9);
  EXPECT_EQ(file("result.json"), "none");
}

// The first failure is the cause; later failures follow from it.
TEST_F(JobExecutionTest, ReportsTheFirstFailure) {
  JobExecution run =
      run_of({step("echo the reason >&2; exit 1"), step("echo nothing to evaluate >&2; exit 2", true)});
  EXPECT_EQ(code_of(run), 1);
  EXPECT_EQ(run.last_message(), "the reason");
}

TEST_F(JobExecutionTest, ProgressIsResetBetweenSteps) {
  const std::string wait = "i=0; while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; ";
  const std::string here = "cd " + folder_.path().string() + "; ";
  JobExecution run =
      run_of({step(here + "printf 'progress\\tpoints\\t3\\t10\\tMB\\n' >&2; echo remark >&2; " + wait),
              step(here + "rm go; " + wait)});
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return run.progress().has_value();
  }));
  EXPECT_EQ(*run.progress(), (JobProgress{"points", "MB", 3, 10}));
  ASSERT_TRUE(write_file(folder_ / "go", ""));
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return !run.progress();
  }));
  EXPECT_FALSE(run.exit_code());
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return !std::filesystem::exists(folder_ / "go");
  }));
  ASSERT_TRUE(write_file(folder_ / "go", ""));
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(run.last_message(), "remark");
}

TEST_F(JobExecutionTest, RunsAfterStopStepsAfterAStop) {
  JobExecution run = run_of({step("exec sleep 50"), step("echo never >&2"), step("echo partial", true)});
  run.poll();
  run.stop();
  EXPECT_TRUE(run.stopping());
  EXPECT_EQ(code_of(run), 128 + 2);
  EXPECT_EQ(file("result.json"), "partial\n");
  EXPECT_EQ(file("messages.txt"), "");
}

TEST_F(JobExecutionTest, DoesNotInterruptAfterStopSteps) {
  JobExecution run = run_of({step("true"), step("echo here >&2; sleep 0.5; echo whole", true)});
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return run.last_message() == "here";
  }));
  run.stop();
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(file("result.json"), "whole\n");
}

TEST_F(JobExecutionTest, KillsACommandThatIgnoresTheInterrupt) {
  JobExecution run =
      run_of({step("trap '' INT; echo here >&2; i=0; while [ $i -lt 500 ]; do sleep 0.1; i=$((i+1)); done")});
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return run.last_message() == "here";
  }));
  run.stop();
  run.poll();
  run.kill();
  EXPECT_EQ(code_of(run), 128 + 9);
}

TEST_F(JobExecutionTest, IgnoresMessagesOfAnEarlierRun) {
  ASSERT_TRUE(write_file(folder_ / "messages.txt", "old words\nprogress\told\t1\t2\t\n"));
  JobExecution run = run_of({step("true")});
  EXPECT_EQ(code_of(run), 0);
  EXPECT_EQ(run.last_message(), "");
  EXPECT_EQ(file("messages.txt"), "old words\nprogress\told\t1\t2\t\n");
}

TEST_F(JobExecutionTest, ReportsAMissingFolder) {
  JobExecution run("/bin/true", {step("")}, folder_ / "gone");
  EXPECT_EQ(code_of(run), 1);
  EXPECT_NE(run.last_message().find("gone"), std::string::npos) << run.last_message();
}

TEST_F(JobExecutionTest, KillsACommandThatContinuesAfterAStop) {
  JobLimits limits;
  limits.stop_time = Seconds{0.1};
  JobExecution run(
      "/bin/sh",
      {step("trap '' INT; echo here >&2; i=0; while [ $i -lt 500 ]; do sleep 0.1; i=$((i+1)); done"),
       step("echo partial", true)},
      folder_.path(), limits);
  ASSERT_TRUE(test::eventually([&] {
    run.poll();
    return run.last_message() == "here";
  }));
  run.stop();
  EXPECT_EQ(code_of(run), 128 + 9);
  EXPECT_EQ(run.failed_signal(), 9);
  EXPECT_EQ(file("result.json"), "partial\n");
}

// The evaluation of partial data after a stop, too.
TEST_F(JobExecutionTest, KillsALongEvaluation) {
  JobLimits limits;
  limits.evaluation_time = Seconds{0.1};
  JobExecution run("/bin/sh", {step("exec sleep 50"), step("exec sleep 50", true)}, folder_.path(), limits);
  run.poll();
  run.stop();
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(run), 128 + 2);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(25));
}

TEST_F(JobExecutionTest, ADocumentThatCannotBeStoredIsAFailure) {
  ASSERT_TRUE(std::filesystem::create_directories(folder_ / "result.json/taken"));
  JobExecution run = run_of({step("echo document")});
  EXPECT_EQ(code_of(run), 1);
  EXPECT_NE(run.last_message().find("result.json"), std::string::npos) << run.last_message();
}

// Killed programs leave a line without line end.
TEST_F(JobExecutionTest, ReadsAMessageWithoutLineEnd) {
  JobExecution run = run_of({step("printf 'out of memory' >&2; exit 1")});
  EXPECT_EQ(code_of(run), 1);
  EXPECT_EQ(run.last_message(), "out of memory");
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
