#include "service/jobs/jobs_fixture.h"

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;
using test::eventually;

using JobsTest = test::JobsFixture;

TEST_F(JobsTest, RunToTheEndAndStoreADocument) {
  const std::string id = reproducing("quick");
  EXPECT_TRUE(is_job_id(id));
  const Job done = ended(id);
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_TRUE(done.ended);
  EXPECT_TRUE(done.result);
  EXPECT_TRUE(done.simulated);
  EXPECT_FALSE(done.resumable);
  EXPECT_EQ(done.message, "");
  EXPECT_EQ(done.title, "quick");
  EXPECT_EQ(Json::parse(*read_file(*jobs_->result_file(id)))["schema"], "quick/1");
  EXPECT_EQ(kept(id), job_json(done));
}

TEST_F(JobsTest, ExitCode3CountsAsDone) {
  const Job done = ended(reproducing("claim"));
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_TRUE(done.result);
  EXPECT_FALSE(done.simulated);
}

TEST_F(JobsTest, FailuresHaveTheirLastMessage) {
  const std::string id = reproducing("fail");
  const Job failed = ended(id);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.message, "last words");
  EXPECT_FALSE(failed.result);
  EXPECT_EQ(jobs_->result_file(id).error().kind, Errc::not_found);
}

// Messages come from another program and may contain any bytes.
TEST_F(JobsTest, InvalidUtf8InMessagesIsReplaced) {
  const std::string id = reproducing("mumble");
  const Job failed = ended(id);
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_NE(failed.message.find("oh "), std::string::npos);
  EXPECT_EQ(kept(id)["state"], "failed");
  EXPECT_NO_THROW(job_json(failed).dump());
}

TEST_F(JobsTest, AcceptsUnexpectedDocuments) {
  const Job done = ended(reproducing("odd"));
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_TRUE(done.result);
  EXPECT_FALSE(done.simulated);
}

TEST_F(JobsTest, ReportProgressWhileRunning) {
  const std::string id = reproducing("slow");
  ASSERT_TRUE(in_progress(id));
  EXPECT_EQ(*job(id).progress, (JobProgress{"slow work", "MB", 3, 10}));
  EXPECT_TRUE(jobs_->cancel(id));
  const Job cancelled = ended(id);
  EXPECT_EQ(cancelled.state, JobState::cancelled);
  EXPECT_EQ(cancelled.exit_code, 130);
  EXPECT_EQ(cancelled.message, "");
  EXPECT_FALSE(cancelled.progress);
  EXPECT_FALSE(cancelled.resumable);
}

TEST_F(JobsTest, CanBeCancelledImmediately) {
  for (int i = 0; i < 4; ++i) {
    const std::string id = reproducing("slow");
    ASSERT_TRUE(jobs_->cancel(id));
    ASSERT_EQ(ended(id).state, JobState::cancelled);
  }
}

TEST_F(JobsTest, AStoppedSweepIsEvaluatedAndResumable) {
  const std::string id = sweeping();
  ASSERT_TRUE(in_progress(id));
  ASSERT_TRUE(jobs_->cancel(id));
  const Job cancelled = ended(id);
  EXPECT_EQ(cancelled.state, JobState::cancelled);
  EXPECT_TRUE(cancelled.resumable);
  EXPECT_TRUE(cancelled.result);
  EXPECT_EQ(Json::parse(*read_file(*jobs_->result_file(id)))["rows"], 1);
  const auto resumed = jobs_->resume(id);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(resumed->state, JobState::running);
  EXPECT_FALSE(resumed->ended);
  const Job done = ended(id);
  EXPECT_EQ(done.state, JobState::done);
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_FALSE(done.resumable);
  EXPECT_EQ(Json::parse(*read_file(*jobs_->result_file(id)))["rows"], 2);
  EXPECT_EQ(refused(jobs_->resume(id)), "this job cannot be resumed; start a new one");
}

