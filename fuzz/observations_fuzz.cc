// A table of runs from elsewhere, and how its columns are called: the first line has the mappings, separated
// by commas, the others are CSV. Whatever they are, they are refused in words, or every row is taken in or
// left out for a reason; the order of the rows changes nothing; and an evaluation of what was taken in has
// numbers that are numbers.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "fuzz/lines_mutator.h"
#include "report/sweep_conclusions.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observation_table.h"
#include "table/csv/read.h"

namespace {

using namespace ergon;
using namespace ergon::sweep;

void expect(bool holds) {
  if (!holds) std::abort();
}

template <typename Q>
void expect_amount(const std::optional<Q>& amount) {
  expect(!amount || (amount->si() > 0 && std::isfinite(amount->si())));
}

void expect_number(const std::optional<double>& number) { expect(!number || std::isfinite(*number)); }

void check(const Observations& all, std::size_t rows) {
  std::size_t left_out = 0;
  for (const auto& [reason, count] : all.excluded) {
    expect(!reason.empty() && count > 0);
    left_out += static_cast<std::size_t>(count);
  }
  expect(!all.runs.empty() && all.runs.size() + left_out == rows);
  expect(std::is_sorted(all.runs.begin(), all.runs.end()));
  for (const Observation& run : all.runs) {
    expect(!run.network.empty() && run.batch >= 0 && (run.power_max || run.power_mean));
    expect_amount(std::optional(run.clock));
    expect_amount(std::optional(run.time));
    expect_amount(run.power_max);
    expect_amount(run.power_mean);
    expect_amount(run.energy);
  }
}

void check(const SweepEvaluation& evaluation, const Observations& all) {
  expect(evaluation.runs == static_cast<std::int64_t>(all.runs.size()));
  std::int64_t runs = 0;
  for (const NetworkEvaluation& network : evaluation.networks) {
    runs += network.measured.runs();
    expect(!network.title.empty() && network.relative_time_max >= 1);
    expect_number(network.relative_time_max);
    expect_number(network.cv_time_max);
    expect_number(network.cv_power_max);
    expect_number(network.energy_saving);
    expect_number(network.time_cost);
    for (const auto& r : {network.r_power_clock, network.r_time_clock, network.r_power_time})
      expect(!r || (std::fabs(r->pearson.estimate) <= 1 && std::fabs(r->spearman.estimate) <= 1));
    if (network.knee) expect(network.knee->low <= network.knee->at && network.knee->at <= network.knee->high);
  }
  expect(runs == evaluation.runs && report::conclusions_of(evaluation).size() == 4);
}

}  // namespace

namespace {

constexpr std::string_view kWords[] = {"network=application",
                                       "clock=sm_app_clock",
                                       "power=power_usage",
                                       "time=run_time:ms",
                                       "network",
                                       "device",
                                       "batch",
                                       "scenario",
                                       "clock_requested_mhz",
                                       "clock_observed_mhz",
                                       "time_seconds",
                                       "power_max_watts",
                                       "power_mean_watts",
                                       "energy_joules",
                                       "valid",
                                       "reasons",
                                       "simulated",
                                       "false",
                                       "500",
                                       "1e-9",
                                       "80.5",
                                       "steady"};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::vector<std::string> mappings;
  for (const std::string_view mapping : split(text.substr(0, end), ',')) {
    if (!mapping.empty()) mappings.emplace_back(mapping);
  }
  const auto csv =
      table::parse_csv(text.substr(std::min(end + 1, text.size())), "fuzz", table::CsvOptions{.threads = 1});
  if (!csv) return 0;
  const auto all = observations_of(csv->table, mappings);
  if (!all) {
    expect(!all.error().message.empty());
    return 0;
  }
  check(*all, csv->table.rows());

  std::vector<std::size_t> backwards(csv->table.rows());
  std::iota(backwards.rbegin(), backwards.rend(), std::size_t{0});
  const auto again = observations_of(csv->table.gather(backwards), mappings);
  expect(again && again->runs == all->runs && again->excluded == all->excluded);

  EvaluationOptions quick;
  quick.association.resamples = 20;
  quick.trend.points = 3;
  quick.threads = 1;
  check(evaluate(*all, quick), *all);
  return 0;
}
