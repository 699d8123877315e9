#include "control/caps/cap_file.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/units_text.h"
#include "support/temporary_folder.h"

namespace ergon::control {
namespace {

namespace fs = std::filesystem;
using namespace literals;

// Sets file times explicitly, so that no test depends on the resolution of the file system.
void set_time(const fs::path& path, int seconds) {
  fs::last_write_time(path, fs::file_time_type(std::chrono::seconds(seconds)));
}

class FileCapTest : public testing::Test {
 protected:
  // Writes in place, which keeps the inode.
  void write(std::string_view text) { write_at(++time_, text); }
  void write_at(int time, std::string_view text) {
    std::ofstream(path_, std::ios::trunc | std::ios::binary) << text;
    set_time(path_, time);
  }
  void watch(std::string_view text) {
    write(text);
    auto source = file_cap(path_);
    ASSERT_TRUE(source) << source.error().message;
    source_ = std::move(*source);
  }
  // The result of a poll as text, without the path.
  std::string said(Seconds now) {
    const auto polled = source_->poll(now);
    if (polled && !*polled) return "nothing";
    std::string words =
        polled ? to_text((*polled)->cap) + " from " + (*polled)->origin : "error: " + polled.error().message;
    const auto at = words.find(path_);
    return at == std::string::npos ? words : words.replace(at, path_.size(), "PATH");
  }

  ergon::test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "caps.txt").string();
  std::unique_ptr<FileCap> source_;
  int time_ = 1000000;
};

TEST_F(FileCapTest, ReturnsTheCapAndEveryChange) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  EXPECT_EQ(said(1_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(1.1_s), "300 W from file PATH");
  EXPECT_EQ(said(9_s), "nothing");
}

TEST_F(FileCapTest, TheSameCapAgainIsNotAChange) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  write("0.25 kW\n");
  EXPECT_EQ(said(2_s), "nothing");
}

TEST_F(FileCapTest, DetectsARenameAndAnotherSizeAtTheSameTime) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  EXPECT_EQ(said(1_s), "nothing");
  // Same size and time; only the inode differs.
  std::ofstream(folder_ / "new") << "300W\n";
  set_time(folder_ / "new", time_);
  fs::rename(folder_ / "new", path_);
  EXPECT_EQ(said(2_s), "300 W from file PATH");
  EXPECT_EQ(said(3_s), "nothing");
  // Only the size differs.
  write_at(time_, "90W\n");
  EXPECT_EQ(said(4_s), "90 W from file PATH");
}

TEST_F(FileCapTest, DetectsASecondVersionWithTheSameFileTime) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  write_at(time_, "300W\n");
  EXPECT_EQ(said(0.05_s), "300 W from file PATH");
  write_at(time_, "200W\n");
  EXPECT_EQ(said(10_s), "200 W from file PATH");
}

TEST_F(FileCapTest, RereadIgnoresTheFileTime) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  EXPECT_EQ(said(1_s), "nothing");
  write_at(time_, "300W\n");
  EXPECT_EQ(said(2_s), "nothing");
  source_->reread();
  EXPECT_EQ(said(3_s), "300 W from file PATH");
  EXPECT_EQ(said(4_s), "nothing");
  write_at(time_, "200W\n");
  EXPECT_EQ(said(5_s), "nothing");
}

TEST_F(FileCapTest, ReportsInvalidTextOncePerContent) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  const std::string nonsense =
      "error: PATH: \"lots\" does not begin with a number; expected a power (example: 250W); 250 W stays in "
      "force";
  write("lots\n");
  EXPECT_EQ(said(1_s), nonsense);
  write("lots\n");
  EXPECT_EQ(said(2_s), "nothing");
  write("0W\n");
  EXPECT_EQ(said(3_s), "error: PATH: 0W: the cap must be above 0; 250 W stays in force");
  write("250W\n");
  EXPECT_EQ(said(4_s), "nothing");
  write("lots\n");
  EXPECT_EQ(said(5_s), nonsense);
  write("300W\n");
  EXPECT_EQ(said(6_s), "300 W from file PATH");
}