TEST_F(JobsTest, AFailedSweepReportsTheFirstError) {
  const Job failed = ended(started("sweep", {{"device", "v100"}, {"networks", "broken"}}));
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_EQ(failed.message, "ergon: there is no such network");
}

TEST_F(JobsTest, InvalidJobsAreNotStarted) {
  EXPECT_NE(refused(jobs_->start("measure", Json::object())).find("sweep, cap"), std::string::npos);
  refused(jobs_->start("reproduce", Json::object()));
  refused(jobs_->start("reproduce", {{"paper", "../x"}}));
  refused(jobs_->start("reproduce", {{"paper", {{"a", 1}}}}));
  refused(jobs_->start("reproduce", Json::array()));
  refused(jobs_->start("reproduce", nullptr));
  for (const Json& watts : {Json(nullptr), Json("250"), Json(0), Json(-1), Json(true)})
    refused(jobs_->start("cap", {{"network", "a"}, {"device", "b"}, {"watts", watts}}));
  EXPECT_TRUE(jobs_->ids().empty());
  EXPECT_TRUE(eventually([&] {
    return std::distance(std::filesystem::directory_iterator(folder_ / "jobs"), {}) == 1;
  })) << "only the lock";
}

TEST_F(JobsTest, UnknownIdsAreNotFound) {
  for (const std::string id : {"nobody", "", "../jobs"}) {
    refused(jobs_->find(id), Errc::not_found);
    refused(jobs_->cancel(id), Errc::not_found);
    refused(jobs_->resume(id), Errc::not_found);
    refused(jobs_->set_cap(id, Watts{100}), Errc::not_found);
    EXPECT_EQ(jobs_->remove(id).error().kind, Errc::not_found);
    EXPECT_EQ(jobs_->result_file(id).error().kind, Errc::not_found);
    EXPECT_EQ(jobs_->cursor(id).error().kind, Errc::not_found);
  }
}

TEST_F(JobsTest, AreListedNewestFirst) {
  const std::string first = reproducing("quick");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::string second = reproducing("quick");
  EXPECT_EQ(jobs_->ids(), (std::vector<std::string>{second, first}));
  EXPECT_EQ(jobs_->states().size(), 2u);
}

TEST_F(JobsTest, EndedJobsCanBeRemoved) {
  const std::string id = reproducing("slow");
  const auto running = jobs_->remove(id);
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().kind, Errc::invalid_input);
  ASSERT_TRUE(jobs_->cancel(id));
  ended(id);
  EXPECT_TRUE(std::filesystem::exists(of(id)));
  EXPECT_TRUE(jobs_->remove(id));
  EXPECT_FALSE(std::filesystem::exists(of(id)));
  EXPECT_TRUE(jobs_->ids().empty());
  reopen();
  EXPECT_TRUE(jobs_->ids().empty());
}

TEST_F(JobsTest, TheCapCanBeChanged) {
  const std::string id = capping();
  EXPECT_EQ(job(id).cap, Watts{250});
  EXPECT_EQ(read_file(of(id) / "cap").value_or(""), "250W\n");
  ASSERT_TRUE(caps_at(id, 250));
  const auto changed = jobs_->set_cap(id, Watts{150.5});
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->cap, Watts{150.5});
  EXPECT_EQ(read_file(of(id) / "cap").value_or(""), "150.5W\n");
  ASSERT_TRUE(caps_at(id, 150.5));
  std::vector<HeldCap> held;
  ASSERT_TRUE(eventually([&] {
    held = jobs_->held_caps();
    return !held.empty() && held[0].decision["cap_watts"] == 150.5;
  }));
  EXPECT_EQ(held[0].job.id, id);
  EXPECT_EQ(held[0].decision["cap_watts"], 150.5);
  EXPECT_GT(held[0].decisions, held[0].violations);
  EXPECT_GT(held[0].violations, 0u) << "200 W at 150.5 W";
  for (const double watts : {0.0, -1.0}) refused(jobs_->set_cap(id, Watts{watts}));
  refused(jobs_->resume(id));
  ASSERT_TRUE(jobs_->cancel(id));
  EXPECT_FALSE(ended(id).cap);
  EXPECT_TRUE(jobs_->held_caps().empty());
  refused(jobs_->set_cap(id, Watts{100}));
}

