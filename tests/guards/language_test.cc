// The project's vocabulary: phrases that were replaced by the field's own words do not come back.
// language.txt lists them; docs/glossary.md lists the words to use.

#include "language.h"

#include <cctype>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::test {

LanguageRules parse_language_rules(const std::string& text) {
  LanguageRules rules;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (trim(line).empty() || line.starts_with('#')) continue;
    const auto bar = line.find(" | ");
    const std::string left(trim(line.substr(0, bar)));
    const std::string right(bar == std::string::npos ? "" : trim(line.substr(bar + 3)));
    if (left.starts_with("except ")) {
      rules.exceptions.push_back({std::string(trim(left.substr(7))), right});
    } else {
      rules.banned.push_back({words_of(left), right});
    }
  }
  return rules;
}

std::string words_of(const std::string& line) {
  std::string words = " ";
  char before = ' ';
  for (const char c : line) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    const bool new_word = std::isupper(static_cast<unsigned char>(c)) != 0 &&
                          std::islower(static_cast<unsigned char>(before)) != 0;
    if ((!letter || new_word) && words.back() != ' ') words += ' ';
    if (letter) words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    before = c;
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

std::vector<std::string> language_faults(const LanguageRules& rules, const std::string& path,
                                         const std::string& content) {
  std::vector<std::string> faults;
  std::istringstream in(content);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string words = words_of(line);
    for (const BannedPhrase& banned : rules.banned) {
      if (words.find(banned.phrase) == std::string::npos) continue;
      bool excepted = false;
      for (const LanguageException& exception : rules.exceptions) {
        if (path.starts_with(exception.path) && line.find(exception.text) != std::string::npos)
          excepted = true;
      }
      if (excepted) continue;
      faults.push_back(
          fmt::format("{}:{}: \"{}\" (use \"{}\")", path, number, trim(banned.phrase), banned.replacement));
    }
  }
  return faults;
}

namespace {

LanguageRules repository_rules() {
  const auto text = read_file(std::filesystem::path(ERGON_REPOSITORY) / "tests/guards/language.txt");
  EXPECT_TRUE(text);
  return parse_language_rules(*text);
}

TEST(Language, SplitsIdentifiersIntoWords) {
  EXPECT_EQ(words_of("kLeastPeriod, least_period;"), " k least period least period ");
  EXPECT_EQ(words_of("  "), " ");
}

TEST(Language, ReportsBannedPhrasesInProseAndIdentifiers) {
  const auto rules =
      parse_language_rules("# why\nown clock | default clock\nexcept docs/x.md | as the paper says\n");
  EXPECT_EQ(language_faults(rules, "src/a.h", "int x;\nHertz own_clock;\n"),
            std::vector<std::string>{"src/a.h:2: \"own clock\" (use \"default clock\")"});
  EXPECT_EQ(language_faults(rules, "docs/x.md", "its own clock\n").size(), 1u);
  EXPECT_TRUE(language_faults(rules, "docs/x.md", "\"its own clock\", as the paper says\n").empty());
  EXPECT_TRUE(language_faults(rules, "src/a.h", "own clocks\n").empty());
}

TEST(Language, RepositoryUsesTheFieldsWords) {
  namespace fs = std::filesystem;
  const fs::path repository = ERGON_REPOSITORY;
  const LanguageRules rules = repository_rules();
  EXPECT_GT(rules.banned.size(), 40u);
  std::size_t files = 0;
  const auto check = [&](const fs::path& path) {
    const auto content = read_file(path);
    ASSERT_TRUE(content) << path;
    ++files;
    for (const auto& fault : language_faults(rules, fs::relative(path, repository).string(), *content))
      ADD_FAILURE() << fault;
  };
  for (const char* root : {"src", "apps", "web/src", "fake-nvml", "docs", "tests/golden/help", "tests/e2e",
                           "python", "examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(repository / root)) {
      const auto extension = entry.path().extension();
      if (extension == ".png" || extension == ".pyc" || !entry.is_regular_file()) continue;
      check(entry.path());
    }
  }
  for (const char* file : {"README.md", "CONTRIBUTING.md", "tools/tour", "Makefile"})
    check(repository / file);
  EXPECT_GT(files, 1000u);
}

}  // namespace
}  // namespace ergon::test
