#include "reproduce/data/data_source.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "reproduce/data/sha256.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kEndings{"", ".xz", ".gz", ".zst"};
constexpr std::size_t kChecksumDigits = 64;

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_checksum(std::string_view text) {
  return text.size() == kChecksumDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Absent if a field is missing or not valid.
std::optional<DataFile> parse_file(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  DataFile file{text_of(object, "name"), text_of(object, "role"), false, text_of(object, "sha256"), {}};
  const auto primary = object.find("primary");
  if (primary == object.end() || !primary->is_boolean()) return std::nullopt;
  file.primary = primary->get<bool>();
  if (object.contains("sha256_xz")) file.sha256_xz = text_of(object, "sha256_xz");
  const bool valid = !file.name.empty() && !file.role.empty() && is_checksum(file.sha256) &&
                     (!file.sha256_xz || is_checksum(*file.sha256_xz));
  return valid ? std::optional(std::move(file)) : std::nullopt;
}

// "a", "a and b", "a, b and c".
std::string enumerated(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + items[i];
  }
  return text;
}

}  // namespace

Result<DataSource> parse_data_source(std::string_view text, std::string_view source) {
  auto fields = Fields::parse(text, source);
  if (!fields) return fields.error();
  DataSource parsed{fields->text("paper"), fields->text("from"), {}};
  const Json& files = fields->raw("files");
  if (!files.is_array() || files.empty()) fields->complain("files", "a list of files");
  for (const Json& each : files) {
    auto file = parse_file(each);
    if (!file) {
      fields->complain("files", "files with name, role, primary and sha256");
      break;
    }
    parsed.files.push_back(std::move(*file));
  }
  if (const auto error = fields->error()) return *error;
  return parsed;
}

Result<DataSource> data_source_of(std::string_view paper) {
  for (const auto& [name, text] : data_source_files()) {
    if (name == paper) return parse_data_source(text, name);
  }
  return fail(Errc::not_found, "{} has no data files", paper);
}

std::optional<FoundFile> find_file(const DataSource& source, std::string_view role,
                                   const std::filesystem::path& folder) {
  for (const DataFile& file : source.files) {
    if (file.role != role) continue;
    for (const std::string_view ending : kEndings) {
      const std::filesystem::path path = folder / (file.name + std::string(ending));
      std::error_code failed;
      if (std::filesystem::is_regular_file(path, failed)) return FoundFile{path, file};
    }
  }
  return std::nullopt;
}

std::string download_text(const DataSource& source, const std::vector<std::string>& roles) {
  std::vector<std::string> names;
  for (const DataFile& file : source.files) {
    if (file.primary && std::find(roles.begin(), roles.end(), file.role) != roles.end())
      names.push_back(fmt::format("{} (sha256 {})", file.name, file.sha256));
  }
  return fmt::format("{} needs {}, from {}; set their folder with --data", source.paper, enumerated(names),
                     source.from);
}

Result<std::string> checksum_note(const FoundFile& found) {
  const std::string ending = found.path.extension().string();
  const bool is_plain = found.path.filename() == found.file.name;
  if (!is_plain && (ending != ".xz" || !found.file.sha256_xz)) return std::string();
  const std::string& known = is_plain ? found.file.sha256 : *found.file.sha256_xz;
  const auto sum = sha256_of_file(found.path);
  if (!sum) return sum.error();
  if (*sum == known) return std::string();
  return fmt::format("{}: not the file of the documented results (sha256 {}, expected {})",
                     found.path.string(), *sum, known);
}

}  // namespace ergon::reproduce
