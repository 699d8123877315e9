#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/message.h"

namespace ergon::service {

// Something a request may name. It becomes an option of a command, or, for a word, its argument.
struct Parameter {
  enum class Kind {
    network,  // the command's argument: a name of the zoo
    word,     // the command's argument
    text,     // --name=value: a name, a quantity with its unit, or a list with commas
    number,   // --name=value
    flag,     // --name, where it is true
  };
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view about;
  bool required = false;
};

using Parameters = std::vector<Parameter>;

// The words of a command line for what was asked. Names of files are refused: requests may come from others,
// and files are the server's. Errors name what there is.
Result<std::vector<std::string>> words_of(const std::vector<std::string>& command,
                                          const Parameters& parameters, const Fields& given);

}  // namespace ergon::service
