#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "profile/dataset.h"
#include "profile/row_csv.h"
#include "profile/some_rows.h"
#include "support/temporary_folder.h"

namespace ergon::profile {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::some_composition;
using test::some_network;
using test::some_operation;

// A dataset with one named session.
void make(const fs::path& folder, const std::string& name, const std::vector<Row>& rows,
          const std::vector<Composition>& compositions = {}) {
  auto dataset = Dataset::open(folder.string(), {});
  ASSERT_TRUE(dataset) << dataset.error().message;
  ASSERT_TRUE(dataset->begin_session({{"name", name}}));
  for (const Row& row : rows) ASSERT_TRUE(dataset->append(row));
  for (const Composition& one : compositions) ASSERT_TRUE(dataset->append(one));
}

Row with(Row row, Status status, std::int64_t later_ns) {
  row.status = status;
  row.at.ns += later_ns;
  return row;
}

TEST(Merge, JoinsRowsCompositionsAndSessions) {
  const ergon::test::TemporaryFolder place;
  make(place / "a", "a", {some_operation(0), some_network(0)}, {some_composition(0)});
  make(place / "b", "b", {some_operation(1), some_operation(2)}, {some_composition(0), some_composition(1)});
  const std::string into = (place / "all").string();
  const auto merged = merge_datasets({(place / "a").string(), (place / "b").string()}, into);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->rows, 4);
  EXPECT_EQ(merged->replaced, 0);
  const auto contents = read_dataset(into);
  ASSERT_TRUE(contents);
  std::vector<std::int64_t> sessions;
  for (const Row& row : contents->rows) sessions.push_back(row.session);
  EXPECT_EQ(sessions, (std::vector<std::int64_t>{1, 2, 2, 1}));
  EXPECT_EQ(contents->compositions.size(), 2u);
  const auto sidecar = Json::parse(*read_file(into + "/provenance.json"));
  EXPECT_EQ(sidecar["sessions"].dump(), R"([{"session":1,"name":"a"},{"session":2,"name":"b"}])");
  const auto left_over = std::distance(fs::directory_iterator(place.path()), fs::directory_iterator());
  EXPECT_EQ(left_over, 3);
  EXPECT_TRUE(Dataset::open(into, {.resume = true}));
}

TEST(Merge, CopiesStoredNetworks) {
  const ergon::test::TemporaryFolder place;
  for (const std::string name : {"a", "b"}) {
    make(place / name, name, {some_operation(name == "a" ? 0 : 1)});
    fs::create_directories(place / name / "networks");
    ASSERT_TRUE(write_file(place / name / "networks" / (name + "#1.onnx"), name));
    fs::create_directories(place / name / "networks" / "folder.onnx");
  }
  const std::string into = (place / "all").string();
  ASSERT_TRUE(merge_datasets({(place / "a").string(), (place / "b").string()}, into));
  EXPECT_EQ(*read_file(into + "/networks/a#1.onnx"), "a");
  EXPECT_EQ(*read_file(into + "/networks/b#1.onnx"), "b");
}

TEST(Merge, PrefersMeasuredThenLaterRows) {
  const auto kept = [](const Row& first, const Row& second) {
    const ergon::test::TemporaryFolder place;
    make(place / "a", "a", {first});
    make(place / "b", "b", {second});
    const std::string into = (place / "all").string();
    const auto merged = merge_datasets({(place / "a").string(), (place / "b").string()}, into);
    EXPECT_TRUE(merged && merged->rows == 1 && merged->replaced == 1);
    return read_dataset(into)->rows.at(0).session;
  };
  const Row row = some_operation(0);
  EXPECT_EQ(kept(row, with(row, Status::measured, 5)), 2);
  EXPECT_EQ(kept(with(row, Status::measured, 5), row), 1);
  EXPECT_EQ(kept(row, row), 2);
  EXPECT_EQ(kept(row, with(row, Status::failed, 5)), 1);
  EXPECT_EQ(kept(with(row, Status::out_of_memory, 5), row), 2);
  EXPECT_EQ(kept(with(row, Status::failed, 5), with(row, Status::out_of_memory, 0)), 1);
}

TEST(Merge, ReportsErrors) {
  const ergon::test::TemporaryFolder place;
  make(place / "a", "a", {some_operation(0)});
  const std::string a = (place / "a").string();
  EXPECT_EQ(merge_datasets({a}, a).error().message, a + " already exists; choose another folder");
  const std::string into = (place / "all").string();
  EXPECT_EQ(merge_datasets({a, into}, into).error().message,
            into + ": no dataset found (no provenance.json)");
  ASSERT_TRUE(write_file(place / "a/provenance.json", R"({"schema": "ergon.dataset/1", "sessions": []})"));
  EXPECT_EQ(merge_datasets({a}, into).error().message,
            a + ": a row of conv refers to session 1, which is not in provenance.json");
  EXPECT_FALSE(fs::exists(into));
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()), 1);
}

// Merging converts a dataset with the columns of another version.
TEST(Merge, ConvertsOldColumns) {
  const ergon::test::TemporaryFolder place;
  make(place / "a", "a", {some_operation(0)});
  std::string text = row_header(Subject::Kind::operation) + *row_line(some_operation(0));
  text.insert(text.find('\n'), ",note");
  text.insert(text.size() - 1, ",x");
  ASSERT_TRUE(write_file(place / "a/operations.csv", text));
  ASSERT_FALSE(Dataset::open((place / "a").string(), {.resume = true}));
  const std::string into = (place / "new").string() + "/";
  ASSERT_TRUE(merge_datasets({(place / "a").string()}, into));
  EXPECT_EQ(*read_file(into + "operations.csv"),
            row_header(Subject::Kind::operation) + *row_line(some_operation(0)));
}

}  // namespace
}  // namespace ergon::profile
