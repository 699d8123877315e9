#include "service/api/stored_results.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "service/jobs/script_program.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string document_text(const std::string& schema, const std::string& created, bool simulated = false) {
  return Json{{"schema", schema}, {"provenance", {{"created", created}, {"simulated", simulated}}}}.dump();
}

class StoredResultsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Jobs::open(folder_ / "results/jobs", program_.path(), clock_);
    ASSERT_TRUE(opened);
    jobs_ = std::move(*opened);
    results_ = std::make_unique<StoredResults>(folder_ / "results", *jobs_);
  }
  void put(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(folder_ / ("results/" + name), text));
  }
  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const StoredResult& each : results_->list()) all.push_back(each.id);
    return all;
  }
  bool there(const std::string& id) const { return bool(results_->file(id)); }

  test::TemporaryFolder folder_;
  test::ScriptProgram program_;
  SystemClock clock_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<StoredResults> results_;
};

TEST_F(StoredResultsTest, ListsDocumentsNewestFirst) {
  EXPECT_TRUE(ids().empty());
  put("old.json", document_text("ergon.zoo/1", "2018-11-08T07:41:30Z"));
  put("new.json", document_text("ergon.tune/2", "2020-01-01T00:00:00Z", true));
  put("ageless.json", R"({"schema": "x/1"})");
  EXPECT_EQ(ids(), (std::vector<std::string>{"new.json", "old.json", "ageless.json"}));
  const StoredResult newest = results_->list().front();
  EXPECT_EQ(newest.schema, "ergon.tune/2");
  EXPECT_EQ(newest.title, "new.json");
  EXPECT_EQ(newest.created, "2020-01-01T00:00:00Z");
  EXPECT_TRUE(newest.simulated);
  EXPECT_EQ(newest.bytes, document_text("ergon.tune/2", "2020-01-01T00:00:00Z", true).size());
  EXPECT_EQ(*read_file(*results_->file("old.json")), document_text("ergon.zoo/1", "2018-11-08T07:41:30Z"));
}

TEST_F(StoredResultsTest, IgnoresOtherFiles) {
  put("text.json", "hello");
  put("array.json", "[1]");
  put("half.json", R"({"schema": "x/1")");
  put("other.json", R"({"name": "x"})");
  put("number.json", R"({"schema": 7})");
  put("empty.json", "");
  put("notes.txt", document_text("x/1", ""));
  put(".hidden.json", document_text("x/1", ""));
  put("a b.json", document_text("x/1", ""));
  fs::create_directory(folder_ / "results/folder.json");
  fs::create_symlink(folder_ / "nowhere", folder_ / "results/dangling.json");
  EXPECT_TRUE(ids().empty());
  for (const char* name :
       {"text.json", "array.json", "half.json", "other.json", "number.json", "empty.json", "notes.txt",
        ".hidden.json", "a b.json", "folder.json", "dangling.json", "missing.json"}) {
    const auto document = results_->file(name);
    ASSERT_FALSE(document) << name;
    EXPECT_EQ(document.error().kind, Errc::not_found) << name;
  }
  for (const char* odd : {R"({"schema": "x/1", "provenance": 7})",
                          R"({"schema": "x/1", "provenance": {"created": 7, "simulated": "x"}})"}) {
    put("odd.json", odd);
    EXPECT_TRUE(there("odd.json")) << odd;
    EXPECT_EQ(ids(), std::vector<std::string>{"odd.json"});
    fs::remove(folder_ / "results/odd.json");
  }
}

// Values are copied by recursion: a document of 50,000 levels ended the server at every start.
TEST_F(StoredResultsTest, ListsOthersBesideADeepDocument) {
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  put("deep.json",
      R"({"schema": "x/1", "provenance": {"created": "2018-11-08T07:41:30Z", "a": )" + deep + "}}");
  put("good.json", document_text("ergon.zoo/1", "2018-11-08T07:41:30Z"));
  EXPECT_EQ(ids(), std::vector<std::string>{"good.json"});
  EXPECT_FALSE(there("deep.json"));
  EXPECT_TRUE(there("good.json"));
}

