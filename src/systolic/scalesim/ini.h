#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::systolic::scalesim {

// The text of an .ini file as Python's configparser reads it, as far as SCALE-Sim's files go.
struct Ini {
  struct Value {
    std::string key;  // as written
    std::string text;
    std::size_t line = 0;
    mutable bool used = false;  // whether it was read
  };
  using Section = std::map<std::string, Value, std::less<>>;  // by key in lower case

  std::map<std::string, Section, std::less<>> sections;
};

Result<Ini> parse_ini(std::string_view text, std::string_view source);

}  // namespace ergon::systolic::scalesim
