#include "sweep/twin/execution.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/statistics/moments.h"
#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"

namespace ergon::sweep {
namespace {

using namespace ergon::literals;

class Execution : public ::testing::Test {
 protected:
  ExecutionWork place(const ExecutionModel& model, const char* name = "keras/vgg16") const {
    return ExecutionWork::prepare(graph::zoo::build(**graph::zoo::find(name)).value(), 1,
                                  device::Precision::fp32, gpu, model)
        .value();
  }
  Seconds executed(const ExecutionModel& model, Hertz clock, std::uint64_t seed = 1) const {
    auto bench = profile::TwinBench::open(gpu, {}, 1).value();
    EXPECT_TRUE(bench->hold_clock(clock));
    Random random(seed);
    return execute(place(model), model, *bench, random).value();
  }
  static ExecutionModel exact() {
    ExecutionModel model;
    model.begin_scatter = model.build_scatter = 0;
    return model;
  }

  device::Specification gpu = device::find_device("v100s").value();
};

TEST_F(Execution, IsTheSumOfItsParts) {
  const ExecutionModel model = exact();
  const ExecutionWork work = place(model);
  // 23 layers at 12 ms, 138,357,544 weights of four bytes at 2.5 GB/s.
  EXPECT_NEAR(work.build().si(), 23 * 0.012 + 138357544 * 4 / 2.5e9, 1e-9);
  EXPECT_NEAR(work.copy().si(), 138357544 * 4 / 10e9, 1e-9);
  for (const Hertz clock : {135_MHz, 1200_MHz}) {
    const Seconds gpu_time = work.search()->at(clock).time + work.iteration()->at(clock).time;
    const Seconds whole = model.begin + work.build() + work.copy() + gpu_time;
    EXPECT_NEAR(executed(model, clock).si(), whole.si(), 1e-6);
  }
}

TEST_F(Execution, TheSearchRunsEveryDistinctConvolution) {
  ExecutionModel model = exact();
  const Seconds fifty = place(model).search()->at(1200_MHz).gpu;
  model.trials = 100;
  EXPECT_NEAR((place(model).search()->at(1200_MHz).gpu / fifty).si(), 2, 1e-9);
  model.trials = 0;
  EXPECT_EQ(place(model).search(), nullptr);
  // Thirteen convolutions, nine of them distinct.
  model.trials = 1;
  EXPECT_EQ(place(model).search()->operations().size(), 9U);
}

TEST_F(Execution, OnlyTheHostScatters) {
  ExecutionModel model;
  EXPECT_NE(executed(model, 900_MHz, 1), executed(model, 900_MHz, 2));
  EXPECT_EQ(executed(exact(), 900_MHz, 1), executed(exact(), 900_MHz, 2));
}

// Each part scatters by its own deviation around its median.
TEST_F(Execution, ScattersAsInTheModel) {
  for (const bool of_build : {false, true}) {
    ExecutionModel model = exact();
    model.trials = 0;
    (of_build ? model.build_scatter : model.begin_scatter) = 0.1;
    const ExecutionWork work = place(model, "caffe/alexnet");
    const Seconds part = of_build ? work.build() : model.begin;
    statistics::Moments logarithms;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      auto bench = profile::TwinBench::open(gpu, {}, 1).value();
      ASSERT_TRUE(bench->hold_clock(900_MHz));
      Random random(seed);
      const Seconds all = execute(work, model, *bench, random).value();
      const Seconds others =
          model.begin + work.build() + work.copy() + work.iteration()->at(900_MHz).time - part;
      logarithms.add(std::log(((all - others) / part).si()));
    }
    // Four standard errors.
    EXPECT_NEAR(*logarithms.standard_deviation(), 0.1, 4 * 0.1 / std::sqrt(800.0)) << of_build;
    EXPECT_NEAR(*logarithms.mean(), 0, 4 * 0.1 / std::sqrt(400.0)) << of_build;
  }
}

TEST_F(Execution, RejectsNetworksWithoutGpuOperations) {
  graph::Network nothing;
  nothing.name = "nothing";
  const auto work = ExecutionWork::prepare(nothing, 1, device::Precision::fp32, gpu, {});
  ASSERT_FALSE(work);
  EXPECT_EQ(work.error().kind, Errc::unsupported);
}

}  // namespace
}  // namespace ergon::sweep
