#include "allocate/runtime/schedule_file.h"

#include <sstream>

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/plan.h"
#include "allocate/runtime/schedule_writer.h"
#include "support/process.h"

namespace ergon::allocate {
namespace {

schedule::File mobilenet() {
  const Hardware hardware = arada_hardware("edge-tpu", 20);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  return make_schedule_file("scalesim/MobileNet", hardware,
                            *plan(demands, hardware, {.scheme = Scheme::optimal_split}));
}

std::string error_of(const std::string& text) {
  std::istringstream in(text);
  schedule::File file;
  std::string error;
  return schedule::read(in, file, error) ? "read" : error;
}

TEST(ScheduleFile, RoundTrips) {
  const schedule::File written = mobilenet();
  std::istringstream in(to_text(written));
  schedule::File read;
  std::string error;
  ASSERT_TRUE(schedule::read(in, read, error)) << error;
  EXPECT_EQ(read.network, written.network);
  EXPECT_EQ(read.shares, written.shares);
  EXPECT_EQ(read.frequency_max_hz, 500e6);
  EXPECT_EQ(read.bandwidth_max_bytes_per_second, 20e9);
  EXPECT_EQ(read.switch_seconds, 1e-5);
  ASSERT_EQ(read.layers.size(), 27U);
  for (std::size_t i = 0; i < read.layers.size(); ++i) {
    EXPECT_EQ(read.layers[i].name, written.layers[i].name);
    for (std::size_t j = 0; j < written.shares.size(); ++j) {
      const schedule::Row &a = read.layers[i].rows[j], &b = written.layers[i].rows[j];
      EXPECT_EQ(a.share, b.share);
      EXPECT_EQ(a.frequency_hz, b.frequency_hz);
      EXPECT_EQ(a.tail_frequency_hz, b.tail_frequency_hz);
      EXPECT_EQ(a.tail_after_line, b.tail_after_line);
      EXPECT_EQ(a.voltage_ratio, b.voltage_ratio);
      EXPECT_EQ(a.bandwidth_bytes_per_second, b.bandwidth_bytes_per_second);
      EXPECT_EQ(a.energy_ratio, b.energy_ratio);
      EXPECT_EQ(a.stall_seconds, b.stall_seconds);
      EXPECT_EQ(a.time_seconds, b.time_seconds);
    }
  }
}

// Any mixture of rows is valid: each row meets the time of the first row at its share and needs no more
// energy.
TEST(ScheduleFile, RowsForLessBandwidthAreNotSlowerAndNotCostlier) {
  const schedule::File file = mobilenet();
  int slower = 0;
  for (const schedule::Layer& layer : file.layers) {
    for (std::size_t share = 1; share < file.shares.size(); ++share) {
      const schedule::Row& row = layer.rows[share];
      EXPECT_LE(row.time_seconds[share], layer.rows[0].time_seconds[share] * 1.002000001) << layer.name;
      EXPECT_LE(row.energy_ratio, layer.rows[0].energy_ratio + 1e-12) << layer.name;
      EXPECT_EQ(row.tail_frequency_hz, layer.rows[0].tail_frequency_hz) << layer.name;
      slower += row.frequency_hz < layer.rows[0].frequency_hz ? 1 : 0;
    }
  }
  EXPECT_GT(slower, 10);
}

TEST(ScheduleFile, ErrorsNameLineAndReason) {
  const std::string head =
      "ergon-schedule\t1\nnetwork\tn\nfrequency_max_hz\t5e8\n"
      "bandwidth_max_bytes_per_second\t1e9\nswitch_seconds\t1e-5\n";
  const std::string heading = "layer\t...\n";
  const std::string row = "0\t1\t5e8\t5e8\t-1\t1\t1e9\t1\t0\t1e-3\tconv\n";
  EXPECT_EQ(error_of(head + "shares\t1\n" + heading + row), "read");
  EXPECT_EQ(error_of(""), "line 1: unexpected end of file");
  EXPECT_EQ(error_of("layer,clock\n"), "line 1: not an ergon-schedule file of version 1");
  EXPECT_EQ(error_of("ergon-schedule\t2\n"), "line 1: not an ergon-schedule file of version 1");
  EXPECT_EQ(error_of("ergon-schedule\t1\nframes\t3\n"), "line 2: missing \"network\"");
  EXPECT_EQ(error_of(head), "line 6: unexpected end of file");
  EXPECT_EQ(error_of(head + "shares\t0.5\n"), "line 6: shares must descend from 1");
  EXPECT_EQ(error_of(head + "shares\t1\t1\n"), "line 6: shares must descend from 1");
  EXPECT_EQ(error_of(head + "shares\t1\n" + heading), "line 7: no layers");
  EXPECT_EQ(error_of(head + "shares\t1\n" + heading + "0\t1\n"),
            "line 8: wrong number of fields in a layer row");
  EXPECT_EQ(error_of(head + "shares\t1\n" + heading + "1" + row.substr(1)),
            "line 8: layer row out of order or not numeric");
  EXPECT_EQ(error_of(head + "shares\t1\n" + heading + "0\t1\tnan" + row.substr(7)),
            "line 8: layer row out of order or not numeric");
  const std::string two = "0\t1\t5e8\t5e8\t-1\t1\t1e9\t1\t0\t1e-3\t2e-3\tconv\n";
  EXPECT_EQ(error_of(head + "shares\t1\t0.5\n" + heading + two), "line 8: the last layer has too few rows");
}

// A runtime can copy the header: it needs only C++17 and its standard library.
TEST(ScheduleFile, TheReaderNeedsOnlyTheStandardLibrary) {
  const std::string header = std::string(ERGON_REPOSITORY) + "/src/allocate/runtime/schedule_file.h";
  const auto compiled = test::run_shell(
      "c++ -std=c++17 -fsyntax-only -Wall -Wextra -Werror -x c++ -include " + header + " /dev/null");
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
}

}  // namespace
}  // namespace ergon::allocate
