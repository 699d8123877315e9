// joint with wrong priors, and with readings close to the cap.

#include "control/controllers/joint.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "control/controllers/choice.h"
#include "control/plants/formula_plant.h"

namespace ergon::control {
namespace {

using test::FormulaPlant;

// The formulas, with the power of large batches above idle overestimated.
class DearLargeBatches final : public Surface {
 public:
  explicit DearLargeBatches(double factor) : factor_(factor) {}
  Expectation at(const Point& point) const override {
    Expectation there = test::example_gpu(point);
    if (point.batch > 2) there.power = Watts{50} + (there.power - Watts{50}) * factor_;
    return there;
  }

 private:
  double factor_;
};

struct Visit {
  Point point;
  Watts power;
};

// Runs joint under a cap; each reading differs from the formula by a factor that depends on the step.
std::vector<Visit> visits(
    std::vector<std::int64_t> batches, double prior, Watts cap, int steps,
    const std::function<double(int)>& power_at,
    const std::function<double(int)>& pace_at = [](int) { return 1.0; }) {
  FormulaPlant plant({std::move(batches), {}}, test::example_gpu);
  auto controller =
      make_controller({.kind = ControllerKind::joint, .prior = std::make_shared<DearLargeBatches>(prior)},
                      plant)
          .value();
  std::vector<Visit> all;
  Point point = controller->first(cap).point;
  for (int i = 0; i < steps; ++i) {
    Feedback feedback = plant.run(point, controller->decision_interval()).value();
    *feedback.power = *feedback.power * power_at(i);
    feedback.mean_power = feedback.power;
    feedback.samples *= pace_at(i);
    feedback.cap = cap;
    all.push_back({point, *feedback.power});
    point = controller->step(feedback).point;
  }
  return all;
}

// Readings scatter by 2 % and several batches are close to the cap.
TEST(Joint, ExcludesPointsThatRepeatedlyExceedTheCap) {
  int above = 0, changes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const auto all =
        visits(test::every_batch(64), 1, Watts{105}, 1000, [&](int) { return 1 + 0.02 * random.normal(); });
    for (std::size_t i = 500; i < all.size(); ++i) {
      above += all[i].power > Watts{105};
      changes += all[i].point != all[i - 1].point;
    }
  }
  EXPECT_EQ(changes, 0);
  EXPECT_EQ(above, 0);
}

// A GPU leaving idle: its first batches have a third of the throughput at low power.
TEST(Joint, LimitsTheBatchAfterAMisleadingFirstReading) {
  const auto bent = [](int i) { return i == 0 ? 0.4 : 1.0; };
  const auto all = visits(test::every_batch(256), 1, Watts{120}, 20, bent, bent);
  EXPECT_LE(all[1].point.batch, 8 * all[0].point.batch);
  int longest = 0, in_a_row = 0;
  for (const Visit& each : all) {
    in_a_row = each.power > Watts{120} ? in_a_row + 1 : 0;
    longest = std::max(longest, in_a_row);
  }
  EXPECT_LE(longest, 2);
  for (std::size_t i = 10; i < all.size(); ++i) EXPECT_LE(all[i].power, Watts{120});
  EXPECT_EQ(all.back().point.batch, 5);
}

// Batch 5 draws 116.7 W but is predicted to draw 126 W, above the cap of 120 W; it has 2.5 times the
// throughput of batch 2.
TEST(Joint, ExploresALargeGainThatThePriorExcludes) {
  const auto all = visits({2, 5}, 1.14, Watts{120}, 12, [](int) { return 1.0; });
  EXPECT_EQ(all.front().point.batch, 2);
  EXPECT_EQ(all.back().point.batch, 5);
}

}  // namespace
}  // namespace ergon::control