// Of a large document only the start is read. Parsing this one took 1.5 GB, and other requests waited.
TEST_F(StoredResultsTest, ReadsTheStartOfALargeDocument) {
  const std::string head = R"({"schema": "x/1", "provenance": {"created": "2018-11-08T07:41:30Z"}, "d": )";
  put("cut.json", head + "[");
  put("large.json", head + std::string(2'000'000, '['));
  put("late.json", R"({"schema": "y/1", "d": ")" + std::string(2'000'000, 'x') + "\"}");
  auto seen = ids();
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::string>{"cut.json", "large.json", "late.json"}));
  EXPECT_EQ(results_->list().back().schema, "y/1");
}

TEST_F(StoredResultsTest, RejectsPathsOutsideTheFolder) {
  ASSERT_TRUE(write_file(folder_ / "secret.json", document_text("x/1", "")));
  fs::create_directory(folder_ / "results/sub");
  ASSERT_TRUE(write_file(folder_ / "results/sub/deep.json", document_text("x/1", "")));
  for (const std::string& id :
       {std::string("../secret.json"), (folder_ / "secret.json").string(), std::string("sub/deep.json"),
        std::string("./../secret.json"), std::string("sub/../../secret.json"),
        std::string("jobs/../../secret.json"), std::string(".."), std::string("."), std::string(""),
        std::string("..\\secret.json"), std::string(".json"), std::string("%2e%2e/secret.json"),
        std::string("secret.json\0x", 13), std::string(250, 'a') + ".json"}) {
    const auto document = results_->file(id);
    ASSERT_FALSE(document) << id;
    EXPECT_EQ(document.error().kind, Errc::not_found) << id;
  }
}

TEST_F(StoredResultsTest, RereadsChangedFiles) {
  put("a.json", document_text("one/1", "2018-01-01T00:00:00Z"));
  EXPECT_EQ(results_->list().at(0).schema, "one/1");
  put("a.json", document_text("two/1", "2018-01-01T00:00:00Z"));  // as long as before
  EXPECT_EQ(results_->list().at(0).schema, "two/1");
  EXPECT_EQ(results_->list().at(0).schema, "two/1");
  put("a.json", "no more");
  EXPECT_TRUE(ids().empty());
  EXPECT_FALSE(there("a.json"));
  put("a.json", document_text("three/1", ""));
  EXPECT_EQ(Json::parse(*read_file(*results_->file("a.json")))["schema"], "three/1");
  fs::remove(folder_ / "results/a.json");
  EXPECT_TRUE(ids().empty());
  EXPECT_FALSE(there("a.json"));
}

TEST_F(StoredResultsTest, ListsResultsOfJobs) {
  const auto failed = jobs_->start("reproduce", {{"paper", "fail"}});
  const auto done = jobs_->start("reproduce", {{"paper", "quick"}});
  ASSERT_TRUE(failed && done);
  ASSERT_TRUE(test::eventually(
      [&] { return !jobs_->find(done->id)->running() && !jobs_->find(failed->id)->running(); }));
  put("mine.json", document_text("mine/1", "2018-11-08T07:41:30Z"));
  auto seen = ids();
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::string>{done->id, "mine.json"}));
  const auto all = results_->list();
  const auto of_job =
      std::find_if(all.begin(), all.end(), [&](const StoredResult& each) { return each.id == done->id; });
  ASSERT_NE(of_job, all.end());
  EXPECT_EQ(of_job->title, "reproduce: quick");
  EXPECT_EQ(of_job->schema, "quick/1");
  EXPECT_TRUE(of_job->simulated);
  EXPECT_EQ(*read_file(*results_->file(done->id)), *read_file(*jobs_->result_file(done->id)));
  EXPECT_FALSE(there(failed->id));
  EXPECT_FALSE(there("nobody"));
  ASSERT_TRUE(jobs_->remove(done->id));
  EXPECT_FALSE(there(done->id));
  EXPECT_EQ(ids(), std::vector<std::string>{"mine.json"});
}

}  // namespace
}  // namespace ergon::service
