// The models of the joint controller.

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "control/controllers/batch_time_model.h"
#include "control/controllers/bayesian_linear_model.h"
#include "control/plants/formula_plant.h"
#include "control/surfaces/grid_surface.h"
#include "control/surfaces/oracle.h"

namespace ergon::control {
namespace {

TEST(BayesianLinearModel, RecoversWeightsAndTheirUncertainty) {
  BayesianLinearModel model({1, 1, 1, 1});
  Random random(3);
  const BayesianLinearModel::Features truth{0.3, -0.2, 0.5, 0.1};
  const auto any = [&] {
    return BayesianLinearModel::Features{1, random.uniform() * 4 - 2, random.uniform() * 2,
                                         random.uniform() - 1};
  };
  const double before = model.predict({1, 1, 1, -1}).deviation;
  for (int i = 0; i < 200; ++i) {
    const auto at = any();
    double value = 0;
    for (std::size_t j = 0; j < at.size(); ++j) value += truth[j] * at[j];
    model.add_sample(at, value + 0.02 * (random.uniform() - 0.5), 0.02);
  }
  const auto prediction = model.predict({1, 1, 1, -1});
  EXPECT_NEAR(prediction.mean, 0.3 - 0.2 + 0.5 - 0.1, 0.01);
  EXPECT_LT(prediction.deviation, 0.02 * before);
}

TEST(BayesianLinearModel, OneSampleNarrowsItsPointAndOthersLess) {
  BayesianLinearModel model({0.3, 0.1, 0, 0});
  model.add_sample({1, 0, 0, 0}, 0.2, 0.01);
  EXPECT_NEAR(model.predict({1, 0, 0, 0}).mean, 0.2, 0.001);
  EXPECT_LT(model.predict({1, 0, 0, 0}).deviation, 0.011);
  EXPECT_NEAR(model.predict({1, 2, 0, 0}).deviation, 0.2, 0.01) << "the slope is as unknown as before";
}

TEST(BayesianLinearModel, InflationIsBoundedByThePriorVariance) {
  BayesianLinearModel model({0.3, 0.1, 0.1, 0.1});
  for (int i = 0; i < 5; ++i) model.add_sample({1, 0.5, 0.2, -0.3}, 0.1, 0.01);
  const double known = model.predict({1, 0.5, 0.2, -0.3}).deviation;
  model.inflate_variance(0.02);
  const double inflated = model.predict({1, 0.5, 0.2, -0.3}).deviation;
  EXPECT_GT(inflated, 2 * known);
  EXPECT_LT(inflated, 0.06);
  for (int i = 0; i < 100; ++i) model.inflate_variance(0.02);
  EXPECT_LE(model.predict({1, 0, 0, 0}).deviation, 0.3 + 1e-9);
}

BatchTimeModel::Features features(double batch, double clock) {
  return {std::log(1e-4 * batch / clock), std::log(1e-3), std::log(batch / 16), std::log(clock)};
}
double truth(const BatchTimeModel::Features& at, double kernels, double host) {
  return std::pow(std::pow(std::exp(at.log_kernel_seconds) * kernels, 8) +
                      std::pow(std::exp(*at.log_host_seconds) * host, 8),
                  1.0 / 8);
}

// Two batches of equal duration show that the host is slower than the prior; one batch cannot.
TEST(BatchTimeModel, DistinguishesASlowHostFromSlowKernels) {
  for (const double kernels : {0.8, 1.0, 1.3}) {
    for (const double host : {0.7, 1.0, 2.5, 4.0}) {
      BatchTimeModel model({0.3, 0.05, 0.1, 0.6});
      for (const double batch : {4, 16, 24, 64})
        model.add_sample(features(batch, 1), Seconds{truth(features(batch, 1), kernels, host)});
      for (const double batch : {6, 12, 40, 128, 200}) {
        const auto at = features(batch, 0.9);
        EXPECT_NEAR(model.predict(at).si() / truth(at, kernels, host), 1, 0.08)
            << "batch " << batch << " kernels " << kernels << " host " << host;
      }
    }
  }
}

TEST(BatchTimeModel, PredictsThePriorWithoutSamples) {
  BatchTimeModel model({0.3, 0.05, 0.1, 0.6});
  EXPECT_NEAR(model.predict(features(100, 1)).si(), truth(features(100, 1), 1, 1), 1e-12);
}

TEST(BatchTimeModel, WithoutHostTimeAllTimeIsKernelTime) {
  BatchTimeModel model({1, 0.3, 0.3, 1});
  for (const double batch : {1, 4, 16, 64}) {
    BatchTimeModel::Features at = features(batch, 1);
    at.log_host_seconds.reset();
    model.add_sample(at, Seconds{3 * std::exp(at.log_kernel_seconds) * std::pow(batch / 16, 0.2)});
  }
  BatchTimeModel::Features at = features(32, 1);
  at.log_host_seconds.reset();
  EXPECT_NEAR(model.predict(at).si() / (3 * std::exp(at.log_kernel_seconds) * std::pow(2, 0.2)), 1, 0.02);
}

TEST(GridSurface, IsExactAtItsCellsAndInterpolatesInLogarithms) {
  const auto power_law = [](const Point& point) -> Result<Expectation> {
    const double batch = static_cast<double>(point.batch), clock = point.clock->si() / 1e9;
    return Expectation{Seconds{1e-3 * std::pow(batch, 0.8) / clock},
                       Watts{60 * std::pow(batch, 0.1) * clock}};
  };
  const auto surface =
      GridSurface::of({1, 4, 16, 64}, {Hertz{0.5e9}, Hertz{1e9}, Hertz{2e9}}, power_law).value();
  for (const std::int64_t batch : {1, 3, 16, 40, 64}) {
    for (const double clock : {0.5e9, 0.7e9, 1e9, 1.9e9}) {
      const Point point{batch, Hertz{clock}};
      EXPECT_NEAR(surface.at(point).time.si() / power_law(point)->time.si(), 1, 1e-9);
      EXPECT_NEAR(surface.at(point).power.si() / power_law(point)->power.si(), 1, 1e-9);
    }
  }
  EXPECT_EQ(surface.at({128, Hertz{1e9}}).power, surface.at({64, Hertz{1e9}}).power) << "flat outside";
}

TEST(GridSurface, UnknownPartsStayUnknown) {
  const auto surface = GridSurface::of({1, 8}, {}, [](const Point& point) -> Result<Expectation> {
                         return Expectation{Seconds{1e-3 * static_cast<double>(point.batch)}, Watts{100}};
                       }).value();
  EXPECT_EQ(surface.at({4, {}}).gpu, Seconds{0});
  EXPECT_EQ(surface.at({4, {}}).host, Seconds{0});
}

TEST(GridSurface, ForwardsErrors) {
  const auto failing = [](const Point&) -> Result<Expectation> { return fail(Errc::io, "no"); };
  EXPECT_FALSE(GridSurface::of({1, 2}, {}, failing));
}

TEST(GridBatches, AscendAndIncludeBothEnds) {
  for (const auto& [least, most] :
       {std::pair<std::int64_t, std::int64_t>{1, 256}, {1, 1}, {16, 17}, {3, 1000}}) {
    const auto batches = grid_batches(least, most);
    EXPECT_EQ(batches.front(), least);
    EXPECT_EQ(batches.back(), most);
    EXPECT_TRUE(std::is_sorted(batches.begin(), batches.end()));
    EXPECT_EQ(std::adjacent_find(batches.begin(), batches.end()), batches.end());
  }
}

TEST(Oracle, ReturnsTheBestPointWithinTheCap) {
  const test::FormulaPlant plant({test::every_batch(64), test::ten_clocks()}, test::example_gpu);
  for (const double cap : {80.0, 130.0, 200.0}) {
    const OracleResult verdict = oracle(plant, plant.knobs(), Watts{cap});
    ASSERT_TRUE(verdict.within_cap);
    EXPECT_LE(verdict.best.there.power, Watts{cap});
    for (const std::int64_t batch : plant.knobs().batches) {
      for (const Hertz clock : plant.knobs().clocks) {
        const Expectation there = plant.at({batch, clock});
        if (there.power > Watts{cap}) continue;
        EXPECT_LE(static_cast<double>(batch) / there.time.si(), verdict.best.throughput * (1 + 1e-12));
      }
    }
  }
  const OracleResult none = oracle(plant, plant.knobs(), Watts{51});
  EXPECT_FALSE(none.within_cap);
  EXPECT_EQ(none.best.point, (Point{1, Hertz{0.6e9}}));
}

}  // namespace
}  // namespace ergon::control
