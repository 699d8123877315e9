// What joint does with beliefs that are wrong, and with readings at the brink of a cap.

#include "control/joint.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "control/choice.h"
#include "control/made_plant.h"

namespace ergon::control {
namespace {

using test::MadePlant;

// What the formulas say, with what larger batches draw above idle taken for more.
class DearLargeBatches final : public Surface {
 public:
  explicit DearLargeBatches(double factor) : factor_(factor) {}
  Expectation at(const Point& point) const override {
    Expectation there = test::usual(point);
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

// Lets joint choose batches under a cap, each reading off the formula by a factor that the step decides.
std::vector<Visit> visits(
    std::vector<std::int64_t> batches, double believed, Watts cap, int steps,
    const std::function<double(int)>& power_at,
    const std::function<double(int)>& pace_at = [](int) { return 1.0; }) {
  MadePlant plant({std::move(batches), {}}, test::usual);
  auto controller =
      make_controller({.name = "joint", .believed = std::make_shared<DearLargeBatches>(believed)}, plant)
          .value();
  std::vector<Visit> all;
  Point point = controller->first(cap).point;
  for (int i = 0; i < steps; ++i) {
    Reading reading = plant.run(point, controller->patience()).value();
    *reading.power = *reading.power * power_at(i);
    reading.mean_power = reading.power;
    reading.samples *= pace_at(i);
    reading.cap = cap;
    all.push_back({point, *reading.power});
    point = controller->step(reading).point;
  }
  return all;
}

// Readings scatter by 2 %, and several batches lie close to the cap: what was over it tempts to come back.
TEST(JointAtTheBrink, LeavesForGoodWhatWasOverTheCapAgainAndAgain) {
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

// A chip that wakes up: its first batches bring a third, at little power.
TEST(JointFromABentReading, DoesNotLeap) {
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

// Batch 5 draws 116.7 W and is believed to draw 126 W, over a cap of 120 W; it brings 2.5 times as much as
// batch 2.
TEST(JointThatBelievesTooMuch, TriesWhatWouldBringMuchMore) {
  const auto all = visits({2, 5}, 1.14, Watts{120}, 12, [](int) { return 1.0; });
  EXPECT_EQ(all.front().point.batch, 2);
  EXPECT_EQ(all.back().point.batch, 5);
}

}  // namespace
}  // namespace ergon::control
