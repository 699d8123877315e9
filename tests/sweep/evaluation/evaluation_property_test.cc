#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sweep/evaluation/evaluation.h"

namespace ergon::sweep {
namespace {

Observations some_runs() {
  const auto count = *rc::gen::inRange(1, 120);
  const auto clocks = *rc::gen::inRange(1, 12);
  Observations all;
  for (int i = 0; i < count; ++i) {
    Observation run;
    run.network = std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 3)));
    run.batch = *rc::gen::inRange(0, 2);
    run.clock = Hertz{1e8 * (1 + *rc::gen::inRange(0, clocks))};
    run.time = Seconds{*rc::gen::inRange(1, 2000) / 700.0};
    if (*rc::gen::arbitrary<bool>()) run.power_max = Watts{*rc::gen::inRange(1, 3000) / 7.0};
    if (!run.power_max || *rc::gen::arbitrary<bool>())
      run.power_mean = Watts{*rc::gen::inRange(1, 3000) / 9.0};
    all.runs.push_back(run);
  }
  return all;
}

EvaluationOptions quick() {
  EvaluationOptions options;
  options.association.resamples = 50;
  options.threads = 1;
  return options;
}

RC_GTEST_PROP(EvaluationProperty, DoesNotDependOnTheOrderOfRuns, ()) {
  Observations observations = some_runs();
  const SweepEvaluation before = evaluate(observations, quick());
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::mt19937_64 engine(seed);
  std::shuffle(observations.runs.begin(), observations.runs.end(), engine);
  EvaluationOptions options = quick();
  options.threads = 3;
  RC_ASSERT(evaluate(observations, options) == before);
}

// Scaling by powers of two is exact: values without a unit must not change.
RC_GTEST_PROP(EvaluationProperty, DoesNotDependOnUnits, ()) {
  const Observations observations = some_runs();
  Observations scaled = observations;
  for (Observation& run : scaled.runs) {
    run.time *= 8;
    if (run.power_max) *run.power_max *= 4;
    if (run.power_mean) *run.power_mean *= 4;
  }
  const SweepEvaluation before = evaluate(observations, quick()), after = evaluate(scaled, quick());
  const auto near = [](const std::optional<double>& a, const std::optional<double>& b) {
    return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) < 1e-9);
  };
  for (std::size_t i = 0; i < before.networks.size(); ++i) {
    const NetworkEvaluation &a = before.networks[i], &b = after.networks[i];
    RC_ASSERT(a.r_time_clock == b.r_time_clock);
    RC_ASSERT(a.r_power_clock == b.r_power_clock);
    RC_ASSERT(a.cv_time_max == b.cv_time_max);
    RC_ASSERT(a.relative_time_max == b.relative_time_max);
    RC_ASSERT(a.energy_saving == b.energy_saving);
    RC_ASSERT(a.knee.has_value() == b.knee.has_value());
    if (a.knee) RC_ASSERT(std::abs(a.knee->at - b.knee->at) < 1e-6);
  }
  RC_ASSERT(before.variance.log_time.has_value() == after.variance.log_time.has_value());
  if (before.variance.log_time) {
    RC_ASSERT(near(before.variance.log_time->network, after.variance.log_time->network));
    RC_ASSERT(near(before.variance.log_time->residual, after.variance.log_time->residual));
  }
}

// Points contain every run once; the fastest clock of a network has relative time 1.
RC_GTEST_PROP(EvaluationProperty, NoRunIsLostOrCountedTwice, ()) {
  const Observations observations = some_runs();
  const SweepEvaluation evaluation = evaluate(observations, quick());
  std::int64_t runs = 0;
  for (const NetworkEvaluation& network : evaluation.networks) {
    runs += network.measured.runs();
    double least = INFINITY;
    for (const ClockPoint& point : network.measured.points) {
      std::int64_t here = 0;
      double sum = 0;
      for (const Observation& run : observations.runs) {
        if (run.network != network.measured.network || run.batch != network.measured.batch ||
            run.clock != point.clock)
          continue;
        ++here;
        sum += run.time.si();
      }
      RC_ASSERT(here == point.runs());
      RC_ASSERT(std::abs(sum / static_cast<double>(here) - point.time.mean.si()) < 1e-12 * sum);
      least = std::min(least, point.relative_time);
    }
    RC_ASSERT(least == 1.0);
  }
  RC_ASSERT(runs == static_cast<std::int64_t>(observations.runs.size()));
}

}  // namespace
}  // namespace ergon::sweep
