#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "profile/composition_csv.h"
#include "profile/dataset.h"
#include "profile/dataset_files.h"
#include "profile/row_csv.h"

namespace ergon::profile {
namespace fs = std::filesystem;
namespace {

// The rows of all datasets so far, in order of the first occurrence of their keys.
class MergedRows {
 public:
  Result<> add(const std::string& folder) {
    auto contents = read_dataset(folder);
    if (!contents) return contents.error();
    auto sessions = load_sessions(folder);
    if (!sessions) return sessions.error();
    const auto before = static_cast<std::int64_t>(sessions_.size());
    const auto own = static_cast<std::int64_t>(sessions->size());
    for (auto& session : *sessions) {
      if (!session.is_object())
        return fail(Errc::invalid_input, "{}: a session in provenance.json is not an object", folder);
      session["session"] = static_cast<std::int64_t>(sessions_.size()) + 1;
      sessions_.push_back(std::move(session));
    }
    for (Row& row : contents->rows) {
      if (row.session < 1 || row.session > own) {
        return fail(Errc::invalid_input, "{}: a row of {} refers to session {}, which is not in {}", folder,
                    row.subject.name, row.session, kProvenanceFile);
      }
      row.session += before;
      add(std::move(row));
    }
    std::move(contents->compositions.begin(), contents->compositions.end(),
              std::back_inserter(compositions_));
    for (const fs::path& path : stored_networks(folder)) networks_[path.filename().string()] = path;
    return {};
  }

  Result<> write(const fs::path& folder) const {
    for (const auto kind : {Subject::Kind::operation, Subject::Kind::network}) {
      std::string text = row_header(kind);
      for (const Row& row : rows_) {
        if (row.subject.kind != kind) continue;
        const auto line = row_line(row);
        if (!line) return line.error();
        text += *line;
      }
      if (auto written = write_file(rows_path(folder, kind), text); !written) return written;
    }
    std::string text = composition_header();
    for (const Composition& one : newest(compositions_)) text += composition_lines(one);
    if (auto written = write_file(folder / kCompositionFile, text); !written) return written;
    if (auto written = write_networks(folder / kNetworksFolder); !written) return written;
    return save_sessions(folder, sessions_);
  }

  MergeSummary counts() const {
    const bool simulated =
        std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.simulated; });
    return {static_cast<std::int64_t>(rows_.size()), replaced_, simulated};
  }

 private:
  // File names contain a hash of the content, so files with equal names are equal.
  Result<> write_networks(const fs::path& folder) const {
    if (networks_.empty()) return {};
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return errno_error(failed.value()).in(folder.string());
    for (const auto& [name, path] : networks_) {
      const auto bytes = read_file(path);
      if (!bytes) return bytes.error();
      if (auto written = write_file(folder / name, *bytes); !written) return written;
    }
    return {};
  }

  void add(Row row) {
    const auto [entry, is_new] = index_.try_emplace(row.key(), rows_.size());
    if (is_new) {
      rows_.push_back(std::move(row));
      return;
    }
    ++replaced_;
    Row& known = rows_[entry->second];
    const bool was_measured = known.status == Status::measured;
    const bool is_measured = row.status == Status::measured;
    const bool later = row.at >= known.at;
    if (is_measured == was_measured ? later : is_measured) known = std::move(row);
  }

  std::vector<Row> rows_;
  std::map<Key, std::size_t> index_;
  std::vector<Composition> compositions_;
  std::vector<nlohmann::ordered_json> sessions_;
  std::map<std::string, fs::path> networks_;  // paths by file name
  std::int64_t replaced_ = 0;
};

// A temporary folder next to the final one. Removed on destruction unless it was renamed.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make(const fs::path& final_path) {
    const fs::path parent = final_path.has_parent_path() ? final_path.parent_path() : fs::path(".");
    std::error_code failed;
    fs::create_directories(parent, failed);
    std::string pattern = (parent / ".ergon-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return errno_error(errno).in(final_path.string());
    // mkdtemp creates folders with mode 0700; apply the default permissions.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(pattern.c_str(), 0777 & ~mask);
    return TemporaryFolder(pattern);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  Result<> rename_to(const fs::path& final_path) {
    std::error_code failed;
    fs::rename(path_, final_path, failed);
    if (failed) return errno_error(failed.value()).in(final_path.string());
    path_.clear();
    return {};
  }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

}  // namespace

Result<MergeSummary> merge_datasets(const std::vector<std::string>& folders, const std::string& into) {
  std::error_code failed;
  fs::path target = fs::path(into);
  if (!target.has_filename()) target = target.parent_path();  // "merged/"
  if (target.empty()) return fail(Errc::invalid_input, "--out: the folder name is empty");
  if (fs::exists(fs::symlink_status(target, failed))) {
    return fail(Errc::invalid_input, "{} already exists; choose another folder", into);
  }
  MergedRows pool;
  for (const std::string& folder : folders) {
    if (auto added = pool.add(folder); !added) return added.error();
  }
  auto temporary = TemporaryFolder::make(target);
  if (!temporary) return temporary.error();
  if (auto written = pool.write(temporary->path()); !written) return written.error();
  if (auto renamed = temporary->rename_to(target); !renamed) return renamed.error();
  return pool.counts();
}

}  // namespace ergon::profile