TEST_F(JobsTest, OneCapPerDevice) {
  const std::string first = capping("v100");
  const auto second = jobs_->start("cap", {{"network", "b"}, {"device", "v100"}, {"watts", 100}});
  EXPECT_NE(refused(second, Errc::busy).find(first), std::string::npos);
  EXPECT_NE(capping("a30"), "");
  refused(jobs_->set_cap(reproducing("slow"), Watts{100}));
}

// A list with one entry is equivalent to the entry.
TEST_F(JobsTest, TheDeviceOfACapMayBeAListOfOne) {
  const Json options = {{"network", "a"}, {"device", {"v100"}}, {"watts", 100}};
  const auto first = jobs_->start("cap", options);
  if (!first) {  // refused in words is fine, too
    EXPECT_EQ(first.error().kind, Errc::invalid_input);
    return;
  }
  EXPECT_NO_THROW(refused(jobs_->start("cap", options), Errc::busy));
}

TEST_F(JobsTest, FollowersGetMissedUpdates) {
  const std::string id = capping();
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(cursor);
  auto update = jobs_->follow(*cursor, Seconds{10});
  ASSERT_TRUE(update);
  ASSERT_TRUE(update->job);
  EXPECT_EQ(update->job->id, id);
  EXPECT_FALSE(update->over);
  std::vector<std::string> told = update->decisions;
  while (told.size() < 3) {
    update = jobs_->follow(*cursor, Seconds{30});
    ASSERT_TRUE(update);
    ASSERT_FALSE(update->over);
    ASSERT_TRUE(update->job || !update->decisions.empty()) << "woken without a change";
    told.insert(told.end(), update->decisions.begin(), update->decisions.end());
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(Json::parse(told[i])["at_seconds"], static_cast<double>(i));
    EXPECT_EQ(Json::parse(told[i])["reason"], "calm, so far");
  }
  // A returning follower has seen two decisions.
  auto returning = jobs_->cursor(id, 2);
  const auto again = jobs_->follow(*returning, Seconds{10});
  ASSERT_TRUE(again);
  ASSERT_FALSE(again->decisions.empty());
  EXPECT_EQ(again->decisions[0], told[2]);
  // The end wakes waiting followers and is reported to late ones.
  ASSERT_TRUE(jobs_->cancel(id));
  ASSERT_TRUE(eventually([&] {
    update = jobs_->follow(*cursor, Seconds{30});
    return !update || update->over;
  }));
  ASSERT_TRUE(update);
  ASSERT_TRUE(update->job);
  EXPECT_EQ(update->job->state, JobState::cancelled);
  EXPECT_GE(decisions_of(id).size(), told.size());
  const auto late = jobs_->follow(*cursor, Seconds{30});
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->over);
  EXPECT_FALSE(late->job);
  EXPECT_TRUE(late->decisions.empty());
}

