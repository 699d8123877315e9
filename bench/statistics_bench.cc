#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "base/statistics/bootstrap.h"
#include "base/statistics/correlation.h"
#include "base/statistics/loess.h"
#include "base/statistics/quantile.h"

namespace {

using namespace ergon;

struct Cloud {
  std::vector<double> x, y;
};

Cloud noisy_wave(std::size_t points) {
  Random random(1);
  Cloud cloud;
  for (std::size_t i = 0; i < points; ++i) {
    cloud.x.push_back(random.uniform() * 10);
    cloud.y.push_back(std::sin(cloud.x.back()) + random.uniform());
  }
  return cloud;
}

void loess_fit(benchmark::State& state) {
  const Cloud cloud = noisy_wave(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(statistics::Loess::fit(cloud.x, cloud.y));
}
BENCHMARK(loess_fit)->Arg(100)->Arg(500)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

void spearman_correlation(benchmark::State& state) {
  const Cloud cloud = noisy_wave(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(statistics::spearman(cloud.x, cloud.y));
}
BENCHMARK(spearman_correlation)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

void bootstrap_of_the_median(benchmark::State& state) {
  const Cloud cloud = noisy_wave(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(statistics::bootstrap_values(cloud.y, statistics::median, {}));
}
BENCHMARK(bootstrap_of_the_median)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
