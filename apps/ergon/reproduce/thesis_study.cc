#include "reproduce/thesis_study.h"

#include <algorithm>
#include <chrono>

#include "base/statistics/quantile.h"
#include "predict/model/builtin_models.h"
#include "predict/model/model_file.h"
#include "predict/predictor_source.h"
#include "predict/training_source.h"

namespace ergon::app {
namespace {

constexpr const char* kDefaultFolder = "../shared/data/gpu";

// Median over repetitions.
template <typename Work>
Seconds time_of(const Work& work) {
  using Wall = std::chrono::steady_clock;
  constexpr int kTimes = 5;
  std::vector<double> seconds;
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = Wall::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Wall::now() - begin).count());
  }
  return Seconds{statistics::median(seconds).value_or(0)};
}

Result<PredictorLatency> latency_of(const predict::Predictor& predictor) {
  PredictorLatency latency;
  const auto file = predict::builtin_model(predictor.gpu().name);
  latency.load = time_of([&] { (void)predict::read_model(file, "the bundled model"); });
  std::vector<graph::Network> networks;
  for (const ThesisCase& test_case : thesis_cases()) {
    auto network = build(test_case);
    if (!network) return network.error();
    networks.push_back(std::move(*network));
  }
  std::vector<predict::PreparedNetwork> prepared_networks;
  std::optional<Error> failed;
  latency.prepare = time_of([&] {
    prepared_networks.clear();
    for (const graph::Network& network : networks) {
      auto prepared = predictor.prepare(network, {kThesisBatch});
      if (prepared)
        prepared_networks.push_back(std::move(*prepared));
      else
        failed = prepared.error();
    }
  });
  if (failed) return *failed;
  Joules sum;  // keeps the predictions from being optimized away
  latency.predict = time_of([&] {
    for (const predict::PreparedNetwork& each : prepared_networks)
      sum += each.predict({kThesisEnergyClock, {}}).energy.value;
  });
  if (sum <= Joules{0}) return fail(Errc::invalid_input, "a network has no predicted energy");
  return latency;
}

Result<> add_measured(const ThesisOptions& options, ThesisStudy& study, Shell& shell) {
  study.no_operations = "measured tables not found";
  const std::string folder = options.folder.value_or(kDefaultFolder);
  if (!options.folder && !calibrate::holds_thesis_tables(folder)) return {};
  const auto tables = calibrate::read_thesis_tables(folder);
  if (!tables) return tables.error();
  study.folder = folder;
  study.networks = tables->networks;
  if (tables->operations.empty()) return {};
  const auto rows = read_training_data({folder});
  if (!rows) return rows.error();
  auto operations = study_operations(*rows, options.folds, shell);
  if (operations)
    study.operations = std::move(*operations);
  else if (operations.error().kind == Errc::unsupported)
    study.no_operations = operations.error().message;
  else
    return operations.error();
  return {};
}

}  // namespace

Result<ThesisStudy> study_thesis(const ThesisOptions& options, Shell& shell) {
  ThesisStudy study;
  const auto a30 = predictor_for("a30", std::nullopt);
  if (!a30) return a30.error();
  const auto rtx2080ti = predictor_for("rtx2080ti", std::nullopt);
  if (!rtx2080ti) return rtx2080ti.error();
  auto clocks = study_clocks(*a30, *rtx2080ti);
  if (!clocks) return clocks.error();
  study.clocks = std::move(*clocks);
  const auto latency = latency_of(*a30);
  if (!latency) return latency.error();
  study.latency = *latency;
  if (const auto added = add_measured(options, study, shell); !added) return added.error();
  return study;
}

}  // namespace ergon::app