// A day of a cap job is 43 MB of log; 64 followers took 8.8 GB, and all other requests waited 20 s.
TEST_F(JobsTest, FollowersGetALongLogInPieces) {
  const std::string id = capping();
  ASSERT_TRUE(caps_at(id, 250));
  ASSERT_TRUE(jobs_->cancel(id));
  ended(id);
  constexpr std::size_t kDecisions = 10'000;
  std::string log = "at_seconds,cap_watts,power_watts,batch,reason\n";
  for (std::size_t i = 0; i < kDecisions; ++i)
    log += std::to_string(i) + ",250,200,8,\"" + std::string(100, 'x') + "\"\n";
  ASSERT_TRUE(write_file(of(id) / "decisions.csv", log));
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(cursor);
  std::size_t told = 0;
  while (true) {
    const auto update = jobs_->follow(*cursor, Seconds{0});
    ASSERT_TRUE(update);
    ASSERT_LE(update->decisions.size(), 500u);
    for (const std::string& decision : update->decisions)
      ASSERT_EQ(Json::parse(decision)["at_seconds"], static_cast<double>(told++));
    EXPECT_EQ(update->over, told == kDecisions);
    EXPECT_EQ(update->job.has_value(), update->over) << "the state follows the decisions";
    if (update->over) break;
  }
  EXPECT_EQ(told, kDecisions);
  auto returning = jobs_->cursor(id, kDecisions - 1);
  Result<Jobs::JobUpdate> update = jobs_->follow(*returning, Seconds{0});
  while (update && !update->over) {
    EXPECT_TRUE(update->decisions.empty());
    update = jobs_->follow(*returning, Seconds{0});
  }
  ASSERT_TRUE(update);
  ASSERT_EQ(update->decisions.size(), 1u);
  EXPECT_EQ(Json::parse(update->decisions[0])["at_seconds"], kDecisions - 1.0);
}

TEST_F(JobsTest, FollowersRespectTheTimeout) {
  const std::string id = reproducing("slow");
  ASSERT_TRUE(in_progress(id));
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(jobs_->follow(*cursor, Seconds{0}));
  const auto before = std::chrono::steady_clock::now();
  const auto nothing = jobs_->follow(*cursor, Seconds{0.2});
  ASSERT_TRUE(nothing);
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(150));
  EXPECT_FALSE(nothing->job);
  EXPECT_FALSE(nothing->over);
}

TEST_F(JobsTest, FollowersEndAtAStopRequest) {
  const std::string id = reproducing("slow");
  ASSERT_TRUE(in_progress(id));
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(jobs_->follow(*cursor, Seconds{0}));
  std::stop_source stop;
  const auto before = std::chrono::steady_clock::now();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  EXPECT_TRUE(jobs_->follow(*cursor, Seconds{60}, stop.get_token()));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
}

TEST_F(JobsTest, FollowersOfRemovedJobsGetAnError) {
  const std::string id = reproducing("quick");
  ended(id);
  auto cursor = jobs_->cursor(id);
  ASSERT_TRUE(cursor);
  ASSERT_TRUE(jobs_->remove(id));
  EXPECT_EQ(jobs_->follow(*cursor, Seconds{5}).error().kind, Errc::not_found);
}

