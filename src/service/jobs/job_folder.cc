#include "service/jobs/job_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"

namespace ergon::service {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxPerSecond = 1000;

// "2018-11-08T07:41:30.5Z" -> "20181108-074130".
std::string id_time(Timestamp now) {
  std::string text = to_text(now).substr(0, 19);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  std::replace(text.begin(), text.end(), 'T', '-');
  return text;
}

}  // namespace

Result<JobFolder> JobFolder::open(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return errno_error(error.value()).in(path.string());
  // Also a folder of an earlier version. Of another user: it stays as it is.
  fs::permissions(path, fs::perms::owner_all, error);
  const fs::path lock = path / ".lock";
  const int file = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno_error(errno).in(lock.string());
  JobFolder folder(path, file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0)
    return fail(Errc::busy, "{}: in use by another server; choose another --results", path.string());
  return folder;
}

JobFolder::JobFolder(JobFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

JobFolder::~JobFolder() {
  if (lock_ >= 0) ::close(lock_);
}

std::vector<Job> JobFolder::load() const {
  std::vector<Job> jobs;
  std::error_code error;
  for (fs::directory_iterator each(path_, error), end; !error && each != end; each.increment(error)) {
    const std::string id = each->path().filename().string();
    if (!is_job_id(id)) continue;
    const auto text = read_file(each->path() / "job.json");
    if (!text) continue;
    const auto json = parse_json<nlohmann::ordered_json>(*text);
    if (!json) continue;
    auto job = job_of(*json);
    if (job && job->id == id) jobs.push_back(std::move(*job));
  }
  return jobs;
}

Result<std::string> JobFolder::create(std::string_view command, Timestamp now) const {
  for (int number = 1; number < kMaxPerSecond; ++number) {
    std::string id = fmt::format("{}-{}-{}", id_time(now), command, number);
    if (::mkdir(of(id).c_str(), 0700) == 0) return id;
    if (errno != EEXIST) return errno_error(errno).in(of(id).string());
  }
  return fail(Errc::io, "more than 999 jobs were started in one second");
}

Result<> JobFolder::store(const Job& job) const { return write_file(of(job.id) / "job.json", job_text(job)); }

Result<> JobFolder::remove(const std::string& id) const {
  std::error_code error;
  fs::remove_all(of(id), error);
  if (error) return errno_error(error.value()).in(of(id).string());
  return {};
}

}  // namespace ergon::service
