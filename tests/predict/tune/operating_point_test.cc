#include "predict/tune/operating_point.h"

#include <gtest/gtest.h>

namespace ergon::predict {
namespace {

TEST(OperatingPoint, ThroughputHasNoExponent) {
  EXPECT_EQ(throughput_text(SamplesPerSecond{12.3456}), "12.35/s");
  EXPECT_EQ(throughput_text(SamplesPerSecond{999.96}), "1000/s");
  EXPECT_EQ(throughput_text(SamplesPerSecond{1234.6}), "1235/s");
  EXPECT_EQ(throughput_text(SamplesPerSecond{20372.4}), "20,372/s");
  EXPECT_EQ(throughput_text(SamplesPerSecond{3.5e6}), "3,500,000/s");
}

}  // namespace
}  // namespace ergon::predict