// Null was not compared with the names of the options: 140 jobs of 60 kB each made the list too large.
TEST_F(JobsTest, StoreOnlyOptionsOfTheCommand) {
  EXPECT_NE(refused(jobs_->start("reproduce", {{"paper", "quick"}, {std::string(60'000, 'A'), nullptr}}))
                .find("unknown parameter \"AAA"),
            std::string::npos);
  EXPECT_TRUE(jobs_->ids().empty());
  const std::string id =
      started("sweep", {{"device", "v100"}, {"networks", {"a", "b"}}, {"seed", nullptr}, {"repeat", 2}});
  EXPECT_EQ(job(id).options, (Json{{"device", "v100"}, {"networks", "a,b"}, {"repeat", 2}}));
  EXPECT_EQ(kept(id)["options"], job(id).options);
}

TEST_F(JobsTest, OptionsHaveALimitedLength) {
  const std::string most(4000, 'a');
  refused(jobs_->start("sweep", {{"device", most}, {"networks", most}, {"clocks", most}}));
  EXPECT_TRUE(jobs_->ids().empty());
}

TEST_F(JobsTest, AreCheckedBeforeTheyTakeAPlace) {
  jobs_.reset();
  std::vector<std::vector<std::string>> asked;
  auto opened = Jobs::open(folder_ / "jobs", program_.path(), clock_, {},
                           [&](const std::vector<std::string>& words) -> Result<> {
                             asked.push_back(words);
                             if (words.at(2) == "--hosts=-1") return fail(Errc::invalid_input, "no hosts");
                             return {};
                           });
  ASSERT_TRUE(opened);
  jobs_ = std::move(*opened);
  EXPECT_EQ(refused(jobs_->start("fleet", {{"hosts", -1}, {"hours", 1}})), "no hosts");
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].at(0), "fleet");
  EXPECT_TRUE(jobs_->ids().empty());
  reproducing("quick");
  EXPECT_EQ(asked.back(), (std::vector<std::string>{"reproduce", "quick", "--json"}));
}

TEST_F(JobsTest, CapsHaveAMaximum) {
  for (const double watts : {100'001.0, 1e308})
    refused(jobs_->start("cap", {{"network", "a"}, {"device", "b"}, {"watts", watts}}));
  const std::string id = capping();
  refused(jobs_->set_cap(id, Watts{1e308}));
  EXPECT_TRUE(jobs_->set_cap(id, Watts{100'000}));
}

TEST_F(JobsTest, OtherUsersCannotReadThem) {
  const std::string id = reproducing("quick");
  ended(id);
  for (const auto& folder : {folder_ / "jobs", of(id)})
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all) << folder;
}

TEST_F(JobsTest, TwoServersCannotShareAFolder) {
  const auto second = Jobs::open(folder_ / "jobs", program_.path(), clock_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::busy);
}

TEST_F(JobsTest, PersistAcrossRestarts) {
  const std::string done = reproducing("quick"), failed = reproducing("fail");
  const Json before_done = job_json(ended(done)), before_failed = job_json(ended(failed));
  reopen();
  EXPECT_EQ(job_json(job(done)), before_done);
  EXPECT_EQ(job_json(job(failed)), before_failed);
  EXPECT_EQ(Json::parse(*read_file(*jobs_->result_file(done)))["schema"], "quick/1");
}

TEST_F(JobsTest, AreInterruptedByShutdownAndResumable) {
  const std::string sweep = sweeping(), slow = reproducing("slow"), cap = capping();
  ASSERT_TRUE(in_progress(sweep));
  ASSERT_TRUE(in_progress(slow));
  ASSERT_TRUE(caps_at(cap, 250));
  reopen();
  EXPECT_EQ(job(sweep).state, JobState::interrupted);
  EXPECT_TRUE(job(sweep).resumable);
  EXPECT_TRUE(job(sweep).result) << "evaluated on the way out";
  EXPECT_EQ(job(slow).state, JobState::interrupted);
  EXPECT_FALSE(job(slow).resumable);
  EXPECT_EQ(job(cap).state, JobState::interrupted);
  EXPECT_FALSE(decisions_of(cap).empty());
  ASSERT_TRUE(jobs_->resume(sweep));
  EXPECT_EQ(ended(sweep).state, JobState::done);
  EXPECT_EQ(Json::parse(*read_file(*jobs_->result_file(sweep)))["rows"], 2);
}

// A killed server cannot store the new state.
TEST_F(JobsTest, AreInterruptedWhenTheServerIsKilled) {
  const std::string id = sweeping();
  ASSERT_TRUE(in_progress(id));
  const std::string while_running = read_file(of(id) / "job.json").value_or("");
  jobs_.reset();
  ASSERT_TRUE(write_file(of(id) / "job.json", while_running));
  ASSERT_EQ(kept(id)["state"], "running");
  reopen();
  const Job found = job(id);
  EXPECT_EQ(found.state, JobState::interrupted);
  EXPECT_TRUE(found.resumable);
  EXPECT_TRUE(found.ended);
  EXPECT_EQ(found.message, "the server ended while the job ran");
  EXPECT_EQ(kept(id)["state"], "interrupted");
}

TEST_F(JobsTest, AMissingProgramIsAFailure) {
  reopen({}, (folder_ / "nobody").string());
  const Job failed = ended(reproducing("quick"));
  EXPECT_EQ(failed.state, JobState::failed);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.message, "cannot start " + (folder_ / "nobody").string() + ": no such file");
}

}  // namespace
}  // namespace ergon::service
