#include "control/cap_file.h"

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

// File times are given, so that no test depends on how fine those of the disk are.
void set_time(const fs::path& path, int seconds) {
  fs::last_write_time(path, fs::file_time_type(std::chrono::seconds(seconds)));
}

class WatchedCapTest : public testing::Test {
 protected:
  // Written in place, which keeps the inode.
  void write(std::string_view text) { write_at(++time_, text); }
  void write_at(int time, std::string_view text) {
    std::ofstream(path_, std::ios::trunc | std::ios::binary) << text;
    set_time(path_, time);
  }
  void watch(std::string_view text) {
    write(text);
    auto source = watched_cap(path_);
    ASSERT_TRUE(source) << source.error().message;
    source_ = std::move(*source);
  }
  // What a poll gave, in words, without the path.
  std::string said(Seconds now) {
    const auto polled = source_->poll(now);
    if (polled && !*polled) return "nothing";
    std::string words =
        polled ? to_text((*polled)->cap) + " from " + (*polled)->origin : "error: " + polled.error().message;
    const auto at = words.find(path_);
    return at == std::string::npos ? words : words.replace(at, path_.size(), "PATH");
  }

  test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "caps.txt").string();
  std::unique_ptr<WatchedCap> source_;
  int time_ = 1000000;
};

TEST_F(WatchedCapTest, GivesWhatTheFileSaysAndEveryChangeOfIt) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  EXPECT_EQ(said(1_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(1.1_s), "300 W from file PATH");
  EXPECT_EQ(said(9_s), "nothing");
}

TEST_F(WatchedCapTest, TheSameCapAgainIsNoChange) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  write("0.25 kW\n");
  EXPECT_EQ(said(2_s), "nothing");
}

TEST_F(WatchedCapTest, SeesARenameAndAnotherSizeAtTheSameTime) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  EXPECT_EQ(said(1_s), "nothing");
  // Of the same size and time: only the inode is another.
  std::ofstream(folder_ / "new") << "300W\n";
  set_time(folder_ / "new", time_);
  fs::rename(folder_ / "new", path_);
  EXPECT_EQ(said(2_s), "300 W from file PATH");
  EXPECT_EQ(said(3_s), "nothing");
  // And here only the size.
  write_at(time_, "90W\n");
  EXPECT_EQ(said(4_s), "90 W from file PATH");
}

TEST_F(WatchedCapTest, SeesASecondVersionThatIsTooSoonForItsTimeToDiffer) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  write_at(time_, "300W\n");
  EXPECT_EQ(said(0.05_s), "300 W from file PATH");
  write_at(time_, "200W\n");
  EXPECT_EQ(said(10_s), "200 W from file PATH");
}

TEST_F(WatchedCapTest, RereadsWhenToldWhateverTheTime) {
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

TEST_F(WatchedCapTest, TellsOfNonsenseOncePerContent) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  const std::string nonsense =
      "error: PATH: \"lots\" does not begin with a number; a cap wants a power, such as 250W; 250 W goes on "
      "holding";
  write("lots\n");
  EXPECT_EQ(said(1_s), nonsense);
  write("lots\n");
  EXPECT_EQ(said(2_s), "nothing");
  write("0W\n");
  EXPECT_EQ(said(3_s), "error: PATH: 0W is zero; a cap is above it; 250 W goes on holding");
  write("250W\n");
  EXPECT_EQ(said(4_s), "nothing");
  write("lots\n");
  EXPECT_EQ(said(5_s), nonsense);
  write("300W\n");
  EXPECT_EQ(said(6_s), "300 W from file PATH");
}

