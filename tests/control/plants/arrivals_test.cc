// Open arrivals, and a twin that serves them.

#include "control/plants/arrivals.h"

#include <cmath>

#include <gtest/gtest.h>

#include "control/controllers/choice.h"
#include "control/plants/twin_plant.h"
#include "control/run.h"
#include "control/summary.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"

namespace ergon::control {
namespace {

TEST(Arrivals, HaveThePoissonMeanAndVariance) {
  Arrivals arrivals = Arrivals::poisson(200, 5);
  EXPECT_EQ(arrivals.waiting(Seconds{0}), 0u);
  double sum = 0, squares = 0;
  constexpr int kSeconds = 500;
  for (int second = 1; second <= kSeconds; ++second) {
    const auto came = static_cast<double>(arrivals.waiting(Seconds{1.0 * second}));
    sum += came;
    squares += came * came;
    arrivals.take(arrivals.waiting(Seconds{1.0 * second}));
  }
  const double mean = sum / kSeconds, variance = squares / kSeconds - mean * mean;
  EXPECT_NEAR(mean, 200, 3);
  EXPECT_NEAR(variance / mean, 1, 0.25);
}

TEST(Arrivals, TakeReturnsTheOldestFirst) {
  Arrivals arrivals = Arrivals::poisson(10, 1);
  EXPECT_EQ(arrivals.waiting(Seconds{1}), 0u);
  const std::size_t waiting = arrivals.waiting(Seconds{6});
  ASSERT_GT(waiting, 10u);
  const auto first = arrivals.take(4), second = arrivals.take(waiting - 4);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_LT(first.back(), second.front());
  EXPECT_LE(second.back(), Seconds{6});
  EXPECT_GT(arrivals.next(), Seconds{6});
  EXPECT_EQ(arrivals.waiting(Seconds{6}), 0u);
}

// ResNet-50 on a V100 with Poisson arrivals for 20 s.
CapRun run_open(double rate, Watts cap) {
  const auto network = graph::zoo::build(**graph::zoo::find("resnet50")).value();
  TwinPlant::Settings settings;
  settings.batches = {1, 2, 4, 8, 16, 32, 64};
  settings.arrivals = Arrivals::poisson(rate, 3);
  auto plant = TwinPlant::of(network, device::find_device("v100").value(), settings).value();
  auto controller = make_controller({ControllerKind::joint, {}, nullptr, Watts{300}}, plant).value();
  auto caps = constant_cap(cap);
  return run(plant, *controller, *caps, {.duration = Seconds{20}}).value();
}

TEST(OpenTwin, ServesAllRequestsAndHoldsTheCap) {
  const auto all = run_open(200, Watts{200});
  const Summary summary = summary_of(all);
  EXPECT_NEAR(summary.throughput, 200, 15);
  EXPECT_LE(summary.mean_power, Watts{200});
  EXPECT_EQ(summary.violation_after_settling, Seconds{0});
  ASSERT_TRUE(summary.latency);
  // A request waits at most for the batch in flight and its own.
  EXPECT_LT(*summary.latency, Seconds{0.2});
  EXPECT_GT(*summary.latency, Seconds{0.002});
}

TEST(OpenTwin, PartialLoadDrawsLessPowerAndCausesNoChange) {
  const Summary few = summary_of(run_open(20, Watts{200})), many = summary_of(run_open(400, Watts{200}));
  EXPECT_LT(few.mean_power + Watts{10}, many.mean_power);
  EXPECT_LE(few.changes, 2u);
}

TEST(OpenTwin, LatencyGrowsWithoutBoundUnderOverload) {
  // A V100 cannot serve 2000 images/s under a cap of 120 W.
  const auto all = run_open(2000, Watts{120});
  const Summary summary = summary_of(all);
  EXPECT_LT(summary.throughput, 1500);
  EXPECT_GT(*summary.latency, Seconds{1});
  EXPECT_LE(summary.violation_after_settling, Seconds{0.1});
}

TEST(OpenTwin, NoRequestsIsNotAFault) {
  const auto all = run_open(0.01, Watts{200});
  for (const Decision& each : all.decisions)
    EXPECT_EQ(each.next.reason.find("no samples completed"), std::string::npos) << each.next.reason;
}

}  // namespace
}  // namespace ergon::control
