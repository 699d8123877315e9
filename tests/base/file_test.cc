#include "base/file.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, AppearsWithItsContent) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", "hello"));
  EXPECT_EQ(*read_file(folder / "a.txt"), "hello");
  ASSERT_TRUE(write_file(folder / "a.txt", "again"));
  EXPECT_EQ(*read_file(folder / "a.txt"), "again");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", "old"));
  {
    auto file = AtomicFile::create(folder / "a.txt");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
    EXPECT_EQ(*read_file(folder / "a.txt"), "old");
  }
  EXPECT_EQ(*read_file(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, HasThePermissionsOfAnOrdinaryFileOrOfTheOldOne) {
  const test::TemporaryFolder folder;
  const mode_t mask = ::umask(022);
  ASSERT_TRUE(write_file(folder / "new", "x"));
  ASSERT_TRUE(write_file(folder / "old", "x"));
  fs::permissions(folder / "old", fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_file(folder / "old", "y"));
  ::umask(mask);
  EXPECT_EQ(static_cast<int>(fs::status(folder / "new").permissions()), 0644);
  EXPECT_EQ(static_cast<int>(fs::status(folder / "old").permissions()), 0600);
}

TEST(AtomicFile, ReplacesTheTargetOfALink) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "real", "old"));
  fs::create_symlink(folder / "real", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "real"), "new");
  fs::remove(folder / "real");
  fs::create_symlink("link", folder / "link_to_link");  // relative, and in the end to nothing
  ASSERT_TRUE(write_file(folder / "link_to_link", "again"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "real"), "again");
}

TEST(AtomicFile, WritesDirectlyToPipesAndDevices) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int reader = ::open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(folder / "pipe", "hello"));
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 5);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_TRUE(write_file("/dev/null", "hello"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_file("/dev/full", "hello").error().message, "/dev/full: no space left on the disk");
}

TEST(AtomicFile, NamesMayBeAsLongAsTheFileSystemAllows) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder / std::string(255, 'n'), "x"));
}

TEST(AtomicFile, ReportsWhyItCannotBeCreated) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(AtomicFile::create(folder / "no/such/file").error().kind, Errc::not_found);
  EXPECT_EQ(AtomicFile::create(folder.path()).error().message,
            folder.path().string() + ": is a directory, not a file");
}

// A limit on the size of files fails the write as a full disk does.
TEST(AtomicFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", "old"));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = write_file(folder / "a.txt", std::string(100'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, Errc::io);
  EXPECT_EQ(*read_file(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(ReadFile, ReportsWhyItCannotRead) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(read_file(folder / "none").error().kind, Errc::not_found);
  EXPECT_EQ(read_file(folder / "none").error().message, (folder / "none").string() + ": no such file");
  EXPECT_EQ(read_file(folder.path()).error().kind, Errc::invalid_input);
}

TEST(ReadFile, DistinguishesPermissionFromMissingFile) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "secret", "x"));
  fs::permissions(folder / "secret", fs::perms::none);
  fs::permissions(folder.path(), fs::perms::all);
  // Nothing is secret from root: look as somebody else.
  const uid_t nobody = 65534, self = ::geteuid();
  ASSERT_EQ(::seteuid(self == 0 ? nobody : self), 0);
  const auto read = read_file(folder / "secret");
  ASSERT_EQ(::seteuid(self), 0);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, Errc::permission);
}

TEST(ReadFile, SizeIsLimited) {
  const test::TemporaryFolder folder;
  const auto file = folder / "a.txt";
  ASSERT_TRUE(write_file(file, "12345678"));
  EXPECT_TRUE(read_file(file, {.file_bytes = 8}));
  const auto refused = read_file(file, {.file_bytes = 7});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, Errc::invalid_input);
  EXPECT_EQ(refused.error().message,
            file.string() + ": larger than 7 B; set ERGON_INPUT_LIMITS=file=SIZE to raise the limit");
  // Devices and pipes say no size.
  const auto endless = read_file("/dev/zero", {.file_bytes = 1 << 20});
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().kind, Errc::invalid_input);
}

// A sparse file of 3 GiB is refused before it is read.
TEST(ReadFile, ALargeFileIsNotRead) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.csv", ""));
  std::filesystem::resize_file(folder / "a.csv", std::uintmax_t{3} << 30);
  const auto refused = read_file(folder / "a.csv");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("larger than 256 MiB"), std::string::npos)
      << refused.error().message;
}

}  // namespace
}  // namespace ergon
