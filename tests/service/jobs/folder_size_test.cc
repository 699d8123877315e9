#include "service/jobs/folder_size.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

class FolderSize : public testing::Test {
 protected:
  void put(const std::string& file, std::size_t size) {
    fs::create_directories((folder_ / file).parent_path());
    ASSERT_TRUE(write_file(folder_ / file, std::string(size, 'x')));
  }

  test::TemporaryFolder folder_;
};

TEST_F(FolderSize, AddsAllFilesBelow) {
  put("a", 100);
  put("b/c/d", 20);
  put("b/e", 3);
  EXPECT_EQ(folder_size(folder_.path()), Bytes{123});
  EXPECT_EQ(folder_size(folder_ / "missing"), Bytes{});
}

TEST_F(FolderSize, DoesNotFollowLinks) {
  put("a/file", 5);
  put("b/file", 100);
  fs::create_symlink(folder_ / "b/file", folder_ / "a/link");
  fs::create_directory_symlink(folder_ / "b", folder_ / "a/folder");
  fs::create_directory_symlink(folder_ / "a", folder_ / "a/self");
  EXPECT_EQ(folder_size(folder_ / "a"), Bytes{5});
}

// Other files beside the jobs are not Ergon's.
TEST_F(FolderSize, ResultsAreJobsAndDocuments) {
  put("jobs/a/result.json", 10);
  put("tune.json", 5);
  put("movie.mkv", 1000);
  put("backup/tune.json", 1000);
  EXPECT_EQ(ResultsSize(folder_ / "jobs").read(), Bytes{15});
}

TEST_F(FolderSize, ResultsAreCached) {
  put("jobs/a/result.json", 10);
  const ResultsSize size(folder_ / "jobs");
  EXPECT_EQ(size.read(), Bytes{10});
  fs::remove(folder_ / "jobs/a/result.json");
  size.forget();
  EXPECT_EQ(size.read(), Bytes{});
}

}  // namespace
}  // namespace ergon::service
