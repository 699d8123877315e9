#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "options.h"

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

// The same with an error that the command reports itself, together with options that exclude each other.
template <typename T, typename Parse>
Options::Parser deferring(Result<T>& target, const Parse& parse) {
  return [&target, parse](std::string_view text) -> Result<> {
    target = parse(text);
    return {};
  };
}

}  // namespace ergon::app
