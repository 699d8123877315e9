#include "fleet/summary/gpu_means.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ergon::fleet {
namespace {

Result<std::vector<GpuMeans>> means_in(const std::string& text) {
  const ergon::test::TemporaryFolder folder;
  std::ofstream(folder / "gpus.csv") << text;
  return read_gpu_means((folder / "gpus.csv").string());
}

const std::string kColumns = "host,uuid,power_watts,temperature_celsius,utilization,memory";

TEST(GpuMeans, KeepTheMarkOfSimulatedGpus) {
  const auto means =
      means_in(kColumns + ",simulated\na,GPU-0,100,50,90,40,false\nb,GPU-1,100,50,90,40,true\n");
  ASSERT_TRUE(means) << means.error().message;
  EXPECT_FALSE(means->at(0).simulated);
  EXPECT_TRUE(means->at(1).simulated);
  EXPECT_TRUE(summarize(Tally{}, *means).simulated);
  EXPECT_FALSE(summarize(Tally{}, {means->at(0)}).simulated);
}

TEST(GpuMeans, MustBeInRange) {
  const auto means = means_in(kColumns + "\na,GPU-0,100,50,90,40\nb,GPU-1,1e306,50,90,40\n");
  ASSERT_FALSE(means);
  EXPECT_EQ(means.error().kind, Errc::invalid_input);
  EXPECT_NE(means.error().message.find("gpus.csv, row 2: power \"1e+306\" is not 0 to 2000 W"),
            std::string::npos)
      << means.error().message;
}

}  // namespace
}  // namespace ergon::fleet
