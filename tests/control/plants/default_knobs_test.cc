#include "control/plants/default_knobs.h"

#include <gtest/gtest.h>

namespace ergon::control {
namespace {

TEST(DefaultKnobs, BatchesStartAtOne) {
  EXPECT_EQ(batches_up_to(3), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(batches_up_to(kMaxDefaultBatch).size(), 256u);
}

TEST(DefaultKnobs, ClocksAreEvenlySpacedWithBothEnds) {
  std::vector<Hertz> clocks;
  for (int i = 0; i <= 100; ++i) clocks.push_back(Hertz{1e6 * i});
  EXPECT_EQ(evenly_spaced(clocks, 5),
            (std::vector{Hertz{0}, Hertz{25e6}, Hertz{50e6}, Hertz{75e6}, Hertz{100e6}}));
  EXPECT_EQ(evenly_spaced({Hertz{1}, Hertz{2}}, 5), (std::vector{Hertz{1}, Hertz{2}}));
}

}  // namespace
}  // namespace ergon::control
