#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "service/jobs/jobs.h"
#include "service/jobs/script_program.h"

namespace ergon::test {

using service::Job;
using service::JobLimits;
using service::Jobs;
using service::JobState;

// Jobs of a ScriptProgram in a temporary folder.
class JobsFixture : public testing::Test {
 protected:
  using Json = nlohmann::ordered_json;

  void SetUp() override { reopen(); }
  // As if the server were restarted.
  void reopen(const JobLimits& limits = {}, const std::string& program = "") {
    jobs_.reset();
    auto opened = Jobs::open(folder_ / "jobs", program.empty() ? program_.path() : program, clock_, limits);
    ASSERT_TRUE(opened) << opened.error().message;
    jobs_ = std::move(*opened);
  }

  std::string started(std::string_view command, const Json& options, JobState expected = JobState::running) {
    const auto job = jobs_->start(command, options);
    if (!job) {
      ADD_FAILURE() << job.error().message;
      return "";
    }
    EXPECT_EQ(job->state, expected);
    return job->id;
  }
  std::string reproducing(const std::string& word) { return started("reproduce", {{"paper", word}}); }
  std::string queued(const std::string& word) {
    return started("reproduce", {{"paper", word}}, JobState::queued);
  }
  std::string sweeping() { return started("sweep", {{"device", "v100"}, {"networks", {"a", "b"}}}); }
  std::string capping(const std::string& device = "v100") {
    return started("cap", {{"network", "resnet50"}, {"device", device}, {"watts", 250}});
  }

  Job job(const std::string& id) const {
    const auto found = jobs_->find(id);
    EXPECT_TRUE(found) << id;
    return found.value_or(Job{});
  }
  bool becomes(const std::string& id, JobState state) const {
    return eventually([&] { return job(id).state == state; });
  }
  Job ended(const std::string& id) const {
    EXPECT_TRUE(eventually([&] { return !job(id).active(); })) << id;
    return job(id);
  }
  bool in_progress(const std::string& id) const {
    return eventually([&] { return job(id).progress.has_value(); });
  }
  // All decisions of a job so far.
  std::vector<std::string> decisions_of(const std::string& id) const {
    std::vector<std::string> all;
    auto cursor = jobs_->cursor(id);
    if (!cursor) return all;
    do {
      const auto update = jobs_->follow(*cursor, Seconds{0});
      if (!update) break;
      all.insert(all.end(), update->decisions.begin(), update->decisions.end());
    } while (!cursor->decisions.at_end());
    return all;
  }
  // Waits until the latest decision has this cap.
  bool caps_at(const std::string& id, double watts) const {
    return eventually([&] {
      const auto decisions = decisions_of(id);
      return !decisions.empty() && Json::parse(decisions.back())["cap_watts"] == watts;
    });
  }
  std::filesystem::path of(const std::string& id) const { return folder_ / ("jobs/" + id); }
  Json kept(const std::string& id) const {
    return Json::parse(read_file(of(id) / "job.json").value_or(""), nullptr, false);
  }
  std::string refused(const Result<Job>& job, Errc kind = Errc::invalid_input) const {
    EXPECT_FALSE(job);
    if (job) return "";
    EXPECT_EQ(job.error().kind, kind) << job.error().message;
    return job.error().message;
  }

  TemporaryFolder folder_;
  ScriptProgram program_;
  SystemClock clock_;
  std::unique_ptr<Jobs> jobs_;
};

}  // namespace ergon::test
