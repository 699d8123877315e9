#pragma once

#include <set>
#include <string>
#include <vector>

#include "source_text.h"

namespace ergon::test {

// A class or struct with its base classes as written, without access specifiers and template arguments.
struct ClassHead {
  std::string name;
  std::vector<std::string> bases;
};

// The classes and structs that are defined in a C++ text; not enumerations and not mere declarations.
std::vector<ClassHead> class_heads(const std::string& text);

// One line per class of `programs` that derives from a class defined in a header of `library`. Bases in
// namespaces of vendors (CLI::, std::) and classes of the programs themselves are fine.
std::vector<std::string> derivation_faults(const std::vector<RepositoryFile>& library,
                                           const std::vector<RepositoryFile>& programs);

}  // namespace ergon::test
