#include "service/http/deadline.h"

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(Deadline, IsAfterTheStart) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(after(start, Seconds{0.25}) - start, std::chrono::milliseconds(250));
  EXPECT_EQ(after(start, Seconds{0}), start);
  EXPECT_EQ(after(start, Seconds{-1}), start);
}

// A request may declare a body of 2^64 - 1 bytes: nine million years at 64 KiB/s.
TEST(Deadline, IsCutToWhatTheClockCanCount) {
  const auto start = std::chrono::steady_clock::now();
  for (const double seconds : {1e10, 2.8e14, 1e300})
    EXPECT_GT(after(start, Seconds{seconds}) - start, std::chrono::hours(24 * 365));
}

}  // namespace
}  // namespace ergon::service
