#include "sweep/twin/execution.h"

#include <gtest/gtest.h>

#include "device/twin/catalogue.h"
#include "graph/zoo/zoo.h"

namespace ergon::sweep {
namespace {

using namespace ergon::literals;

class Execution : public ::testing::Test {
 protected:
  ExecutionWork place(const ExecutionModel& model, const char* name = "keras/vgg16") const {
    return ExecutionWork::place(graph::zoo::build(**graph::zoo::find(name)).value(), 1,
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

TEST_F(Execution, TheSearchTriesEveryDistinctConvolution) {
  ExecutionModel model = exact();
  const Seconds fifty = place(model).search()->at(1200_MHz).gpu;
  model.trials = 100;
  EXPECT_NEAR((place(model).search()->at(1200_MHz).gpu / fifty).si(), 2, 1e-9);
  model.trials = 0;
  EXPECT_EQ(place(model).search(), nullptr);
  // Thirteen convolutions, nine of them distinct, and nothing else.
  model.trials = 1;
  EXPECT_EQ(place(model).search()->operations().size(), 9U);
}

TEST_F(Execution, OnlyTheHostScatters) {
  ExecutionModel model;
  EXPECT_NE(executed(model, 900_MHz, 1), executed(model, 900_MHz, 2));
  EXPECT_EQ(executed(exact(), 900_MHz, 1), executed(exact(), 900_MHz, 2));
}

}  // namespace
}  // namespace ergon::sweep
