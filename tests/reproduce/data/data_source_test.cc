#include "reproduce/data/data_source.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "reproduce/data/sha256.h"
#include "support/temporary_folder.h"

namespace ergon::reproduce {
namespace {

const std::string kSum(64, 'a');

DataSource two_samples() {
  return {"paper",
          "https://example.org",
          {{"events.csv", "events", true, kSum, {}},
           {"gpu.csv", "samples", true, kSum, {}},
           {"gpu-copy.csv", "samples", false, kSum, kSum}}};
}

TEST(DataSource, BundledDescriptionsAreValid) {
  ASSERT_EQ(names_of(data_source_files()), (std::vector<std::string>{"terascope", "thesis"}));
  for (const std::string& paper : names_of(data_source_files())) {
    const auto source = data_source_of(paper);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ(source->paper, paper);
    EXPECT_NE(source->from.find("https://"), std::string::npos);
    EXPECT_FALSE(source->files.empty());
  }
  EXPECT_FALSE(data_source_of("arada"));
}

TEST(DataSource, NamesAFieldThatIsNotValid) {
  const auto error_of = [](const std::string& text) {
    const auto parsed = parse_data_source(text, "source");
    return parsed ? std::string() : parsed.error().message;
  };
  const std::string file = R"({"name": "a", "role": "b", "primary": true, "sha256": ")" + kSum + "\"}";
  EXPECT_EQ(error_of(R"({"paper": "p", "from": "f", "files": [)" + file + "]}"), "");
  EXPECT_NE(error_of(R"({"from": "f", "files": [)" + file + "]}").find("paper"), std::string::npos);
  EXPECT_NE(error_of(R"({"paper": "p", "from": "f", "files": []})").find("files"), std::string::npos);
  EXPECT_NE(error_of(R"({"paper": "p", "from": "f", "files": [1]})").find("files"), std::string::npos);
  EXPECT_NE(error_of(R"({"paper": "p", "from": "f", "file": 1, "files": [)" + file + "]}").find("file"),
            std::string::npos);
  const std::string short_sum =
      R"({"paper": "p", "from": "f", "files": [{"name": "a", "role": "b", "primary": true, "sha256": "12"}]})";
  EXPECT_NE(error_of(short_sum).find("sha256"), std::string::npos);
}

TEST(DataSource, FindsTheFirstFileOfARolePlainOrCompressed) {
  const test::TemporaryFolder folder;
  const DataSource source = two_samples();
  EXPECT_FALSE(find_file(source, "samples", folder.path()));
  ASSERT_TRUE(write_file(folder.path() / "gpu-copy.csv.xz", ""));
  EXPECT_EQ(find_file(source, "samples", folder.path())->path.filename(), "gpu-copy.csv.xz");
  ASSERT_TRUE(write_file(folder.path() / "gpu.csv.gz", ""));
  EXPECT_EQ(find_file(source, "samples", folder.path())->path.filename(), "gpu.csv.gz");
  ASSERT_TRUE(write_file(folder.path() / "gpu.csv", ""));
  EXPECT_EQ(find_file(source, "samples", folder.path())->path.filename(), "gpu.csv");
  EXPECT_FALSE(find_file(source, "events", folder.path()));
}

TEST(DataSource, DownloadTextIsOneLineWithChecksums) {
  EXPECT_EQ(download_text(two_samples(), {"events", "samples"}),
            "paper needs events.csv (sha256 " + kSum + ") and gpu.csv (sha256 " + kSum +
                "), from https://example.org; set their folder with --data");
  EXPECT_EQ(download_text(two_samples(), {"samples"}).find("events.csv"), std::string::npos);
}

TEST(DataSource, NotesAnotherChecksum) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "gpu.csv";
  ASSERT_TRUE(write_file(path, "text"));
  FoundFile found{path, {"gpu.csv", "samples", true, *sha256_of_file(path), {}}};
  EXPECT_EQ(*checksum_note(found), "");
  found.file.sha256 = kSum;
  EXPECT_NE(checksum_note(found)->find("expected " + kSum), std::string::npos);
  // No checksum is known of other compressed files.
  const auto compressed = folder.path() / "gpu.csv.gz";
  ASSERT_TRUE(write_file(compressed, "text"));
  found.path = compressed;
  EXPECT_EQ(*checksum_note(found), "");
  const auto xz = folder.path() / "gpu.csv.xz";
  ASSERT_TRUE(write_file(xz, "text"));
  found.path = xz;
  EXPECT_EQ(*checksum_note(found), "");
  found.file.sha256_xz = kSum;
  EXPECT_NE(checksum_note(found)->find("expected " + kSum), std::string::npos);
}

}  // namespace
}  // namespace ergon::reproduce
