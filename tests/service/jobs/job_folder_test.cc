#include "service/jobs/job_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

const Timestamp kThen = *parse_timestamp("2018-11-08T07:41:30.5Z");

Job job_named(const std::string& id) {
  Job job;
  job.id = id;
  job.command = "sweep";
  job.options = nlohmann::ordered_json::object();
  job.created = kThen;
  return job;
}

TEST(JobFolder, IsLockedByOneServer) {
  const test::TemporaryFolder folder;
  const fs::path path = folder / "results/jobs";
  {
    const auto first = JobFolder::open(path);
    ASSERT_TRUE(first) << first.error().message;
    const auto second = JobFolder::open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, Errc::busy);
    EXPECT_NE(second.error().message.find(path.string()), std::string::npos);
    EXPECT_FALSE(JobFolder::open(path)) << "a refusal must not open it";
  }
  EXPECT_TRUE(JobFolder::open(path));
}

TEST(JobFolder, ReportsWhyItCannotBeOpened) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "file", "x"));
  const auto below_a_file = JobFolder::open(folder / "file/jobs");
  ASSERT_FALSE(below_a_file);
  EXPECT_NE(below_a_file.error().message.find("file/jobs"), std::string::npos)
      << below_a_file.error().message;
}

TEST(JobFolder, IdsContainTimeAndNumber) {
  const test::TemporaryFolder folder;
  const auto jobs = JobFolder::open(folder.path());
  ASSERT_TRUE(jobs);
  EXPECT_EQ(*jobs->create("sweep", kThen), "20181108-074130-sweep-1");
  EXPECT_EQ(*jobs->create("sweep", kThen), "20181108-074130-sweep-2");
  EXPECT_EQ(*jobs->create("cap", kThen), "20181108-074130-cap-1");
  EXPECT_TRUE(fs::is_directory(folder / "20181108-074130-sweep-2"));
  EXPECT_TRUE(is_job_id(*jobs->create("reproduce", Timestamp{0})));
}

TEST(JobFolder, StoresLoadsAndRemoves) {
  const test::TemporaryFolder folder;
  const auto jobs = JobFolder::open(folder.path());
  ASSERT_TRUE(jobs);
  EXPECT_TRUE(jobs->load().empty());
  const std::string id = *jobs->create("sweep", kThen);
  EXPECT_TRUE(jobs->load().empty()) << "nothing is said about it yet";
  ASSERT_TRUE(jobs->store(job_named(id)));
  ASSERT_TRUE(write_file(jobs->document_of(id), "{}"));
  const auto loaded = jobs->load();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(job_json(loaded[0]), job_json(job_named(id)));
  EXPECT_TRUE(jobs->remove(id));
  EXPECT_FALSE(fs::exists(folder / id));
  EXPECT_TRUE(jobs->load().empty());
}

TEST(JobFolder, IgnoresOtherFolders) {
  const test::TemporaryFolder folder;
  const auto jobs = JobFolder::open(folder.path());
  ASSERT_TRUE(jobs);
  const auto put = [&](const std::string& name, const std::string& text) {
    fs::create_directories(folder / name);
    ASSERT_TRUE(write_file(folder / (name + "/job.json"), text));
  };
  put("empty", "");
  put("garbage", "{\"id\": \"garbage\"");
  put("array", "[]");
  nlohmann::ordered_json deep = job_json(job_named("deep"));
  deep["options"] = "LISTS";
  std::string text = deep.dump();
  text.replace(text.find("\"LISTS\""), 7,
               "{\"a\":" + std::string(50'000, '[') + std::string(50'000, ']') + "}");
  put("deep", text);
  put("UPPER", job_json(job_named("UPPER")).dump());
  put("stolen", job_json(job_named("another")).dump());
  put("good", job_json(job_named("good")).dump());
  fs::create_directories(folder / "without");
  ASSERT_TRUE(write_file(folder / "plainfile", "x"));
  const auto loaded = jobs->load();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_EQ(loaded[0].id, "good");
  EXPECT_TRUE(fs::exists(folder / "garbage/job.json"));
}

}  // namespace
}  // namespace ergon::service
