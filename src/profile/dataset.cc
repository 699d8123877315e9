#include "profile/dataset.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "profile/append_file.h"
#include "profile/composition_csv.h"
#include "profile/dataset_files.h"
#include "profile/row_csv.h"

namespace ergon::profile {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// New directory entries must survive a power failure. Best effort: some file systems do not support it.
void sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

// Files that a kill may leave while a dataset is created.
bool is_leftover(const fs::directory_entry& entry) {
  std::error_code failed;
  const std::string name = entry.path().filename().string();
  const bool file = name == kOperationsFile || name == kNetworksFile || name == kCompositionFile;
  return name.starts_with(".ergon-") || (file && entry.file_size(failed) == 0);
}

// Creates the folder if necessary. Errors: it is neither a dataset nor empty.
Result<> prepare(const fs::path& folder) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder, failed);
  if (!fs::exists(status)) {
    fs::create_directories(folder, failed);
    if (failed) return errno_error(failed.value()).in(folder.string());
    sync_folder(folder.has_parent_path() ? folder.parent_path() : fs::path("."));
    return {};
  }
  if (!fs::is_directory(status)) return fail(Errc::invalid_input, "not a folder").in(folder.string());
  if (fs::exists(folder / kProvenanceFile, failed)) return {};
  fs::directory_iterator entries(folder, failed);
  if (failed) return errno_error(failed.value()).in(folder.string());
  const auto other = std::find_if_not(begin(entries), end(entries), is_leftover);
  if (other == end(entries)) return {};
  return fail(Errc::invalid_input, "{} is not a dataset: it contains {}", folder.string(),
              printable(other->path().filename().string()));
}

// Network, batch and mode.
using CompositionKey = std::tuple<std::string, std::int64_t, graph::Mode>;
CompositionKey key_of(const Composition& composition) {
  return {composition.network, composition.batch, composition.mode};
}

// Prepares a file for appending: removes an incomplete last line and writes the header if it is missing.
template <typename Entry>
Result<> repair(AppendFile& file, const LoadedFile<Entry>& stored, std::string_view header) {
  if (stored.whole < stored.size) {
    if (auto done = file.truncate(stored.whole); !done) return done;
  }
  if (stored.whole == 0) return file.append(header);
  return {};
}

}  // namespace

class Dataset::Files {
 public:
  static Result<std::unique_ptr<Files>> open(const fs::path& folder, const OpenOptions& opening);

  const std::set<Key>& keys() const { return keys_; }
  Result<std::int64_t> begin_session(const Json& provenance);
  std::map<std::string, std::string> products() const { return products_of(sessions_); }
  Result<> append(const Row& row);
  Result<> append(const Composition& composition);

 private:
  Files(fs::path folder, AppendFile operations, AppendFile networks, AppendFile composition)
      : folder_(std::move(folder)),
        operations_(std::move(operations)),
        networks_(std::move(networks)),
        composition_(std::move(composition)) {}

  Result<> load(const OpenOptions& opening);
  void note(const Row& row);

  fs::path folder_;
  AppendFile operations_, networks_, composition_;
  std::vector<Json> sessions_;
  std::set<Key> keys_;
  std::map<CompositionKey, std::string> compositions_;  // as CSV text
};

// The lock is on operations.csv, which is never replaced by another file.
Result<std::unique_ptr<Dataset::Files>> Dataset::Files::open(const fs::path& folder,
                                                             const OpenOptions& opening) {
  if (auto prepared = prepare(folder); !prepared) return prepared.error();
  auto operations = AppendFile::open(rows_path(folder, Subject::Kind::operation));
  if (!operations) return operations.error();
  const auto locked = operations->lock();
  if (!locked) return locked.error();
  if (!*locked) return fail(Errc::permission, "{}: in use by another process", folder.string());
  auto networks = AppendFile::open(rows_path(folder, Subject::Kind::network));
  if (!networks) return networks.error();
  auto composition = AppendFile::open(folder / kCompositionFile);
  if (!composition) return composition.error();
  std::unique_ptr<Files> files(
      new Files(folder, std::move(*operations), std::move(*networks), std::move(*composition)));
  if (auto loaded = files->load(opening); !loaded) return loaded.error();
  return files;
}

