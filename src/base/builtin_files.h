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

// Name and text of files that CMake put into the program.
using BuiltinFiles = std::vector<std::pair<std::string_view, std::string_view>>;

inline std::vector<std::string> names_of(const BuiltinFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) names.emplace_back(name);
  return names;
}

// The built-in of that name, or the file. `others` are names that the caller knows itself.
template <typename Parse>
auto find_listed(const std::string& name, std::string_view what, const BuiltinFiles& builtin,
                 const Parse& parse, std::vector<std::string> others = {})
    -> decltype(parse(std::string_view(), std::string_view())) {
  if (lower(name).ends_with(".json")) {
    const auto text = read_file(name);
    if (!text) return text.error();
    return parse(*text, name);
  }
  for (const auto& [known, text] : builtin) {
    if (lower(name) == known) return parse(text, known);
  }
  const auto names = names_of(builtin);
  others.insert(others.end(), names.begin(), names.end());
  return fail(Errc::not_found, "there is no {} \"{}\"{}; there are {}, and .json files", what,
              printable(name), suggestion(name, others), fmt::format("{}", fmt::join(others, ", ")));
}

}  // namespace ergon
