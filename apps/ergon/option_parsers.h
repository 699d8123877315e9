#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.h"
#include "table/file_format.h"

namespace ergon::app {

// Makes a parser for Options::parsed() from a function that returns a Result: stores the value in `target`,
// which outlives the options.
template <typename Target, typename Parse>
Options::Parser taking(Target& target, const Parse& parse) {
  return [&target, parse](std::string_view text) -> Result<> {
    auto value = parse(text);
    if (!value) return value.error();
    target = std::move(*value);
    return {};
  };
}

// The same for Options::parsed_list(): appends each element.
template <typename T, typename Parse>
Options::Parser taking_each(std::vector<T>& target, const Parse& parse) {
  return [&target, parse](std::string_view text) -> Result<> {
    auto value = parse(text);
    if (!value) return value.error();
    target.push_back(std::move(*value));
    return {};
  };
}

// A table to write (table::check_table_output()).
inline Options::Parser taking_table_file(std::optional<std::string>& target) {
  return [&target](std::string_view text) -> Result<> {
    if (text.empty()) return fail(Errc::invalid_input, "the file name is empty");
    if (auto supported = table::check_table_output(text); !supported) return supported;
    target = std::string(text);
    return {};
  };
}

// The same with an error that the command reports itself, together with options that exclude each other.
template <typename T, typename Parse>
Options::Parser deferring(Result<T>& target, const Parse& parse) {
  return [&target, parse](std::string_view text) -> Result<> {
    target = parse(text);
    return {};
  };
}

}  // namespace ergon::app
