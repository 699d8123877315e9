#pragma once

#include <regex>
#include <string>
#include <vector>

#include "source_text.h"

namespace ergon::test {

// A pattern that may occur in at most one line of code.
struct OnceRule {
  std::string pattern;
  std::regex regex;
  std::string home;  // where that line is, or what to use instead
};

// A pattern that may not occur in a folder.
struct NeverRule {
  std::string folder;
  std::string pattern;
  std::regex regex;
  std::string instead;
};

// Lines that are not counted: a path and a text that the line contains.
struct OnceException {
  std::string path;
  std::string text;
};

struct OnceRules {
  std::vector<OnceRule> once;
  std::vector<NeverRule> never;
  std::vector<OnceException> exceptions;
};

// One rule per line: "once REGEX | home", "never FOLDER REGEX | instead" or "except PATH | text"; '#' begins
// a comment line. A rule of another form is a failure of the test.
OnceRules parse_once_rules(const std::string& text);

// One entry per rule that does not hold. Comments do not count.
std::vector<std::string> once_faults(const OnceRules& rules, const std::vector<RepositoryFile>& files);

}  // namespace ergon::test
