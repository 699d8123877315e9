// Jobs that exceed limits, and why jobs fail. Timeouts are long, because the machine may be busy.
#include "service/jobs/jobs_fixture.h"

namespace ergon::service {
namespace {

class JobsLimitsTest : public test::JobsFixture {
 protected:
  std::string message_of_failure(const std::string& word) {
    const Job failed = ended(reproducing(word));
    EXPECT_EQ(failed.state, JobState::failed) << word;
    EXPECT_EQ(kept(failed.id)["message"], failed.message) << word;
    return failed.message;
  }
  static bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(JobsLimitsTest, FailuresHaveAReason) {
  EXPECT_EQ(message_of_failure("mute"), "ended with exit code 7 and without a message");
  EXPECT_EQ(message_of_failure("usage"), "ergon: --x is wrong");
  EXPECT_EQ(message_of_failure("crash"),
            "killed by SIGSEGV (invalid memory access); last message: ergon: half done");
  EXPECT_EQ(message_of_failure("kill"), "killed by SIGKILL, probably because the machine ran out of memory");
}

TEST_F(JobsLimitsTest, TheMemoryIsLimited) {
  JobLimits limits;
  limits.memory = Bytes{20e6};
  reopen(limits);
  const std::string message = message_of_failure("hog");
  EXPECT_TRUE(message.starts_with("stopped: used ")) << message;
  EXPECT_TRUE(contains(message, "of memory, more than 19.07 MiB")) << message;
  EXPECT_TRUE(contains(message, "--job-memory")) << message;
  const std::string heirs = message_of_failure("heirs");
  EXPECT_TRUE(contains(heirs, "--job-memory")) << heirs;
  EXPECT_EQ(ended(reproducing("quick")).state, JobState::done);
}

TEST_F(JobsLimitsTest, TheDurationIsLimited) {
  JobLimits limits;
  limits.time = Seconds{0.2};
  reopen(limits);
  const std::string message = message_of_failure("slow");
  EXPECT_EQ(message, "stopped: ran for more than 200 ms; start a smaller job, or raise --job-time");
}

TEST_F(JobsLimitsTest, TheDiskIsLimited) {
  JobLimits limits;
  limits.disk = Bytes{2e6};
  reopen(limits);
  const std::string message = message_of_failure("chatter");
  EXPECT_TRUE(contains(message, "MiB, more than 1.907 MiB")) << message;
  EXPECT_TRUE(contains(message, "--job-disk")) << message;
}

// It writes faster than the server looks.
TEST_F(JobsLimitsTest, FilesAreLimited) {
  JobLimits limits;
  limits.disk = Bytes{2e6};
  reopen(limits);
  const std::string id = reproducing("flood");
  EXPECT_TRUE(contains(ended(id).message, "--job-disk")) << job(id).message;
  EXPECT_LE(folder_size(of(id)), Bytes{30e6});
}

TEST_F(JobsLimitsTest, AStoppedSweepIsEvaluatedAndResumable) {
  JobLimits limits;
  limits.time = Seconds{0.5};
  reopen(limits);
  const std::string id = sweeping();
  const Job failed = ended(id);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_TRUE(contains(failed.message, "--job-time")) << failed.message;
  EXPECT_TRUE(failed.resumable);
  reopen();
  ASSERT_TRUE(jobs_->resume(id));
  const Job done = ended(id);
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_EQ(done.message, "");
}

TEST_F(JobsLimitsTest, AJobThatIgnoresTheInterruptIsKilled) {
  JobLimits limits;
  limits.stop_time = Seconds{0.1};
  reopen(limits);
  const std::string id = reproducing("stubborn");
  ASSERT_TRUE(in_progress(id));
  ASSERT_TRUE(jobs_->cancel(id));
  const Job cancelled = ended(id);
  EXPECT_EQ(cancelled.state, JobState::cancelled);
  EXPECT_EQ(cancelled.exit_code, 128 + 9);
  EXPECT_EQ(cancelled.message, "");
}

TEST_F(JobsLimitsTest, TheResultsFolderHasAQuota) {
  JobLimits limits;
  limits.results = Bytes{1e6};
  limits.running = 1;
  reopen(limits);
  const std::string slow = reproducing("slow");
  const std::string waits = queued("quick");
  ASSERT_TRUE(in_progress(slow));
  ASSERT_TRUE(write_file(folder_ / "other.txt", std::string(2'000'000, ' '))) << "is not a document";
  ASSERT_TRUE(write_file(folder_ / "large.json", std::string(2'000'000, ' ')));
  const Job failed = ended(slow);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_TRUE(failed.message.starts_with("stopped: the results folder has 1.9")) << failed.message;
  EXPECT_TRUE(contains(failed.message, "more than its quota of 976.6 KiB; delete jobs or documents"))
      << failed.message;
  EXPECT_EQ(job(waits).state, JobState::queued);
  ASSERT_TRUE(
      test::eventually([&] { return contains(job(waits).message, "waits: the results folder has"); }));
  const std::string refusal = refused(jobs_->start("reproduce", {{"paper", "quick"}}), Errc::out_of_memory);
  EXPECT_TRUE(contains(refusal, "--results-quota")) << refusal;
  std::filesystem::remove(folder_ / "large.json");
  EXPECT_EQ(ended(waits).state, JobState::done);
  EXPECT_EQ(job(waits).message, "");
}

TEST_F(JobsLimitsTest, TheQuotaStopsTheLargestJob) {
  JobLimits limits;
  limits.results = Bytes{4e6};
  reopen(limits);
  const std::string slow = reproducing("slow"), chatter = reproducing("chatter");
  const Job failed = ended(chatter);
  EXPECT_TRUE(contains(failed.message, "--results-quota")) << failed.message;
  EXPECT_TRUE(becomes(slow, JobState::failed)) << "the files of the other remain";
}

TEST_F(JobsLimitsTest, RemovedJobsMakeRoom) {
  JobLimits limits;
  limits.results = Bytes{4e6};
  reopen(limits);
  const std::string chatter = reproducing("chatter");
  ended(chatter);
  refused(jobs_->start("reproduce", {{"paper", "quick"}}), Errc::out_of_memory);
  ASSERT_TRUE(jobs_->remove(chatter));
  EXPECT_EQ(ended(reproducing("quick")).state, JobState::done);
}

TEST_F(JobsLimitsTest, JobsThatCannotFitAreNotStarted) {
  refused(jobs_->start("fleet", {{"hosts", 10'000'000}, {"hours", 87'840}}));
  EXPECT_TRUE(jobs_->ids().empty());
}

}  // namespace
}  // namespace ergon::service
