#include "service/jobs/job.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

using Json = nlohmann::ordered_json;

Job some_job() {
  Job job;
  job.id = "20181108-074130-sweep-1";
  job.command = "sweep";
  job.title = "resnet50 on v100s";
  job.options = {{"device", "v100s"}, {"networks", {"resnet50"}}};
  job.state = JobState::failed;
  job.created = *parse_timestamp("2018-11-08T07:41:30.055Z");
  job.ended = *parse_timestamp("2018-11-08T07:42:00Z");
  job.exit_code = 1;
  job.message = "out of \"memory\"";
  job.resumable = true;
  job.result = true;
  job.simulated = true;
  return job;
}

TEST(JobIds, AreValidFolderNames) {
  for (const char* id : {"20181108-074130-sweep-2", "a", "0", "a-", "a--b"}) EXPECT_TRUE(is_job_id(id)) << id;
  EXPECT_TRUE(is_job_id(std::string(80, 'a')));
  for (const char* id :
       {"", "-a", ".", "..", "a/b", "/a", "a.json", "A", "a b", "a\n", "\xc3\xa4", "a%2fb", "~", ".lock"})
    EXPECT_FALSE(is_job_id(id)) << id;
  EXPECT_FALSE(is_job_id(std::string(81, 'a')));
  EXPECT_FALSE(is_job_id(std::string("a\0b", 3)));
}

TEST(JobJson, WritesAllFieldsWithNulls) {
  const Job empty;
  const Json json = job_json(empty);
  for (const char* name : {"ended", "exit_code", "progress", "cap_watts"})
    EXPECT_TRUE(json[name].is_null()) << name;
  Job job = some_job();
  job.progress = JobProgress{"points", "MB", 3, 10};
  job.cap = Watts{250};
  const Json full = job_json(job);
  EXPECT_EQ(full["state"], "failed");
  EXPECT_EQ(full["created"], "2018-11-08T07:41:30.055Z");
  EXPECT_EQ(full["progress"], (Json{{"label", "points"}, {"done", 3}, {"total", 10}, {"unit", "MB"}}));
  EXPECT_EQ(full["cap_watts"], 250.0);
  EXPECT_EQ(full["options"]["networks"][0], "resnet50");
}

TEST(JobJson, RejectsInvalidJobs) {
  for (const char* text : {"null", "[]", "{}", "7", "\"running\"", "[{}]"}) {
    const auto job = job_of(Json::parse(text));
    ASSERT_FALSE(job) << text;
    EXPECT_EQ(job.error().kind, Errc::invalid_input);
  }
  EXPECT_FALSE(job_of(Json::parse("{", nullptr, false)));
  const Json whole = job_json(some_job());
  ASSERT_TRUE(job_of(whole));
  for (const char* name : {"id", "command", "title", "state", "created", "ended", "exit_code", "message",
                           "resumable", "result", "simulated", "options"}) {
    Json without = whole;
    without.erase(name);
    EXPECT_FALSE(job_of(without)) << name;
  }
  for (const char* name :
       {"id", "command", "title", "state", "created", "message", "resumable", "result", "simulated"}) {
    for (const Json& wrong : {Json(nullptr), Json(7), Json::array(), Json::object()}) {
      Json changed = whole;
      changed[name] = wrong;
      EXPECT_FALSE(job_of(changed)) << name << " " << wrong;
    }
  }
  for (const auto& [name, wrong] : {std::pair{"id", "../x"}, {"state", "asleep"}, {"created", "yesterday"}}) {
    Json changed = whole;
    changed[name] = wrong;
    EXPECT_FALSE(job_of(changed)) << name;
  }
}

TEST(JobJson, RejectsExitCodesThatAreOutOfRange) {
  Json json = job_json(some_job());
  for (const auto& code : {Json(4294967296), Json(-1), Json(256), Json(UINT64_MAX)}) {
    json["exit_code"] = code;
    EXPECT_FALSE(job_of(json)) << code;
  }
  json["exit_code"] = 130;
  EXPECT_EQ(job_of(json)->exit_code, 130);
}

// Other code reads members of the options.
TEST(JobJson, RequiresOptionsToBeAnObject) {
  for (const Json& wrong : {Json(nullptr), Json(7), Json("x"), Json::array({1})}) {
    Json changed = job_json(some_job());
    changed["options"] = wrong;
    EXPECT_FALSE(job_of(changed)) << wrong;
  }
}

}  // namespace
}  // namespace ergon::service
