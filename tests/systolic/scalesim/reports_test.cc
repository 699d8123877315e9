#include "systolic/scalesim/reports.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace ergon::systolic::scalesim {
namespace {

TEST(PythonText, IsWhatPythonPrints) {
  EXPECT_EQ(python_text(50.0), "50.0");
  EXPECT_EQ(python_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(python_text(100.0 / 3), "33.333333333333336");
  EXPECT_EQ(python_text(1e-4), "0.0001");
  EXPECT_EQ(python_text(9.5e-5), "9.5e-05");
  EXPECT_EQ(python_text(1e15), "1000000000000000.0");
  EXPECT_EQ(python_text(1e16), "1e+16");
  EXPECT_EQ(python_text(1.25e22), "1.25e+22");
  EXPECT_EQ(python_text(0), "0.0");
}

LayerRun some_run() {
  LayerRun run{.name = "a", .macs = 300, .units = 4, .mapping_efficiency = 50, .compute_utilization = 25};
  run.timing = {100,          7, 130, {1, 90, 60}, {1, 95, 30}, {5, 99, 20}, {-10, -1, 55}, {-5, 40, 92},
                {99, 108, 20}};
  return run;
}

TEST(Reports, HaveScaleSimsFields) {
  const std::vector<LayerRun> runs = {some_run()};
  EXPECT_EQ(compute_report(runs, Semantics::v3),
            "LayerID, Total Cycles (incl. prefetch), Total Cycles, Stall Cycles, Overall Util %, Mapping "
            "Efficiency "
            "%, Compute Util %,\n0, 130, 100, 7, 75.0, 50.0, 25.0,\n");
  EXPECT_EQ(compute_report(runs, Semantics::v2),
            "LayerID, Total Cycles, Stall Cycles, Overall Util %, Mapping Efficiency %, Compute Util %,\n"
            "0, 100, 7, 75.0, 50.0, 25.0,\n");
  EXPECT_EQ(bandwidth_report(runs).substr(bandwidth_report(runs).find('\n') + 1),
            "0, 0.6, 0.3, 0.2, 5.5, 2.0, 2.0,\n");
  EXPECT_EQ(
      access_report(runs).substr(access_report(runs).find('\n') + 1),
      "0, 1.0, 90.0, 60, 1.0, 95.0, 30, 5.0, 99.0, 20, -10.0, -1.0, 55, -5.0, 40.0, 92, 99.0, 108.0, 20,\n");
}

TEST(Reports, AreWrittenToTheirOwnFolder) {
  const test::TemporaryFolder folder;
  const std::vector<LayerRun> runs = {some_run()};
  ASSERT_TRUE(write_reports(folder.path() / "a" / "b", runs, Semantics::v3));
  EXPECT_EQ(*read_file(folder.path() / "a/b/COMPUTE_REPORT.csv"), compute_report(runs, Semantics::v3));
  EXPECT_EQ(*read_file(folder.path() / "a/b/BANDWIDTH_REPORT.csv"), bandwidth_report(runs));
  EXPECT_EQ(*read_file(folder.path() / "a/b/DETAILED_ACCESS_REPORT.csv"), access_report(runs));
  ASSERT_TRUE(write_file(folder.path() / "file", ""));
  const auto blocked = write_reports(folder.path() / "file", runs, Semantics::v3);
  ASSERT_FALSE(blocked);
  EXPECT_EQ(blocked.error().kind, Errc::io);
}

}  // namespace
}  // namespace ergon::systolic::scalesim
