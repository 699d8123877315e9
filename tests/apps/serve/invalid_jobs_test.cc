// Jobs that could not run, and files that other users can read: the real program.

#include <filesystem>

#include <gtest/gtest.h>

#include "apps/serve/served_program.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

class InvalidJobs : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
};

// The options are compared with the ranges of the command at once; before, such jobs took places in the
// queue.
TEST_F(InvalidJobs, AreRejectedWithTheMessageOfTheCommand) {
  const test::ServedProgram program(folder_.path(), {});
  ASSERT_TRUE(program.started()) << program.complained();
  const std::pair<Json, std::string> jobs[] = {
      {{{"command", "fleet"}, {"options", {{"hosts", -1}, {"hours", 1}}}}, "--hosts"},
      {{{"command", "fleet"}, {"options", {{"hosts", 1}, {"hours", 1e300}}}}, "hours"},
      {{{"command", "fleet"}, {"options", {{"hosts", 1}, {"hours", 0.001}, {"loss", "100%"}}}}, "--loss"},
      {{{"command", "fleet"}, {"options", {{"hosts", 1}, {"hours", 1e-9}, {"gpus-per-host", 1e9}}}},
       "--gpus-per-host"},
      {{{"command", "fleet"}, {"options", {{"hosts", 1}, {"hours", 1}, {"price-kwh", -1}}}}, "--price-kwh"},
      {{{"command", "sweep"}, {"options", {{"device", "v100"}, {"networks", "alexnet"}, {"repeat", 1e9}}}},
       "--repeat"},
      {{{"command", "profile"}, {"options", {{"device", "v100"}, {"networks", "alexnet"}, {"batch", "x"}}}},
       "--batch"},
      {{{"command", "cap"}, {"options", {{"device", "v100"}, {"network", "alexnet"}, {"watts", 1e308}}}},
       "watts"},
      {{{"command", "reproduce"}, {"options", {{"paper", "nobody"}}}}, "nobody"},
  };
  for (const auto& [job, named] : jobs) {
    const auto answer = program.ask("POST", "/api/v1/jobs", job.dump());
    EXPECT_EQ(answer.status, 400) << job << "\n" << answer.body;
    EXPECT_NE(answer.body.find(named), std::string::npos) << job << "\n" << answer.body;
  }
  EXPECT_EQ(program.json("/jobs")["jobs"].size(), 0u);
}

TEST_F(InvalidJobs, FilesOfJobsAreForTheirUserOnly) {
  const test::ServedProgram program(folder_.path(), {});
  ASSERT_TRUE(program.started()) << program.complained();
  const std::string id =
      program.start({{"command", "fleet"}, {"options", {{"hosts", 2}, {"hours", 0.02}}}})["id"];
  ASSERT_TRUE(program.becomes(id, "done"));
  for (const auto& each : fs::recursive_directory_iterator(folder_ / "results"))
    EXPECT_EQ(each.status().permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none)
        << each.path();
}

TEST_F(InvalidJobs, TheServerWarnsOfFilesThatOthersCanUse) {
  fs::create_directory(folder_ / "results");
  fs::permissions(folder_ / "results", fs::perms::all);
  ASSERT_TRUE(write_file(folder_ / "secret", "0123456789abcdef\n"));
  fs::permissions(folder_ / "secret", fs::perms::owner_all | fs::perms::group_read);
  {
    const test::ServedProgram program(folder_.path(), {"--token-file", "secret"});
    ASSERT_TRUE(program.started()) << program.complained();
    EXPECT_NE(program.complained().find("results: other users can write"), std::string::npos);
    EXPECT_NE(program.complained().find("secret: other users can read the token"), std::string::npos);
  }
  fs::permissions(folder_ / "results", fs::perms::owner_all);
  fs::permissions(folder_ / "secret", fs::perms::owner_read);
  const test::ServedProgram program(folder_.path(), {"--token-file", "secret"});
  EXPECT_EQ(program.complained(), "");
}

}  // namespace
}  // namespace ergon::app
