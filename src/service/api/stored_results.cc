#include "service/api/stored_results.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "service/jobs/document_summary.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

std::optional<StoredResult> StoredResults::summary(const fs::path& file, const std::string& id) const {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error || bytes > kMaxBytes) return std::nullopt;
  const auto changed = fs::last_write_time(file, error);
  if (error) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    const auto cached = summaries_.find(id);
    if (cached != summaries_.end() && cached->second.bytes == bytes && cached->second.changed == changed)
      return cached->second.result;
  }
  CachedSummary read{bytes, changed, std::nullopt};
  if (const auto found = summary_of_document(file))
    read.result = StoredResult{.id = id,
                               .title = id,
                               .schema = found->schema,
                               .created = found->created,
                               .simulated = found->simulated,
                               .bytes = bytes};
  const std::lock_guard lock(mutex_);
  return (summaries_[id] = std::move(read)).result;
}

std::optional<StoredResult> StoredResults::summary_of_job(const std::string& id) const {
  const auto job = jobs_.find(id);
  if (!job || !job->result) return std::nullopt;
  auto found = summary(jobs_.document_file(id), id);
  if (found) found->title = fmt::format("{}: {}", job->command, job->title);
  return found;
}

// The files of others were deleted.
void StoredResults::forget_all_but(const std::set<std::string>& ids) const {
  const std::lock_guard lock(mutex_);
  std::erase_if(summaries_, [&](const auto& each) { return !ids.contains(each.first); });
}

std::vector<StoredResult> StoredResults::list() const {
  std::vector<StoredResult> all;
  std::set<std::string> ids;
  for (const std::string& id : jobs_.ids()) {
    ids.insert(id);
    if (auto found = summary_of_job(id)) all.push_back(std::move(*found));
  }
  std::error_code error;
  for (fs::directory_iterator each(folder_, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!is_document_name(name) || !each->is_regular_file(error)) continue;
    ids.insert(name);
    if (auto found = summary(each->path(), name)) all.push_back(std::move(*found));
  }
  forget_all_but(ids);
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