TEST_F(FileCapTest, WaitsForTheRestOfAHalfWrittenFile) {
  watch("");
  EXPECT_EQ(said(0_s), "nothing");
  EXPECT_EQ(said(0.15_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(0.19_s), "300 W from file PATH");
  write("+");
  EXPECT_EQ(said(1_s), "nothing");
  write("+2.5e");  // it grows: the writer is not finished
  EXPECT_EQ(said(1.15_s), "nothing");
  EXPECT_EQ(said(1.3_s), "nothing");
  write("+2.5e2");
  EXPECT_EQ(said(1.34_s), "250 W from file PATH");
}

TEST_F(FileCapTest, StopsWaitingAfterTheGracePeriod) {
  watch("");
  EXPECT_EQ(said(5_s), "nothing");
  EXPECT_EQ(said(5.25_s), "error: PATH: empty; expected a power, for example 250W; no cap was read yet");
  EXPECT_EQ(said(5.3_s), "nothing");
  write("x");
  EXPECT_EQ(said(6_s), "nothing");
  write_at(time_, "y");
  EXPECT_EQ(said(6.15_s), "nothing");
  EXPECT_EQ(said(6.3_s), "nothing");
  EXPECT_EQ(said(6.4_s).substr(0, 16), "error: PATH: \"y\"");
}

TEST_F(FileCapTest, ReportsRemovalOnce) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::remove(path_);
  const auto polled = source_->poll(1_s);
  ASSERT_FALSE(polled);
  EXPECT_EQ(polled.error().kind, Errc::not_found);
  EXPECT_EQ(polled.error().message, path_ + ": removed; 250 W stays in force");
  EXPECT_EQ(said(2_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(3_s), "300 W from file PATH");
  for (const Seconds now : {5_s, 6_s}) {  // removed and restored, twice
    fs::rename(path_, folder_ / "away");
    EXPECT_EQ(said(now), "error: PATH: removed; 300 W stays in force");
    fs::rename(folder_ / "away", path_);
    EXPECT_EQ(said(now + 500_ms), "nothing");
  }
}

TEST_F(FileCapTest, ReportsANonRegularFileOnce) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(said(1_s), "error: PATH: not a regular file; 250 W stays in force");
  EXPECT_EQ(said(2_s), "nothing");
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_EQ(said(3_s), "error: PATH: is a directory, not a file; 250 W stays in force");
  fs::remove(path_);
  write(std::string(5000, ' ') + "250W\n");
  EXPECT_EQ(said(4_s),
            "error: PATH: 5005 bytes long; expected one line, for example 250W; 250 W stays in force");
  EXPECT_EQ(said(5_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(6_s), "300 W from file PATH");
}

TEST_F(FileCapTest, ReportsAnUnreadableFileOnce) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  write("300W\n");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string first = said(1_s);
  const std::string second = said(2_s);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(first, "error: PATH: Too many open files; 250 W stays in force");
  EXPECT_EQ(second, "nothing");
  EXPECT_EQ(said(3_s), "300 W from file PATH");
}

TEST_F(FileCapTest, WritesAnAcknowledgementFile) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  source_->acknowledge(250_W, 0.35_s);
  EXPECT_EQ(read_file(path_ + ".ack").value_or(""), "cap_watts=250 took_seconds=0.35\n");
  source_->acknowledge(199.5_W, 2_s);
  EXPECT_EQ(read_file(path_ + ".ack").value_or(""), "cap_watts=199.5 took_seconds=2\n");
}

TEST_F(FileCapTest, ReportsAFailedAcknowledgementOnce) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::create_directory(path_ + ".ack");
  source_->acknowledge(250_W, 0.35_s);
  write("300W\n");
  EXPECT_EQ(said(1_s), "error: PATH.ack: is a directory, not a file");
  EXPECT_EQ(said(2_s), "300 W from file PATH");
  EXPECT_EQ(said(3_s), "nothing");
}

TEST_F(FileCapTest, OpenNeedsARegularFile) {
  const auto absent = file_cap(path_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, Errc::not_found);
  EXPECT_EQ(absent.error().message, path_ + ": no such file");
  const auto directory = file_cap(folder_.path().string());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().kind, Errc::invalid_input);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const auto pipe = file_cap(path_);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().message, path_ + ": not a regular file");
}

}  // namespace
}  // namespace ergon::control