TEST_F(WatchedCapTest, WaitsForTheRestOfAHalfWrittenFile) {
  watch("");
  EXPECT_EQ(said(0_s), "nothing");
  EXPECT_EQ(said(0.15_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(0.19_s), "300 W from file PATH");
  write("+");
  EXPECT_EQ(said(1_s), "nothing");
  write("+2.5e");  // it grows, so somebody is still writing
  EXPECT_EQ(said(1.15_s), "nothing");
  EXPECT_EQ(said(1.3_s), "nothing");
  write("+2.5e2");
  EXPECT_EQ(said(1.34_s), "250 W from file PATH");
}

TEST_F(WatchedCapTest, DoesNotWaitForEver) {
  watch("");
  EXPECT_EQ(said(5_s), "nothing");
  EXPECT_EQ(said(5.25_s), "error: PATH: empty; a cap is a power, such as 250W; it gave no cap yet");
  EXPECT_EQ(said(5.3_s), "nothing");
  write("x");
  EXPECT_EQ(said(6_s), "nothing");
  write_at(time_, "y");
  EXPECT_EQ(said(6.15_s), "nothing");
  EXPECT_EQ(said(6.3_s), "nothing");
  EXPECT_EQ(said(6.4_s).substr(0, 16), "error: PATH: \"y\"");
}

TEST_F(WatchedCapTest, TellsOnceThatTheFileWasRemoved) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::remove(path_);
  const auto polled = source_->poll(1_s);
  ASSERT_FALSE(polled);
  EXPECT_EQ(polled.error().kind, Errc::not_found);
  EXPECT_EQ(polled.error().message, path_ + ": removed; 250 W goes on holding");
  EXPECT_EQ(said(2_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(3_s), "300 W from file PATH");
  for (const Seconds now : {5_s, 6_s}) {  // away and back, twice
    fs::rename(path_, folder_ / "away");
    EXPECT_EQ(said(now), "error: PATH: removed; 300 W goes on holding");
    fs::rename(folder_ / "away", path_);
    EXPECT_EQ(said(now + 500_ms), "nothing");
  }
}

TEST_F(WatchedCapTest, TellsOnceWhatIsNoOrdinaryFile) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(said(1_s), "error: PATH: not an ordinary file; 250 W goes on holding");
  EXPECT_EQ(said(2_s), "nothing");
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_EQ(said(3_s), "error: PATH: is a directory, not a file; 250 W goes on holding");
  fs::remove(path_);
  write(std::string(5000, ' ') + "250W\n");
  EXPECT_EQ(said(4_s),
            "error: PATH: 5005 bytes long; a cap is one line, such as 250W; 250 W goes on holding");
  EXPECT_EQ(said(5_s), "nothing");
  write("300W\n");
  EXPECT_EQ(said(6_s), "300 W from file PATH");
}

TEST_F(WatchedCapTest, TellsOnceThatItCannotBeRead) {
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
  EXPECT_EQ(first, "error: PATH: Too many open files; 250 W goes on holding");
  EXPECT_EQ(second, "nothing");
  EXPECT_EQ(said(3_s), "300 W from file PATH");
}

TEST_F(WatchedCapTest, AcknowledgesInAFileBesideIt) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  source_->acknowledge(250_W, 0.35_s);
  EXPECT_EQ(read_file(path_ + ".ack").value_or(""), "cap_watts=250 took_seconds=0.35\n");
  source_->acknowledge(199.5_W, 2_s);
  EXPECT_EQ(read_file(path_ + ".ack").value_or(""), "cap_watts=199.5 took_seconds=2\n");
}

TEST_F(WatchedCapTest, TellsOnceOfAnAcknowledgementThatCouldNotBeWritten) {
  watch("250W\n");
  EXPECT_EQ(said(0_s), "250 W from file PATH");
  fs::create_directory(path_ + ".ack");
  source_->acknowledge(250_W, 0.35_s);
  write("300W\n");
  EXPECT_EQ(said(1_s), "error: PATH.ack: is a directory, not a file");
  EXPECT_EQ(said(2_s), "300 W from file PATH");
  EXPECT_EQ(said(3_s), "nothing");
}

TEST_F(WatchedCapTest, NeedsAnOrdinaryFileToBeginWith) {
  const auto absent = watched_cap(path_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, Errc::not_found);
  EXPECT_EQ(absent.error().message, path_ + ": no such file");
  const auto directory = watched_cap(folder_.path().string());
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().kind, Errc::invalid_input);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const auto pipe = watched_cap(path_);
  ASSERT_FALSE(pipe);
  EXPECT_EQ(pipe.error().message, path_ + ": not an ordinary file");
}

}  // namespace
}  // namespace ergon::control
