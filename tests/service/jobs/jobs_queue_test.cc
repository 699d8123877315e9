// Jobs that wait for others.
#include "service/jobs/jobs_fixture.h"

namespace ergon::service {
namespace {

class JobsQueueTest : public test::JobsFixture {
 protected:
  void SetUp() override { reopen(limits()); }
  static JobLimits limits() {
    JobLimits limits;
    limits.running = 1;
    limits.queued = 3;
    limits.stored = 6;
    return limits;
  }
};

TEST_F(JobsQueueTest, StartInTheOrderInWhichTheyCame) {
  const std::string slow = reproducing("slow");
  const std::vector<std::string> waiting = {queued("slow"), queued("slow"), queued("slow")};
  ASSERT_TRUE(in_progress(slow));
  std::string runs = slow;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    for (std::size_t later = i; later < waiting.size(); ++later)
      EXPECT_EQ(job(waiting[later]).state, JobState::queued) << i << " " << later;
    ASSERT_TRUE(jobs_->cancel(runs));
    runs = waiting[i];
    ASSERT_TRUE(in_progress(runs)) << i;
    EXPECT_EQ(job(runs).state, JobState::running);
  }
}

TEST_F(JobsQueueTest, RunToTheEnd) {
  const std::string slow = reproducing("slow");
  const std::string id = queued("quick");
  const Job waits = job(id);
  EXPECT_FALSE(waits.ended);
  EXPECT_FALSE(waits.result);
  EXPECT_EQ(kept(id)["state"], "queued");
  ASSERT_TRUE(jobs_->cancel(slow));
  const Job done = ended(id);
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_TRUE(done.result);
  EXPECT_EQ(done.created, waits.created);
}

// Later jobs never displace earlier ones.
TEST_F(JobsQueueTest, AFullQueueRefusesJobs) {
  const std::string slow = reproducing("slow");
  std::vector<std::string> waiting;
  for (int i = 0; i < 3; ++i) waiting.push_back(queued("quick"));
  EXPECT_TRUE(jobs_->queue_full());
  const std::string message = refused(jobs_->start("reproduce", {{"paper", "quick"}}), Errc::busy);
  EXPECT_NE(message.find("3 jobs are queued"), std::string::npos) << message;
  EXPECT_EQ(jobs_->ids().size(), 4u);
  ASSERT_TRUE(jobs_->cancel(slow));
  for (const std::string& id : waiting) EXPECT_EQ(ended(id).state, JobState::done);
}

TEST_F(JobsQueueTest, AFullStoreRefusesJobs) {
  for (int i = 0; i < 6; ++i) ended(reproducing("fail"));
  const std::string message = refused(jobs_->start("reproduce", {{"paper", "quick"}}), Errc::busy);
  EXPECT_NE(message.find("6 jobs are stored"), std::string::npos) << message;
  EXPECT_EQ(jobs_->ids().size(), 6u) << "nothing is deleted";
  EXPECT_FALSE(jobs_->queue_full());
}

TEST_F(JobsQueueTest, CanBeCancelled) {
  const std::string slow = reproducing("slow");
  const std::string id = queued("slow"), other = queued("quick");
  EXPECT_EQ(jobs_->remove(id).error().message, "the job is queued; cancel it first");
  refused(jobs_->resume(id));
  const auto cancelled = jobs_->cancel(id);
  ASSERT_TRUE(cancelled);
  EXPECT_EQ(cancelled->state, JobState::cancelled);
  EXPECT_TRUE(cancelled->ended);
  EXPECT_FALSE(cancelled->exit_code);
  EXPECT_EQ(kept(id)["state"], "cancelled");
  EXPECT_TRUE(jobs_->remove(id));
  ASSERT_TRUE(jobs_->cancel(slow));
  EXPECT_EQ(ended(other).state, JobState::done);
}

TEST_F(JobsQueueTest, ResumedJobsAreQueued) {
  const std::string sweep = sweeping();
  ASSERT_TRUE(in_progress(sweep));
  ASSERT_TRUE(jobs_->cancel(sweep));
  ended(sweep);
  const std::string slow = reproducing("slow");
  const auto resumed = jobs_->resume(sweep);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->state, JobState::queued);
  ASSERT_TRUE(jobs_->cancel(slow));
  EXPECT_EQ(ended(sweep).state, JobState::done);
}

TEST_F(JobsQueueTest, AResumableJobCanBeResumedAfterItsCancelInTheQueue) {
  const std::string slow = reproducing("slow");
  const std::string sweep =
      started("sweep", {{"device", "v100"}, {"networks", {"a", "b"}}}, JobState::queued);
  ASSERT_TRUE(jobs_->cancel(sweep));
  EXPECT_TRUE(job(sweep).resumable);
  ASSERT_TRUE(jobs_->cancel(slow));
  ended(slow);
  ASSERT_TRUE(jobs_->resume(sweep));
  EXPECT_TRUE(in_progress(sweep));
}

TEST_F(JobsQueueTest, StayQueuedAcrossRestarts) {
  const std::string slow = reproducing("slow");
  ASSERT_TRUE(in_progress(slow));
  const std::string first = queued("slow");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const std::string second = queued("slow");
  reopen(limits());
  EXPECT_EQ(job(slow).state, JobState::interrupted);
  EXPECT_EQ(job(slow).message, "the server ended while the job ran");
  ASSERT_TRUE(in_progress(first));
  EXPECT_EQ(job(second).state, JobState::queued);
  ASSERT_TRUE(jobs_->cancel(first));
  EXPECT_TRUE(in_progress(second));
}

TEST_F(JobsQueueTest, ACapCanBeChangedInTheQueue) {
  const std::string slow = reproducing("slow");
  const std::string cap =
      started("cap", {{"network", "a"}, {"device", "v100"}, {"watts", 250}}, JobState::queued);
  refused(jobs_->start("cap", {{"network", "a"}, {"device", "v100"}, {"watts", 100}}), Errc::busy);
  ASSERT_TRUE(jobs_->set_cap(cap, Watts{180}));
  EXPECT_TRUE(jobs_->held_caps().empty());
  reopen(limits());
  EXPECT_TRUE(caps_at(cap, 180));
}

TEST_F(JobsQueueTest, FollowersWaitForQueuedJobs) {
  const std::string slow = reproducing("slow");
  const std::string id = queued("quick");
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(cursor);
  auto update = jobs_->follow(*cursor, Seconds{0});
  ASSERT_TRUE(update);
  EXPECT_FALSE(update->over);
  ASSERT_TRUE(jobs_->cancel(slow));
  ASSERT_TRUE(test::eventually([&] {
    update = jobs_->follow(*cursor, Seconds{1});
    return !update || update->over;
  }));
  EXPECT_EQ(job(id).state, JobState::done);
}

TEST_F(JobsQueueTest, AJobThatCannotBeginFailsWithAReason) {
  const std::string slow = reproducing("slow");
  const std::string id = queued("quick");
  std::filesystem::remove_all(of(id));
  ASSERT_TRUE(jobs_->cancel(slow));
  const Job failed = ended(id);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_NE(failed.message, "");
}

}  // namespace
}  // namespace ergon::service
