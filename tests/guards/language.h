#pragma once

#include <string>
#include <vector>

namespace ergon::test {

// A phrase that the project does not use, and the phrase to use instead.
struct BannedPhrase {
  std::string phrase;
  std::string replacement;
};

// A line that may contain banned phrases, such as a quotation: a path and a text that the line contains.
struct LanguageException {
  std::string path;
  std::string text;
};

struct LanguageRules {
  std::vector<BannedPhrase> banned;
  std::vector<LanguageException> exceptions;
};

// One rule per line: "phrase | replacement", or "except path | text". '#' begins a comment line.
LanguageRules parse_language_rules(const std::string& text);

// The words of a line, lower case, separated by single blanks, with a blank at both ends. Identifiers are
// split into their words: "kLeastPeriod" and "least_period" both contain "least period".
std::string words_of(const std::string& line);

// One entry per line of `content` that contains a banned phrase: "path:line: "phrase" (use "replacement")".
std::vector<std::string> language_faults(const LanguageRules& rules, const std::string& path,
                                         const std::string& content);

}  // namespace ergon::test
