#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ergon {

// Version, compiler and options of this build.
struct BuildFacts {
  std::string_view version;
  std::string_view commit;
  std::string_view compiler;
  std::string_view build_type;
  std::string_view sanitizers;                 // "" for none
  std::vector<std::string> disabled_features;  // optional parts whose libraries were missing
};

BuildFacts build_facts();

}  // namespace ergon
