#include "graph/onnx/rules.h"

#include <string>
#include <unordered_map>

namespace ergon::graph::onnx {

Rule find_rule(std::string_view type) {
  static const auto table = [] {
    std::unordered_map<std::string, Rule> rules;
    for (const auto family :
         {elementwise_rules, matrix_rules, window_rules, norm_rules, movement_rules, resize_rules}) {
      for (const NamedRule& named : family()) rules.emplace(named.type, named.rule);
    }
    return rules;
  }();
  const auto found = table.find(std::string(type));
  return found == table.end() ? nullptr : found->second;
}

}  // namespace ergon::graph::onnx
