#include <csignal>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "profile/dataset.h"
#include "profile/row_csv.h"
#include "profile/some_rows.h"
#include "support/temporary_folder.h"

namespace ergon::profile {
namespace {

using test::some_composition;
using test::some_operation;

Row numbered(std::int64_t number) {
  Row row = some_operation(0);
  row.repeat = number;
  return row;
}

std::string text_of(std::int64_t rows) {
  std::string text = row_header(Subject::Kind::operation);
  for (std::int64_t i = 0; i < rows; ++i) text += *row_line(numbered(i));
  return text;
}

// A file size limit fails a write in the middle of a line, as a full disk does.
TEST(DatasetFullDisk, AFailedWriteLeavesCompleteLines) {
  const ergon::test::TemporaryFolder place;
  auto dataset = Dataset::open((place / "data").string(), {});
  ASSERT_TRUE(dataset->begin_session(nlohmann::ordered_json::object()));
  for (const std::int64_t i : {0, 1}) ASSERT_TRUE(dataset->append(numbered(i)));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = text_of(2).size() + 50;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto failed = dataset->append(numbered(2));
  Composition composition = some_composition(100);
  const auto composition_failed = dataset->append(composition);
  ::setrlimit(RLIMIT_FSIZE, &before);

  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, Errc::io);
  EXPECT_FALSE(dataset->keys().contains(numbered(2).key()));
  EXPECT_EQ(*read_file(place / "data/operations.csv"), text_of(2));
  ASSERT_FALSE(composition_failed);
  EXPECT_EQ(*read_file(place / "data/composition.csv"), "network,batch,mode,operation,count\n");
  EXPECT_TRUE(dataset->append(numbered(2)));
  EXPECT_TRUE(dataset->append(composition));
  EXPECT_EQ(*read_file(place / "data/operations.csv"), text_of(3));
}

// In a child process with its own mounts and a 64 KiB tmpfs. The exit status encodes the failure.
int live_on_a_small_disk(const std::string& disk) {
  const std::string folder = disk + "/data";
  { std::ofstream(disk + "/ballast") << std::string(8192, 'x'); }
  auto dataset = Dataset::open(folder, {});
  if (!dataset || !dataset->begin_session(nlohmann::ordered_json::object())) return 1;
  std::int64_t rows = 0;
  Result<> appended;
  while ((appended = dataset->append(numbered(rows)))) ++rows;
  const std::string wanted = folder + "/operations.csv: no space left on the disk";
  if (appended.error().kind != Errc::io || appended.error().message != wanted) return 2;
  if (rows < 10 || *read_file(folder + "/operations.csv") != text_of(rows)) return 3;
  if (dataset->append(numbered(rows))) return 4;
  if (::unlink((disk + "/ballast").c_str()) != 0 || !dataset->append(numbered(rows))) return 5;
  return *read_file(folder + "/operations.csv") == text_of(rows + 1) ? 0 : 6;
}

TEST(DatasetFullDisk, ContinuesWhenThereIsSpaceAgain) {
  const ergon::test::TemporaryFolder place;
  constexpr int kNoMounts = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("none", place.path().c_str(), "tmpfs", 0, "size=64k") == 0;
    ::_exit(mounted ? live_on_a_small_disk(place.path().string()) : kNoMounts);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoMounts) GTEST_SKIP() << "cannot mount a tmpfs";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace ergon::profile
