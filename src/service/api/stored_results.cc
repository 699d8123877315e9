#include "service/api/stored_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

// "name.json" without path separators, so that it stays in the folder.
bool is_document_name(std::string_view name) {
  const auto fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return name.ends_with(".json") && name.front() != '.' && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), fine);
}

std::optional<StoredResult> read_summary(const std::string& text, const std::string& id) {
  const auto parsed = parse_json<Json>(text);
  if (!parsed) return std::nullopt;
  const Json& json = *parsed;
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()) return std::nullopt;
  StoredResult summary{
      .id = id, .title = id, .schema = json["schema"], .created = "", .simulated = false, .bytes = 0};
  const Json provenance = json.value("provenance", Json::object());
  if (!provenance.is_object()) return summary;
  if (const auto created = provenance.find("created"); created != provenance.end() && created->is_string())
    summary.created = *created;
  if (const auto simulated = provenance.find("simulated");
      simulated != provenance.end() && simulated->is_boolean())
    summary.simulated = *simulated;
  return summary;
}

}  // namespace

std::optional<StoredResult> StoredResults::summary(const fs::path& file, const std::string& id) const {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error || bytes > kMaxBytes) return std::nullopt;
  const auto changed = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  const std::lock_guard lock(mutex_);
  CachedSummary& cached = summaries_[id];
  if (cached.bytes == bytes && cached.changed == changed) return cached.result;
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  cached = {bytes, changed, read_summary(*text, id)};
  if (cached.result) cached.result->bytes = bytes;
  return cached.result;
}

std::vector<StoredResult> StoredResults::list() const {
  std::vector<StoredResult> all;
  for (const Job& job : jobs_.list()) {
    if (!job.result) continue;
    if (auto found = summary(jobs_.document_file(job.id), job.id)) {
      found->title = fmt::format("{}: {}", job.command, job.title);
      all.push_back(std::move(*found));
    }
  }
  std::error_code error;
  for (fs::directory_iterator each(folder_, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!is_document_name(name) || !each->is_regular_file(error)) continue;
    if (auto found = summary(each->path(), name)) all.push_back(std::move(*found));
  }
  std::sort(all.begin(), all.end(),
            [](const StoredResult& a, const StoredResult& b) { return a.created > b.created; });
  return all;
}

Result<fs::path> StoredResults::file(const std::string& id) const {
  const auto unknown = [] {
    return fail(Errc::not_found, "no such result; GET /api/v1/results lists all results");
  };
  if (is_job_id(id)) return jobs_.result_file(id);
  if (!is_document_name(id) || !summary(folder_ / id, id)) return unknown();
  return folder_ / id;
}

}  // namespace ergon::service
