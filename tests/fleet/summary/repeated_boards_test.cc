#include "fleet/summary/repeated_boards.h"

#include <gtest/gtest.h>

#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {
namespace {

// Samples of a board at 100 W on a host, every 2 s.
void board_on(test::FleetFiles& files, const std::string& host, const std::string& uuid, std::int64_t from_s,
              std::int64_t to_s) {
  for (std::int64_t at = from_s; at <= to_s; at += 2)
    files.samples.push_back(
        fmt::format(R"("{}","{}","1","{}",100,50,50,30)", test::FleetFiles::text_of(at * 1000), host, uuid));
}

std::string detail_of(const FleetSummary& summary, std::string_view id) {
  for (const Finding& each : summary.findings) {
    if (each.id == id) return each.about_data ? each.detail : "not about data";
  }
  return "";
}

TEST(RepeatedBoards, OneUuidOnTwoHostsAtTheSameTimeIsReported) {
  test::FleetFiles files;
  board_on(files, "node17", "GPU-x", 0, 60);
  board_on(files, "node17.example.com", "GPU-x", 0, 40);
  board_on(files, "node18", "GPU-y", 0, 60);
  const Tally tally = files.tally();
  const auto boards = repeated_boards(tally);
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_TRUE(boards[0].at_once);
  EXPECT_DOUBLE_EQ(boards[0].more_than_once.si(), 4000);
  const FleetSummary summary = summarize(tally);
  EXPECT_EQ(summary.gpus, 3u) << "as many as have GPU time";
  const std::string detail = detail_of(summary, "same_uuid");
  EXPECT_TRUE(detail.starts_with("GPU-x on node17, node17.example.com. Up to 4 kJ is counted more than once"))
      << detail;
  EXPECT_EQ(detail_of(summary, "moved_gpu"), "");
}

TEST(RepeatedBoards, ABoardThatMovedIsNotCountedTwice) {
  test::FleetFiles files;
  board_on(files, "a", "GPU-x", 0, 20);
  board_on(files, "b", "GPU-x", 30, 60);
  const FleetSummary summary = summarize(files.tally());
  EXPECT_EQ(summary.gpus, 1u);
  EXPECT_DOUBLE_EQ(summary.energy.total.si(), 20 * 100 + 30 * 100);
  EXPECT_EQ(detail_of(summary, "same_uuid"), "");
  EXPECT_EQ(detail_of(summary, "moved_gpu"), "GPU-x on a, b. Its energy counts where it was used");
}

// Twins of one device on a whole fleet: GPUs count as their time does, and the finding stays short.
TEST(RepeatedBoards, OneUuidOnManyHostsIsNotOneGpuAndNotALongList) {
  test::FleetFiles files;
  for (int host = 0; host < 64; ++host) board_on(files, fmt::format("node{:02}", host), "GPU-x", 0, 20);
  const FleetSummary summary = summarize(files.tally());
  EXPECT_EQ(summary.gpus, 64u);
  EXPECT_DOUBLE_EQ(summary.energy.gpu_time.si(), 64 * 20);
  const std::string detail = detail_of(summary, "same_uuid");
  EXPECT_TRUE(
      detail.starts_with("GPU-x on node00, node01, node02, node03, node04 and 59 more. Up to 126 kJ is"))
      << detail;
}

// Indices, serial numbers and missing UUIDs do not name a board.
TEST(RepeatedBoards, OnlyUuidsNameBoards) {
  for (const char* uuid : {"", "[N/A]", "N/A"}) {
    test::FleetFiles files;
    board_on(files, "a", uuid, 0, 20);
    board_on(files, "b", uuid, 0, 20);
    const FleetSummary summary = summarize(files.tally());
    EXPECT_EQ(summary.gpus, 2u) << uuid;
    EXPECT_TRUE(summary.repeated_boards.empty()) << uuid;
  }
}

// The hosts are in different parts.
TEST(RepeatedBoards, AreFoundInMergedParts) {
  test::FleetFiles one, other;
  board_on(one, "a", "GPU-x", 0, 20);
  board_on(other, "b", "GPU-x", 0, 20);
  Tally whole = one.tally();
  ASSERT_TRUE(merge(whole, other.tally()));
  EXPECT_EQ(summarize(whole).repeated_boards.size(), 1u);
}

}  // namespace
}  // namespace ergon::fleet
