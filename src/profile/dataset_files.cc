#include "profile/dataset_files.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "profile/composition_csv.h"
#include "profile/csv_lines.h"
#include "profile/row_csv.h"

namespace ergon::profile {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ergon.dataset/1";

Result<std::string> text_of(const fs::path& path) {
  auto text = read_file(path);
  if (!text && text.error().kind == Errc::not_found) return std::string();
  return text;
}

template <typename Entry>
LoadedFile<Entry> stored(std::string_view text, std::string_view header) {
  return {.entries = {},
          .size = text.size(),
          .whole = whole_lines(text).size(),
          .same_columns = whole_lines(text).empty() || text.starts_with(header)};
}

template <typename Entry, typename KeyOf>
std::vector<Entry> last_of_each(std::vector<Entry> entries, KeyOf key_of) {
  std::map<decltype(key_of(entries.front())), std::size_t> last;
  for (std::size_t i = 0; i < entries.size(); ++i) last[key_of(entries[i])] = i;
  std::vector<Entry> kept;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (last[key_of(entries[i])] == i) kept.push_back(std::move(entries[i]));
  }
  return kept;
}

}  // namespace

fs::path rows_path(const fs::path& folder, Subject::Kind kind) {
  return folder / (kind == Subject::Kind::operation ? kOperationsFile : kNetworksFile);
}

std::vector<fs::path> stored_networks(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator entry(folder / kNetworksFolder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored) && entry->path().extension() == ".onnx")
      files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<LoadedFile<Row>> load_rows(const fs::path& folder, Subject::Kind kind) {
  const fs::path path = rows_path(folder, kind);
  const auto text = text_of(path);
  if (!text) return text.error();
  auto rows = parse_rows(whole_lines(*text), path.string(), kind);
  if (!rows) return rows.error();
  auto file = stored<Row>(*text, row_header(kind));
  file.entries = std::move(*rows);
  return file;
}

Result<LoadedFile<Composition>> load_compositions(const fs::path& folder) {
  const fs::path path = folder / kCompositionFile;
  const auto text = text_of(path);
  if (!text) return text.error();
  auto parsed = parse_compositions(whole_lines(*text), path.string());
  if (!parsed) return parsed.error();
  auto file = stored<Composition>(*text, composition_header());
  file.entries = std::move(parsed->compositions);
  file.whole = parsed->whole;
  return file;
}

Result<std::vector<Json>> load_sessions(const fs::path& folder) {
  const fs::path path = folder / kProvenanceFile;
  const auto text = read_file(path);
  if (!text) return text.error();
  const auto parsed = parse_json<Json>(*text, path.string());
  if (!parsed) return parsed.error();
  const Json& json = *parsed;
  const bool ours = json.is_object() && json.contains("schema") && json["schema"].is_string();
  const std::string schema = ours ? json["schema"].get<std::string>() : "";
  if (schema != kSchema) {
    return fail(Errc::invalid_input, "{}: schema \"{}\" is not supported (expected \"{}\")", path.string(),
                printable(schema), kSchema);
  }
  if (!json.contains("sessions") || !json["sessions"].is_array()) {
    return fail(Errc::invalid_input, "{}: the list \"sessions\" is missing", path.string());
  }
  return std::vector<Json>(json["sessions"].begin(), json["sessions"].end());
}

std::map<std::string, std::string> products_of(const std::vector<Json>& sessions) {
  std::map<std::string, std::string> products;
  for (const Json& session : sessions) {
    if (!session.is_object() || !session.contains("uuid") || !session["uuid"].is_string()) continue;
    const bool named = session.contains("device") && session["device"].is_string();
    const bool simulated = session.contains("simulated") && session["simulated"] == true;
    products[session["uuid"].get<std::string>()] =
        (named ? session["device"].get<std::string>() : "") + (simulated ? " (simulated)" : "");
  }
  return products;
}

Result<> save_sessions(const fs::path& folder, const std::vector<Json>& sessions) {
  const Json json{{"schema", kSchema}, {"sessions", Json(sessions)}};
  return write_file(folder / kProvenanceFile,
                    json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::vector<Row> newest(std::vector<Row> rows) {
  return last_of_each(std::move(rows), [](const Row& row) { return row.key(); });
}

std::vector<Composition> newest(std::vector<Composition> compositions) {
  return last_of_each(std::move(compositions),
                      [](const Composition& one) { return std::tuple(one.network, one.batch, one.mode); });
}

}  // namespace ergon::profile
