#include "sweep/run_log.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "profile/csv_lines.h"
#include "sweep/run_csv.h"

namespace ergon::sweep {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ergon.sweep.folder/1";

Result<std::string> text_or_nothing(const fs::path& path) {
  auto text = read_file(path);
  if (!text && text.error().kind == Errc::not_found) return std::string();
  return text;
}

Result<Json> known_experiment(const fs::path& path, const std::string& text) {
  const Json json = parse_json<Json>(text).value_or(nullptr);
  const bool ours = json.is_object() && json.value("schema", Json()) == kSchema &&
                    json.value("experiment", Json()).is_object();
  if (!ours) return fail(Errc::invalid_input, "{} is not the description of a sweep", path.string());
  return json["experiment"];
}

std::string shown(const Json& json) { return printable(json.is_null() ? "absent" : json.dump(), 40); }

// "batch is 8 in the folder, 16 now" for the first difference; empty if there is none.
std::string difference(const Json& there, const Json& wanted) {
  for (const auto& [key, value] : wanted.items()) {
    const Json other = there.value(key, Json());
    if (other != value) return fmt::format("{} is {} in the folder, {} now", key, shown(other), shown(value));
  }
  return "";
}

Result<> make(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return errno_error(error.value()).in(folder.string());
  return {};
}

// Contents of a folder.
struct FolderState {
  bool described = false;
  std::string text;  // of runs.csv; the last line may be incomplete
};

// Errors: the folder belongs to another experiment, or has runs and `resume` is false.
Result<FolderState> read_folder_state(const fs::path& folder, const Json& experiment, bool resume) {
  const fs::path described = folder / kSweepFile;
  const auto description = text_or_nothing(described);
  if (!description) return description.error();
  auto text = text_or_nothing(folder / kRunsFile);
  if (!text) return text.error();
  if (description->empty()) {
    if (text->empty()) return FolderState{};
    return fail(Errc::invalid_input, "{} has runs, but no {}; choose another folder", folder.string(),
                kSweepFile);
  }
  const auto there = known_experiment(described, *description);
  if (!there) return there.error();
  if (const std::string differs = difference(*there, experiment["experiment"]); !differs.empty())
    return fail(Errc::invalid_input, "{} has another experiment: {}", folder.string(), differs);
  if (!profile::whole_lines(*text).empty() && !resume)
    return fail(Errc::invalid_input, "{} already has runs; use --resume to continue", folder.string());
  return FolderState{true, std::move(*text)};
}

}  // namespace

Result<RunLog> RunLog::open(const fs::path& folder, const Json& experiment, bool resume) {
  // Check before writing, so a folder of another experiment stays unchanged.
  if (const auto there = read_folder_state(folder, experiment, resume); !there) return there.error();
  if (auto made = make(folder); !made) return made.error();
  auto file = profile::AppendFile::open(folder / kRunsFile);
  if (!file) return file.error();
  const auto locked = file->lock();
  if (!locked) return locked.error();
  if (!*locked) return fail(Errc::invalid_input, "another sweep is writing to {}", folder.string());

  // Check again under the lock.
  const auto there = read_folder_state(folder, experiment, resume);
  if (!there) return there.error();
  if (!there->described) {
    Json json = {{"schema", kSchema}};
    json.update(experiment);
    const std::string written = json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
    if (auto saved = write_file(folder / kSweepFile, written); !saved) return saved.error();
  }
  RunLog log(std::move(*file));
  const std::string_view whole = profile::whole_lines(there->text);
  auto rows = parse_runs(whole, (folder / kRunsFile).string());
  if (!rows) return rows.error();
  if (whole.size() != there->text.size()) {
    if (auto truncated = log.file_.truncate(whole.size()); !truncated) return truncated.error();
  }
  if (whole.empty()) {
    if (auto begun = log.file_.append(run_header()); !begun) return begun.error();
  }
  for (const RunRow& row : *rows) log.done_.insert(row.run);
  log.rows_ = std::move(*rows);
  return log;
}

bool RunLog::holds(const Run& run) const { return done_.contains(as_written(run)); }

Result<> RunLog::append(const RunRow& row) {
  const auto line = run_line(row);
  if (!line) return line.error();
  if (auto appended = file_.append(*line); !appended) return appended;
  done_.insert(as_written(row.run));
  rows_.push_back(row);
  return {};
}

Result<std::vector<RunRow>> read_runs(const fs::path& folder) {
  const auto text = read_file(folder / kRunsFile);
  if (!text) return text.error();
  return parse_runs(profile::whole_lines(*text), (folder / kRunsFile).string());
}

}  // namespace ergon::sweep
