#include "service/api/kept_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;

// "name.json", and no way out of the folder.
bool is_document_name(std::string_view name) {
  const auto fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return name.ends_with(".json") && name.front() != '.' && name.size() <= 200 &&
         std::all_of(name.begin(), name.end(), fine);
}

std::optional<KeptResult> head_of(const std::string& text, const std::string& id) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string()) return std::nullopt;
  KeptResult head{
      .id = id, .title = id, .schema = json["schema"], .created = "", .simulated = false, .bytes = 0};
  const Json provenance = json.value("provenance", Json::object());
  if (!provenance.is_object()) return head;
  if (const auto created = provenance.find("created"); created != provenance.end() && created->is_string())
    head.created = *created;
  if (const auto simulated = provenance.find("simulated");
      simulated != provenance.end() && simulated->is_boolean())
    head.simulated = *simulated;
  return head;
}

}  // namespace

std::optional<KeptResult> KeptResults::look(const fs::path& file, const std::string& id) const {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error || bytes > kLargest) return std::nullopt;
  const auto changed = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  const std::lock_guard lock(mutex_);
  Seen& seen = seen_[id];
  if (seen.bytes == bytes && seen.changed == changed) return seen.result;
  const auto text = read_file(file);
  if (!text) return std::nullopt;
  seen = {bytes, changed, head_of(*text, id)};
  if (seen.result) seen.result->bytes = bytes;
  return seen.result;
}

std::vector<KeptResult> KeptResults::list() const {
  std::vector<KeptResult> all;
  for (const Job& job : jobs_.list()) {
    if (!job.result) continue;
    if (auto found = look(jobs_.document_file(job.id), job.id)) {
      found->title = fmt::format("{}: {}", job.command, job.title);
      all.push_back(std::move(*found));
    }
  }
  std::error_code error;
  for (fs::directory_iterator each(folder_, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!is_document_name(name) || !each->is_regular_file(error)) continue;
    if (auto found = look(each->path(), name)) all.push_back(std::move(*found));
  }
  std::sort(all.begin(), all.end(),
            [](const KeptResult& a, const KeptResult& b) { return a.created > b.created; });
  return all;
}

Result<std::string> KeptResults::document(const std::string& id) const {
  if (is_job_id(id)) return jobs_.result(id);
  if (!is_document_name(id)) return fail(Errc::not_found, "there is no such result");
  const auto found = look(folder_ / id, id);
  if (!found) return fail(Errc::not_found, "there is no such result");
  return read_file(folder_ / id);
}

}  // namespace ergon::service
