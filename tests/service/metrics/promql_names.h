#pragma once

#include <regex>
#include <set>
#include <string>

namespace ergon::test {

// Metrics used in a PromQL expression: its identifiers without strings, label matchers, ranges, labels of on
// () and by (), functions and numbers.
inline std::set<std::string> metrics_in(std::string expression) {
  const auto drop = [&](const char* what) {
    expression = std::regex_replace(expression, std::regex(what), " ");
  };
  // Grafana's label_values(metric, label).
  expression =
      std::regex_replace(expression, std::regex(R"(label_values\s*\((.*),\s*[a-z_]+\s*\)\s*$)"), "$1");
  drop(R"("(\\.|[^"\\])*")");
  drop(R"(\{[^}]*\})");
  drop(R"(\[[^\]]*\])");
  drop(R"(\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\))");
  drop(R"(\b(by|without|on|ignoring|group_left|group_right|and|or|unless|bool|offset)\b)");
  drop(R"(\b[a-z_][a-z0-9_]*\s*\()");
  drop(R"(\b[0-9][0-9.]*(e[0-9]+)?\b)");
  std::set<std::string> names;
  static const std::regex word("[a-zA-Z_:$][a-zA-Z0-9_:$]*");
  for (auto it = std::sregex_iterator(expression.begin(), expression.end(), word);
       it != std::sregex_iterator(); ++it) {
    names.insert(it->str());
  }
  return names;
}

}  // namespace ergon::test
