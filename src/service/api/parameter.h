#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/message.h"

namespace ergon::service {

// A request parameter. It becomes an option of the command, or its positional argument.
struct Parameter {
  enum class Kind {
    network,   // positional argument: a name from the zoo
    argument,  // positional argument
    text,      // --name=value: a name, a quantity with its unit, or a comma-separated list
    number,    // --name=value
    flag,      // --name if true
  };
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view about;
  bool required = false;
  std::size_t max_values = 256;  // in a list
};

using Parameters = std::vector<Parameter>;

// "precision", the data type of the arithmetic.
Parameter precision_parameter();

// Errors: no parameter has this name; the message lists the valid ones.
Result<> check_name(const Parameters& parameters, std::string_view name);

// Converts request parameters to the command line, without the program name. File names are rejected, because
// requests must not read files of the server. Errors list the valid parameters.
Result<std::vector<std::string>> command_arguments(const std::vector<std::string>& command,
                                                   const Parameters& parameters, const Fields& given);

}  // namespace ergon::service
