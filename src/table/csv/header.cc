#include "table/csv/header.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "table/csv/field.h"

namespace ergon::table::csv {
namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

std::optional<Error> not_text(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return fail(Errc::invalid_input, "is UTF-16 text; convert it to UTF-8 first");
  }
  const auto nul = text.substr(0, 4096).find('\0');
  if (nul == std::string_view::npos) return std::nullopt;
  return fail(Errc::invalid_input, "is not text (a zero byte at offset {})", nul);
}

// Skips blank lines above the header.
std::size_t behind_blank_lines(std::string_view text, std::size_t at) {
  for (;;) {
    if (text.substr(at).starts_with("\n"))
      at += 1;
    else if (text.substr(at).starts_with("\r\n"))
      at += 2;
    else
      return at;
  }
}

std::optional<Error> repeated_name(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [before, is_new] = seen.emplace(names[i], i);
    if (is_new) continue;
    return fail(Errc::invalid_input, "columns {} and {} have the same name \"{}\"", before->second + 1, i + 1,
                printable(names[i]));
  }
  return std::nullopt;
}

}  // namespace

Result<Header> read_header(std::string_view text, const CsvOptions& options) {
  if (const auto error = not_text(text)) return *error;
  Header header;
  header.body = text.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
  if (trim(text.substr(header.body)).empty()) return fail(Errc::invalid_input, "is empty");
  if (!options.names.empty()) {
    header.names = options.names;
  } else {
    header.body = behind_blank_lines(text, header.body);
    std::optional<Error> fault;
    std::string scratch;
    const char* end = text.data() + header.body;
    walk_fields(text, header.body, header.body + 1, options.separator, [&](const RawField& field, bool) {
      const auto value = field_value(field, scratch);
      if (!value) {
        const auto line = 1 + std::count(text.data(), field.text.data(), '\n');
        fault = fail(Errc::invalid_input, "line {}, column {} of the header: {}", line,
                     header.names.size() + 1, quote_fault(field));
        return false;
      }
      const std::string_view name = trim(*value);
      header.names.push_back(name.empty() ? fmt::format("column_{}", header.names.size() + 1)
                                          : std::string(name));
      end = field.text.data() + field.text.size();
      return true;
    });
    if (fault) return *fault;
    header.body = static_cast<std::size_t>(end - text.data());
    if (text.substr(header.body).starts_with("\r\n"))
      header.body += 2;
    else if (text.substr(header.body).starts_with("\n") || text.substr(header.body) == "\r")
      header.body += 1;
  }
  if (const auto error = repeated_name(header.names)) return *error;
  return header;
}

Result<std::vector<std::size_t>> chosen_columns(const Header& header, const CsvOptions& options) {
  std::unordered_map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < header.names.size(); ++i) positions.emplace(header.names[i], i);
  const auto unknown = [&](const std::string& name) {
    return fail(Errc::not_found, "there is no column \"{}\"{}", printable(name),
                suggestion(name, header.names));
  };
  for (const auto& [name, type] : options.types) {
    if (options.types_must_exist && !positions.contains(name)) return unknown(name);
  }
  std::vector<std::size_t> chosen;
  std::vector<bool> taken(header.names.size(), false);
  for (const std::string& name : options.columns.empty() ? header.names : options.columns) {
    const auto found = positions.find(name);
    if (found == positions.end()) return unknown(name);
    if (taken[found->second])
      return fail(Errc::invalid_input, "column \"{}\" is asked for twice", printable(name));
    taken[found->second] = true;
    chosen.push_back(found->second);
  }
  return chosen;
}

}  // namespace ergon::table::csv
