#include "sweep/run.h"

#include <gtest/gtest.h>

namespace ergon::sweep {
namespace {

TEST(Run, IsIdentifiedByAllItsFields) {
  const sweep::Run run{"alexnet", 1, Scenario::steady, Hertz{9e8}, 1};
  EXPECT_EQ(run, run);
  EXPECT_NE(run, (sweep::Run{"vgg16", 1, Scenario::steady, Hertz{9e8}, 1}));
  EXPECT_NE(run, (sweep::Run{"alexnet", 2, Scenario::steady, Hertz{9e8}, 1}));
  EXPECT_NE(run, (sweep::Run{"alexnet", 1, Scenario::execution, Hertz{9e8}, 1}));
  EXPECT_NE(run, (sweep::Run{"alexnet", 1, Scenario::steady, std::nullopt, 1}));
  EXPECT_NE(run, (sweep::Run{"alexnet", 1, Scenario::steady, Hertz{9e8}, 2}));
}

}  // namespace
}  // namespace ergon::sweep
