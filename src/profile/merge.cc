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

// The rows of all datasets so far, in the order in which their keys were first seen.
class Pool {
 public:
  Result<> add(const std::string& folder) {
    auto contents = read_dataset(folder);
    if (!contents) return contents.error();
    auto sessions = load_sessions(folder);
    if (!sessions) return sessions.error();
    const auto before = static_cast<std::int64_t>(sessions_.size());
    const auto own = static_cast<std::int64_t>(sessions->size());
    for (auto& session : *sessions) {
      if (!session.is_object()) return fail(Errc::invalid_input, "{}: a session is no object", folder);
      session["session"] = static_cast<std::int64_t>(sessions_.size()) + 1;
      sessions_.push_back(std::move(session));
    }
    for (Row& row : contents->rows) {
      if (row.session < 1 || row.session > own) {
        return fail(Errc::invalid_input, "{}: a row of {} names session {}, which {} does not have", folder,
                    row.subject.name, row.session, kProvenanceFile);
      }
      row.session += before;
      add(std::move(row));
    }
    std::move(contents->compositions.begin(), contents->compositions.end(),
              std::back_inserter(compositions_));
    for (const fs::path& path : kept_networks(folder)) networks_[path.filename().string()] = path;
    return {};
  }

  Result<> write(const fs::path& folder) const {
    for (const auto what : {Subject::What::operation, Subject::What::network}) {
      std::string text = row_header(what);
      for (const Row& row : rows_) {
        if (row.subject.what != what) continue;
        const auto line = row_line(row);
        if (!line) return line.error();
        text += *line;
      }
      if (auto written = write_file(rows_path(folder, what), text); !written) return written;
    }
    std::string text = composition_header();
    for (const Composition& one : newest(compositions_)) text += composition_lines(one);
    if (auto written = write_file(folder / kCompositionFile, text); !written) return written;
    if (auto written = write_networks(folder / kNetworksFolder); !written) return written;
    return save_sessions(folder, sessions_);
  }

  Merged counts() const {
    const bool simulated =
        std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.simulated; });
    return {static_cast<std::int64_t>(rows_.size()), replaced_, simulated};
  }

 private:
  // Their names tell what they hold, so that those of one name are the same.
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
    const auto [place, is_new] = places_.try_emplace(row.key(), rows_.size());
    if (is_new) {
      rows_.push_back(std::move(row));
      return;
    }
    ++replaced_;
    Row& known = rows_[place->second];
    const bool was_measured = known.status == Status::measured;
    const bool is_measured = row.status == Status::measured;
    const bool later = row.at >= known.at;
    if (is_measured == was_measured ? later : is_measured) known = std::move(row);
  }

  std::vector<Row> rows_;
  std::map<Key, std::size_t> places_;
  std::vector<Composition> compositions_;
  std::vector<nlohmann::ordered_json> sessions_;
  std::map<std::string, fs::path> networks_;  // files, by their names
  std::int64_t replaced_ = 0;
};

// An empty folder beside the one that is to appear; removed again unless it became that.
class Beside {
 public:
  static Result<Beside> make(const fs::path& final_path) {
    const fs::path parent = final_path.has_parent_path() ? final_path.parent_path() : fs::path(".");
    std::error_code failed;
    fs::create_directories(parent, failed);
    std::string pattern = (parent / ".ergon-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) return errno_error(errno).in(final_path.string());
    // mkdtemp makes folders for their owner only; give the permissions an ordinary new one has.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(pattern.c_str(), 0777 & ~mask);
    return Beside(pattern);
  }
  Beside(Beside&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Beside& operator=(Beside&&) = delete;
  ~Beside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  Result<> become(const fs::path& final_path) {
    std::error_code failed;
    fs::rename(path_, final_path, failed);
    if (failed) return errno_error(failed.value()).in(final_path.string());
    path_.clear();
    return {};
  }

 private:
  explicit Beside(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

}  // namespace

Result<Merged> merge_datasets(const std::vector<std::string>& folders, const std::string& into) {
  std::error_code failed;
  fs::path target = fs::path(into);
  if (!target.has_filename()) target = target.parent_path();  // "merged/"
  if (target.empty()) return fail(Errc::invalid_input, "a merged dataset wants a folder");
  if (fs::exists(fs::symlink_status(target, failed))) {
    return fail(Errc::invalid_input, "{}: exists already", into);
  }
  Pool pool;
  for (const std::string& folder : folders) {
    if (auto added = pool.add(folder); !added) return added.error();
  }
  auto beside = Beside::make(target);
  if (!beside) return beside.error();
  if (auto written = pool.write(beside->path()); !written) return written.error();
  if (auto there = beside->become(target); !there) return there.error();
  return pool.counts();
}

}  // namespace ergon::profile