// Files are not changed until all of them have been read and checked.
Result<> Dataset::Files::load(const OpenOptions& opening) {
  auto sessions = load_sessions(folder_);
  const bool made = !sessions && sessions.error().kind == Errc::not_found;
  if (!sessions && !made) return sessions.error();
  const auto operations = load_rows(folder_, Subject::Kind::operation);
  if (!operations) return operations.error();
  const auto networks = load_rows(folder_, Subject::Kind::network);
  if (!networks) return networks.error();
  const auto compositions = load_compositions(folder_);
  if (!compositions) return compositions.error();

  const std::size_t rows = operations->entries.size() + networks->entries.size();
  if (rows > 0 && !opening.resume) {
    return fail(Errc::invalid_input, "{} already contains {}; use --resume to add rows", folder_.string(),
                counted(rows, "row"));
  }
  if (!operations->same_columns || !networks->same_columns || !compositions->same_columns) {
    return fail(Errc::unsupported, "{}: the columns are those of another version; {}", folder_.string(),
                "use ergon profile merge to convert it");
  }
  if (made) {
    if (auto saved = save_sessions(folder_, {}); !saved) return saved;
  }
  sync_folder(folder_);
  const auto operations_header = row_header(Subject::Kind::operation);
  if (auto done = repair(operations_, *operations, operations_header); !done) return done;
  const auto networks_header = row_header(Subject::Kind::network);
  if (auto done = repair(networks_, *networks, networks_header); !done) return done;
  if (auto done = repair(composition_, *compositions, composition_header()); !done) return done;

  if (!made) sessions_ = std::move(*sessions);
  for (const Row& row : operations->entries) note(row);
  for (const Row& row : networks->entries) note(row);
  for (const Composition& one : compositions->entries) compositions_[key_of(one)] = composition_lines(one);
  return {};
}

void Dataset::Files::note(const Row& row) {
  if (row.status == Status::failed) {
    keys_.erase(row.key());
  } else {
    keys_.insert(row.key());
  }
}

Result<std::int64_t> Dataset::Files::begin_session(const Json& provenance) {
  ERGON_EXPECTS(provenance.is_object());
  const auto number = static_cast<std::int64_t>(sessions_.size()) + 1;
  Json session{{"session", number}};
  for (const auto& [name, value] : provenance.items()) {
    if (name != "session") session[name] = value;
  }
  std::vector<Json> sessions = sessions_;
  sessions.push_back(std::move(session));
  if (auto saved = save_sessions(folder_, sessions); !saved) return saved.error();
  sessions_ = std::move(sessions);
  return number;
}

Result<> Dataset::Files::append(const Row& row) {
  ERGON_EXPECTS(row.session >= 1 && row.session <= static_cast<std::int64_t>(sessions_.size()));
  AppendFile& file = row.subject.kind == Subject::Kind::operation ? operations_ : networks_;
  const auto line = row_line(row);
  if (!line) return line.error().in(file.path().string());
  if (auto appended = file.append(*line); !appended) return appended;
  note(row);
  return {};
}

Result<> Dataset::Files::append(const Composition& composition) {
  std::string lines = composition_lines(composition);
  const auto stored = compositions_.find(key_of(composition));
  if (stored != compositions_.end() && stored->second == lines) return {};
  if (auto appended = composition_.append(lines); !appended) return appended;
  compositions_[key_of(composition)] = std::move(lines);
  return {};
}

Dataset::Dataset(std::unique_ptr<Files> files) : files_(std::move(files)) {}
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;
Dataset::~Dataset() = default;

Result<Dataset> Dataset::open(const std::string& folder, const OpenOptions& opening) {
  auto files = Files::open(folder, opening);
  if (!files) return files.error();
  return Dataset(std::move(*files));
}

const std::set<Key>& Dataset::keys() const { return files_->keys(); }
std::map<std::string, std::string> Dataset::products() const { return files_->products(); }

Result<std::int64_t> Dataset::begin_session(const Json& provenance) {
  return files_->begin_session(provenance);
}
Result<> Dataset::append(const Row& row) { return files_->append(row); }
Result<> Dataset::append(const Composition& composition) { return files_->append(composition); }

bool DatasetContents::simulated() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.simulated; });
}

Result<DatasetContents> read_dataset(const std::string& folder) {
  const auto sessions = load_sessions(folder);
  if (!sessions && sessions.error().kind == Errc::not_found) {
    return fail(Errc::not_found, "{}: no dataset found (no provenance.json)", folder);
  }
  if (!sessions) return sessions.error();
  DatasetContents contents;
  for (const auto kind : {Subject::Kind::operation, Subject::Kind::network}) {
    auto rows = load_rows(folder, kind);
    if (!rows) return rows.error();
    for (Row& row : newest(std::move(rows->entries))) contents.rows.push_back(std::move(row));
  }
  auto compositions = load_compositions(folder);
  if (!compositions) return compositions.error();
  contents.compositions = newest(std::move(compositions->entries));
  contents.products = products_of(*sessions);
  return contents;
}

}  // namespace ergon::profile
