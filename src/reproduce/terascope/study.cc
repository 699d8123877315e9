#include "reproduce/terascope/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/contract.h"
#include "fleet/ingest.h"
#include "fleet/summary/gpu_means.h"

namespace ergon::reproduce {
namespace {

constexpr const char* kStudyFolder = "../shared/data/fleet";

Result<fleet::Tally> read_study(const TeraScopeFiles& files, const FoundFile& samples, bool keep_duplicates,
                                const Environment& environment) {
  fleet::FleetInputs inputs;
  inputs.logs.push_back({files.checkpoints->path.string(), fleet::LogKind::checkpoints, {}, {}});
  inputs.logs.push_back({samples.path.string(), fleet::LogKind::samples, {}, {}});
  inputs.tasks = files.tasks->path.string();
  fleet::AnalysisRules rules;
  rules.keep_duplicates = keep_duplicates;
  fleet::IngestCallbacks callbacks;
  callbacks.stop = environment.stop;
  auto reading = fleet::read_fleet(inputs, rules, callbacks);
  if (!reading) return reading.error();
  return std::move(reading->tally);
}

}  // namespace

Result<TeraScopeFiles> find_terascope_files(const std::string& folder) {
  const auto source = data_source_of("terascope");
  if (!source) return source.error();
  TeraScopeFiles files;
  files.folder = folder.empty() ? kStudyFolder : folder;
  const auto find = [&](const char* role) { return find_file(*source, role, files.folder); };
  files.checkpoints = find("checkpoints");
  files.samples = find("samples");
  files.tasks = find("tasks");
  files.gpu_means = find("GPU means");
  if (!files.samples) {
    files.samples = find("reconstructed samples");
    files.real_samples = find("real samples");
    files.reconstructed = files.samples.has_value();
  }
  std::vector<std::string> missing;
  if (!files.checkpoints) missing.emplace_back("checkpoints");
  if (!files.samples) missing.emplace_back("samples");
  if (!files.tasks) missing.emplace_back("tasks");
  if (!missing.empty())
    files.missing_data = fmt::format("{}: {} not found; {}", files.folder, fmt::join(missing, ", "),
                                     download_text(*source, missing));
  return files;
}

Result<TeraScopeStudy> study_terascope(const TeraScopeFiles& files, const Environment& environment) {
  ERGON_EXPECTS(files.missing_data.empty());
  TeraScopeStudy study;
  study.reconstructed = files.reconstructed;
  for (const auto* file :
       {&files.checkpoints, &files.samples, &files.tasks, &files.gpu_means, &files.real_samples}) {
    if (!*file) continue;
    study.files.push_back((*file)->path.string());
    const auto note = checksum_note(**file);
    if (!note) return note.error();
    if (!note->empty()) environment.note(*note);
  }
  std::vector<fleet::GpuMeans> means;
  if (files.gpu_means) {
    auto read = fleet::read_gpu_means(files.gpu_means->path.string());
    if (!read) return read.error();
    means = std::move(*read);
    study.true_means = true;
  }
  const auto counted = read_study(files, *files.samples, true, environment);
  if (!counted) return counted.error();
  study.duplicates_counted = fleet::summarize(*counted, means);
  const auto removed = read_study(files, *files.samples, false, environment);
  if (!removed) return removed.error();
  study.duplicates_removed = fleet::summarize(*removed, means);
  if (files.real_samples) {
    const auto real = read_study(files, *files.real_samples, false, environment);
    if (!real) return real.error();
    study.real_rows = fleet::summarize(*real);
  }
  return study;
}

}  // namespace ergon::reproduce
