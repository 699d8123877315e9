#pragma once

#include <span>
#include <string_view>

// Mutation of text files by lines and fields (CSV, journals): lines are moved, repeated, removed and cut,
// fields replaced by those of other lines or by words that mean something in the format.
// fuzz/CMakeLists.txt lists the targets that use it.
namespace ergon::fuzz {

struct LineFormat {
  char separator = ',';  // of fields
  std::span<const std::string_view> words;
};

// Each target defines it.
LineFormat line_format();

}  // namespace ergon::fuzz
