#include "reproduce/terascope_study.h"

#include <filesystem>

#include "fleet/fleet_output.h"
#include "fleet/ingest.h"

namespace ergon::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudyFolder = "../shared/data/fleet";

// Path of the file, plain or compressed.
Result<std::string> find_study_file(const fs::path& folder, const std::string& name) {
  std::error_code failed;
  for (const char* ending : {"", ".xz", ".gz", ".zst"}) {
    const fs::path path = folder / (name + ending);
    if (fs::is_regular_file(path, failed)) return path.string();
  }
  return fail(Errc::not_found, "{}: {} not found, plain or compressed; set the folder with --data",
              folder.string(), name);
}

Result<fleet::Tally> read_study(const TeraScopeStudy& study, const std::string& samples, bool keep_duplicates,
                                Shell& shell) {
  fleet::FleetInputs inputs;
  inputs.logs.push_back({study.files[0], fleet::LogKind::checkpoints, {}, {}});
  inputs.logs.push_back({samples, fleet::LogKind::samples, {}, {}});
  inputs.tasks = study.files[2];
  fleet::AnalysisRules rules;
  rules.keep_duplicates = keep_duplicates;
  fleet::IngestCallbacks callbacks;
  callbacks.stop = shell.stop();
  auto reading = fleet::read_fleet(inputs, rules, callbacks);
  if (!reading) return reading.error();
  return std::move(reading->tally);
}

}  // namespace

Result<TeraScopeStudy> study_terascope(const std::string& folder, Shell& shell) {
  TeraScopeStudy study;
  study.folder = folder.empty() ? kStudyFolder : folder;
  for (const char* name : {"application-checkpoints.csv", "gpu-reconstructed.csv", "task-x-y.csv"}) {
    auto file = find_study_file(study.folder, name);
    if (!file) return file.error();
    study.files.push_back(std::move(*file));
  }
  std::vector<fleet::GpuMeans> means;
  if (const auto truth = find_study_file(study.folder, "per-gpu-truth.csv")) {
    auto read = read_gpu_means(*truth);
    if (!read) return read.error();
    means = std::move(*read);
    study.true_means = true;
    study.files.push_back(*truth);
  }
  const auto counted = read_study(study, study.files[1], true, shell);
  if (!counted) return counted.error();
  study.duplicates_counted = fleet::summarize(*counted, means);
  const auto removed = read_study(study, study.files[1], false, shell);
  if (!removed) return removed.error();
  study.duplicates_removed = fleet::summarize(*removed, means);
  if (const auto few = find_study_file(study.folder, "gpu-real-rows-subset.csv")) {
    const auto real = read_study(study, *few, false, shell);
    if (!real) return real.error();
    study.real_rows = fleet::summarize(*real);
    study.files.push_back(*few);
  }
  return study;
}

}  // namespace ergon::app
