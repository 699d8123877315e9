#include "profile/dataset.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
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

Result<Dataset> open(const fs::path& folder, bool resume = false) {
  return Dataset::open(folder.string(), {.resume = resume});
}

// All files of a folder, as text.
std::string shown(const fs::path& folder) {
  const auto contents = read_dataset(folder.string());
  if (!contents) return contents.error().message;
  std::string text;
  for (const Row& row : contents->rows) text += *row_line(row);
  for (const Composition& one : contents->compositions) {
    text += one.network + ":";
    for (const auto& part : one.parts) text += " " + std::to_string(part.count) + "x" + part.operation;
    text += "\n";
  }
  return text;
}

// Three operations, two networks and their compositions.
void fill(const fs::path& folder) {
  auto dataset = open(folder);
  ASSERT_TRUE(dataset) << dataset.error().message;
  ASSERT_EQ(*dataset->begin_session({{"device", "GPU-5c2a"}}), 1);
  for (const std::int64_t i : {0, 1, 2}) ASSERT_TRUE(dataset->append(some_operation(i)));
  for (const std::int64_t i : {1, 2}) {
    ASSERT_TRUE(dataset->append(some_composition(i)));
    ASSERT_TRUE(dataset->append(some_network(i)));
  }
}

TEST(Dataset, ContainsTheAppendedRows) {
  const ergon::test::TemporaryFolder place;
  const fs::path folder = place / "new/data";
  fill(folder);
  const auto contents = read_dataset(folder.string());
  ASSERT_TRUE(contents) << contents.error().message;
  ASSERT_EQ(contents->rows.size(), 5u);
  EXPECT_EQ(*row_line(contents->rows[1]), *row_line(some_operation(1)));
  EXPECT_EQ(*row_line(contents->rows[4]), *row_line(some_network(2)));
  ASSERT_EQ(contents->compositions.size(), 2u);
  EXPECT_EQ(contents->compositions[1].parts.size(), 3u);
  EXPECT_EQ(contents->compositions[1].parts[2].count, 3);
  EXPECT_EQ(*read_file(folder / "provenance.json"), R"({
  "schema": "ergon.dataset/1",
  "sessions": [
    {
      "session": 1,
      "device": "GPU-5c2a"
    }
  ]
}
)");
}

TEST(Dataset, ResumesWhereItStopped) {
  const ergon::test::TemporaryFolder place;
  fill(place / "data");
  const auto refused = open(place / "data");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            (place / "data").string() + " already contains 5 rows; use --resume to add rows");
  auto again = open(place / "data", true);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->keys().size(), 5u);
  EXPECT_TRUE(again->keys().contains(some_network(2).key()));
  EXPECT_EQ(*again->begin_session({{"device", "another"}}), 2);
  EXPECT_TRUE(again->append(some_operation(3, 2)));
  EXPECT_EQ(again->keys().size(), 6u);
  EXPECT_EQ(read_dataset((place / "data").string())->rows.size(), 6u);
}

TEST(Dataset, AnEmptyDatasetOpensWithoutResume) {
  const ergon::test::TemporaryFolder place;
  ASSERT_TRUE(open(place / "data")->begin_session(Json::object()));
  auto again = open(place / "data");
  ASSERT_TRUE(again);
  EXPECT_EQ(*again->begin_session(Json::object()), 2);
}

TEST(Dataset, FailedRowsAreMeasuredAgain) {
  const ergon::test::TemporaryFolder place;
  {
    auto dataset = open(place / "data");
    ASSERT_TRUE(dataset->begin_session(Json::object()));
    for (const auto status : {Status::failed, Status::out_of_memory, Status::unsupported, Status::measured}) {
      Row row = some_operation(static_cast<std::int64_t>(status));
      row.status = status;
      ASSERT_TRUE(dataset->append(row));
    }
  }
  Row again = some_operation(static_cast<std::int64_t>(Status::failed));
  auto dataset = open(place / "data", true);
  EXPECT_EQ(dataset->keys().size(), 3u);
  EXPECT_FALSE(dataset->keys().contains(again.key()));
  ASSERT_TRUE(dataset->append(again));
  EXPECT_TRUE(dataset->keys().contains(again.key()));
  const auto contents = read_dataset((place / "data").string());
  ASSERT_EQ(contents->rows.size(), 4u);
  EXPECT_EQ(contents->rows[3].key(), again.key());
  EXPECT_EQ(contents->rows[3].status, Status::measured);
}

TEST(Dataset, ACompositionIsWrittenOnceUnlessItChanged) {
  const ergon::test::TemporaryFolder place;
  fill(place / "data");
  const std::string before = *read_file(place / "data/composition.csv");
  auto dataset = open(place / "data", true);
  ASSERT_TRUE(dataset->append(some_composition(1)));
  EXPECT_EQ(*read_file(place / "data/composition.csv"), before);
  Composition changed = some_composition(1);
  changed.parts.pop_back();
  ASSERT_TRUE(dataset->append(changed));
  const auto contents = read_dataset((place / "data").string());
  ASSERT_EQ(contents->compositions.size(), 2u);
  EXPECT_EQ(contents->compositions[1].parts.size(), 1u);
}

TEST(Dataset, TwoWritersExcludeEachOther) {
  const ergon::test::TemporaryFolder place;
  auto first = open(place / "data");
  ASSERT_TRUE(first);
  const auto second = open(place / "data", true);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::permission);
  EXPECT_EQ(second.error().message, (place / "data").string() + ": in use by another process");
  Dataset moved = std::move(*first);
  EXPECT_FALSE(open(place / "data"));
  EXPECT_TRUE(read_dataset((place / "data").string()));  // readers are not blocked
  { const Dataset ended = std::move(moved); }
  EXPECT_TRUE(open(place / "data"));
}

