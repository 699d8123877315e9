#include "reproduce/thesis/study.h"

#include <algorithm>
#include <chrono>

#include "base/statistics/quantile.h"
#include "device/twin/catalog.h"
#include "predict/model/builtin_models.h"
#include "predict/model/model_file.h"
#include "reproduce/data/data_source.h"

namespace ergon::reproduce {
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

// With the bundled model.
Result<predict::Predictor> predictor_of(const char* device) {
  const auto gpu = device::find_device(device);
  if (!gpu) return gpu.error();
  auto model = predict::read_model(predict::builtin_model(gpu->name), "bundled model");
  if (!model) return model.error();
  return predict::Predictor::with(*gpu, std::move(*model));
}

// Notes files with unknown checksums and returns what to download, or "".
Result<std::string> check_tables(const DataSource& source, const std::string& folder,
                                 const Environment& environment) {
  std::vector<std::string> missing;
  for (const DataFile& file : source.files) {
    const auto found = find_file(source, file.role, folder);
    if (!found) {
      missing.push_back(file.role);
      continue;
    }
    const auto note = checksum_note(*found);
    if (!note) return note.error();
    if (!note->empty()) environment.note(*note);
  }
  return missing.empty() ? std::string() : download_text(source, missing);
}

Result<> add_measured(const ThesisOptions& options, const predict::Learner& learner, ThesisStudy& study,
                      const Environment& environment) {
  study.no_operations = kNoTables;
  const std::string folder = options.folder.value_or(kDefaultFolder);
  const auto source = data_source_of("thesis");
  if (!source) return source.error();
  auto missing = check_tables(*source, folder, environment);
  if (!missing) return missing.error();
  study.missing_data = std::move(*missing);
  if (!options.require_tables && !calibrate::holds_thesis_tables(folder)) return {};
  const auto tables = calibrate::read_thesis_tables(folder);
  if (!tables && !study.missing_data.empty())
    return fail(tables.error().kind, "{}; {}", tables.error().message, study.missing_data);
  if (!tables) return tables.error();
  study.folder = folder;
  study.networks = tables->networks;
  if (tables->operations.empty()) return {};
  const auto rows = options.read_tables(folder);
  if (!rows) return rows.error();
  auto operations = study_operations(*rows, learner, options.folds, environment);
  if (operations)
    study.operations = std::move(*operations);
  else if (operations.error().kind == Errc::unsupported)
    study.no_operations = operations.error().message;
  else
    return operations.error();
  return {};
}

}  // namespace

Result<ThesisStudy> study_thesis(const ThesisOptions& options, const predict::Learner& learner,
                                 const Environment& environment) {
  ThesisStudy study;
  const auto a30 = predictor_of("a30");
  if (!a30) return a30.error();
  const auto rtx2080ti = predictor_of("rtx2080ti");
  if (!rtx2080ti) return rtx2080ti.error();
  auto clocks = study_clocks(*a30, *rtx2080ti);
  if (!clocks) return clocks.error();
  study.clocks = std::move(*clocks);
  const auto latency = latency_of(*a30);
  if (!latency) return latency.error();
  study.latency = *latency;
  if (const auto added = add_measured(options, learner, study, environment); !added) return added.error();
  return study;
}

}  // namespace ergon::reproduce
