#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "base/result.h"
#include "base/text.h"

namespace ergon {

// Names and contents of files that CMake embeds in the program.
using BuiltinFiles = std::vector<std::pair<std::string_view, std::string_view>>;

inline std::vector<std::string> names_of(const BuiltinFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.emplace_back(name);
  return names;
}

// Whether a name given by a user is the path of a file, not the name of a built-in file.
inline bool is_json_file(std::string_view name) { return lower(name).ends_with(".json"); }

// Parses the built-in file of that name (case-insensitive), or the file at that path if is_json_file().
// `others` are further valid names, for the error message. Errors: unknown_name with the nearest name;
// not_found.
template <typename Parse>
auto find_listed(const std::string& name, std::string_view what, const BuiltinFiles& builtin,
                 const Parse& parse, std::vector<std::string> others = {})
    -> decltype(parse(std::string_view(), std::string_view())) {
  if (is_json_file(name)) {
    const auto text = read_file(name);
    if (!text) return text.error();
    return parse(*text, name);
  }
  for (const auto& [known, text] : builtin) {
    if (lower(name) == lower(known)) return parse(text, known);
  }
  const auto names = names_of(builtin);
  others.insert(others.end(), names.begin(), names.end());
  return fail(Errc::unknown_name, "unknown {} \"{}\"{}; expected {}, or a .json file", what, printable(name),
              suggestion(lower(name), others), fmt::join(others, ", "));
}

}  // namespace ergon
