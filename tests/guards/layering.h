#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ergon::test {

struct LayerRules {
  std::map<std::string, std::set<std::string>> may_include;  // by folder of src/
  std::map<std::string, std::string> vendor_home;            // header prefix -> folder
  std::set<std::string> adapters;                            // folders that only apps/ may include
  std::set<std::string> joins;                          // folders that may include adapters, as apps/ may
  std::map<std::string, std::set<std::string>> banned;  // header -> the files of src/ that may have it
};

LayerRules parse_layer_rules(const std::string& text);

// A source file by its path below src/ or apps/ ("table/csv/read.cc", "apps/ergon/main.cc"), with its
// content.
struct SourceFile {
  std::string path;
  std::string content;
};

// One line per include that violates the layers or names a vendor outside its folder.
std::vector<std::string> layering_faults(const LayerRules& rules, const std::vector<SourceFile>& files);

}  // namespace ergon::test