TEST(Dataset, RefusesAFolderWithOtherFiles) {
  const ergon::test::TemporaryFolder place;
  ASSERT_TRUE(write_file(place / "thesis.tex", "x"));
  const auto refused = open(place.path(), true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, place.path().string() + " is not a dataset: it contains thesis.tex");
  EXPECT_FALSE(fs::exists(place / "operations.csv"));
  EXPECT_EQ(open(place / "thesis.tex").error().message, (place / "thesis.tex").string() + ": not a folder");
  fs::create_directory(place / "empty");
  EXPECT_TRUE(open(place / "empty"));
}

TEST(Dataset, RefusesAnotherSchema) {
  const ergon::test::TemporaryFolder place;
  EXPECT_EQ(read_dataset(place.path().string()).error().kind, Errc::not_found);
  const std::string sidecar = (place / "provenance.json").string();
  const auto message = [&](std::string_view text) {
    EXPECT_TRUE(write_file(place / "provenance.json", text));
    EXPECT_FALSE(open(place.path(), true));
    return read_dataset(place.path().string()).error().message;
  };
  EXPECT_EQ(message("{"), sidecar + ":1: not JSON");
  EXPECT_EQ(message("[1e999]"), sidecar + ": not JSON: a number is out of range");
  EXPECT_TRUE(message(std::string(50'000, '[')).starts_with(sidecar + ": nested deeper than 128 levels"));
  EXPECT_EQ(message("[]"), sidecar + ": schema \"\" is not supported (expected \"ergon.dataset/1\")");
  EXPECT_EQ(message(R"({"schema": "ergon.dataset/2"})"),
            sidecar + ": schema \"ergon.dataset/2\" is not supported (expected \"ergon.dataset/1\")");
  EXPECT_EQ(message(R"({"schema": "ergon.dataset/1"})"), sidecar + ": the list \"sessions\" is missing");
}

TEST(Dataset, ADamagedLineIsAnErrorAndFilesAreUnchanged) {
  const ergon::test::TemporaryFolder place;
  fill(place / "data");
  const fs::path file = place / "data/operations.csv";
  std::string text = *read_file(file);
  text.replace(text.find("0.00025"), 7, "0,00025");  // line 3
  text += "half a li";
  ASSERT_TRUE(write_file(file, text));
  const auto refused = open(place / "data", true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, file.string() + ":3: 41 fields, but the header has 40");
  EXPECT_EQ(read_dataset((place / "data").string()).error().message, refused.error().message);
  EXPECT_EQ(*read_file(file), text);
}

TEST(Dataset, OtherColumnsAreReadButNotAppendedTo) {
  const ergon::test::TemporaryFolder place;
  fill(place / "data");
  const fs::path file = place / "data/operations.csv";
  std::string text = "id,comment" + read_file(file)->substr(2);
  for (std::size_t at = text.find("\n000"); at != std::string::npos; at = text.find("\n000", at + 1)) {
    text.insert(at + 17, ",\"\"");
  }
  ASSERT_TRUE(write_file(file, text));
  EXPECT_EQ(read_dataset((place / "data").string())->rows.size(), 5u);
  EXPECT_EQ(open(place / "data", true).error().kind, Errc::unsupported);
}

// After truncation at any byte, all earlier entries are read and lost ones can be appended again. Uses memory
// if possible, because thousands of files are synced.
TEST(Dataset, TruncationLosesAtMostTheLastEntry) {
  if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
  const ergon::test::TemporaryFolder place;
  fill(place / "whole");
  const std::string whole = shown(place / "whole");
  for (const std::string name : {"operations.csv", "networks.csv", "composition.csv"}) {
    const std::string text = *read_file(place / "whole" / name);
    for (std::size_t length = 0; length < text.size(); ++length) {
      const fs::path folder = place / "cut";
      fs::remove_all(folder);
      fs::copy(place / "whole", folder);
      fs::resize_file(folder / name, length);
      const auto seen = read_dataset(folder.string());  // as a concurrent reader
      ASSERT_TRUE(seen) << name << " at " << length << ": " << seen.error().message;
      auto dataset = open(folder, true);
      ASSERT_TRUE(dataset) << name << " at " << length << ": " << dataset.error().message;

      const auto kept = read_dataset(folder.string());
      ASSERT_TRUE(kept);
      EXPECT_EQ(kept->rows.size(), seen->rows.size());
      const std::string_view left = std::string_view(text).substr(0, length);
      if (name == "composition.csv") {
        const auto ends = left.find(",,2\n") == std::string_view::npos ? 0u : 1u;
        ASSERT_EQ(kept->compositions.size(), ends) << length;
        for (const std::int64_t i : {1, 2}) ASSERT_TRUE(dataset->append(some_composition(i)));
      } else {
        const auto lines = std::count(left.begin(), left.end(), '\n');
        const auto lost = std::count(text.begin(), text.end(), '\n') - std::max<std::ptrdiff_t>(lines, 1);
        ASSERT_EQ(kept->rows.size(), 5u - static_cast<std::size_t>(lost)) << name << " at " << length;
        ASSERT_EQ(dataset->keys().size(), kept->rows.size());
        for (const Row& row :
             {some_operation(0), some_operation(1), some_operation(2), some_network(1), some_network(2)}) {
          if (dataset->keys().contains(row.key())) continue;
          ASSERT_TRUE(dataset->append(row));
        }
      }
      ASSERT_EQ(shown(folder), whole) << name << " at " << length;
      ASSERT_EQ(*read_file(folder / name), text);
    }
  }
}

}  // namespace
}  // namespace ergon::profile
