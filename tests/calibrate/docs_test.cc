// docs/twins.md contains the table of `ergon devices validate`. It must match the residuals in the device
// files.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "device/twin/catalog.h"

namespace ergon::device {
namespace {

std::string percent(double share, std::int64_t rows) {
  return rows == 0 ? "" : fmt::format("{:.1f} %", 100 * share);
}

TEST(TwinsPage, HasTheResidualsOfTheDeviceFiles) {
  const std::string page = read_file(std::string(ERGON_REPOSITORY) + "/docs/twins.md").value();
  int rows = 0;
  for (const std::string& name : device_names()) {
    const Specification gpu = find_device(name).value();
    for (const TableResidual& each : gpu.residuals) {
      const std::string line =
          fmt::format("| {} | {} | {} | {} | {} | {} | {} |", name, each.table, each.quantity,
                      each.rows_fitted, percent(each.mape_fitted, each.rows_fitted), each.rows_held_out,
                      percent(each.mape_held_out, each.rows_held_out));
      EXPECT_NE(page.find(line), std::string::npos) << line << "\nRun tools/twins-table.";
      ++rows;
    }
  }
  EXPECT_GT(rows, 20);
}

}  // namespace
}  // namespace ergon::device
