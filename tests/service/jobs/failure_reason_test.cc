#include "service/jobs/failure_reason.h"

#include <csignal>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

TEST(FailureReason, IsTheLastMessage) {
  EXPECT_EQ(failure_reason(1, std::nullopt, "no such network"), "no such network");
  EXPECT_EQ(failure_reason(2, std::nullopt, ""), "ended with exit code 2 and without a message");
}

TEST(FailureReason, NamesSignals) {
  EXPECT_EQ(failure_reason(137, SIGKILL, "training"),
            "killed by SIGKILL, probably because the machine ran out of memory; last message: training");
  EXPECT_EQ(failure_reason(134, SIGABRT, ""), "killed by SIGABRT (abort)");
  EXPECT_EQ(failure_reason(168, 40, ""), "killed by signal 40");
}

}  // namespace
}  // namespace ergon::service
