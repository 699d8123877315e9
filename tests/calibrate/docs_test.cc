// docs/twins.md holds the table that `ergon devices validate` printed; the device files hold the same
// residuals.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "device/twin/catalogue.h"

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
    for (const Residual& each : gpu.residuals) {
      const std::string line =
          fmt::format("| {} | {} | {} | {} | {} | {} | {} |", name, each.table, each.quantity,
                      each.rows_fitted, percent(each.mape_fitted, each.rows_fitted), each.rows_held_back,
                      percent(each.mape_held_back, each.rows_held_back));
      EXPECT_NE(page.find(line), std::string::npos) << line << "\nRun tools/twins-table.";
      ++rows;
    }
  }
  EXPECT_GT(rows, 20);
}

}  // namespace
}  // namespace ergon::device
