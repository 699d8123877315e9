// A constant or rule of the domain is written down in one place. once.txt lists them.

#include "once.h"

#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::test {
namespace {

// A line of code that matches.
struct Hit {
  std::string path;
  std::size_t line = 0;
  std::string text;
};

bool is_excepted(const OnceRules& rules, const std::string& path, const std::string& line) {
  for (const OnceException& each : rules.exceptions) {
    if (path == each.path && line.find(each.text) != std::string::npos) return true;
  }
  return false;
}

std::vector<Hit> lines_of(const OnceRules& rules, const std::vector<RepositoryFile>& files) {
  std::vector<Hit> lines;
  for (const RepositoryFile& file : files) {
    std::istringstream in(code_of(file.content, true));
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (!trim(line).empty() && !is_excepted(rules, file.path, line))
        lines.push_back({file.path, number, line});
    }
  }
  return lines;
}

}  // namespace

OnceRules parse_once_rules(const std::string& text) {
  OnceRules rules;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (trim(line).empty() || line.starts_with('#')) continue;
    const auto bar = line.rfind(" | ");
    const auto blank = line.find(' ');
    const std::string kind = line.substr(0, blank);
    if (bar == std::string::npos || blank >= bar) {
      ADD_FAILURE() << "not a rule: " << line;
      continue;
    }
    std::string left(trim(line.substr(blank, bar - blank))), right(trim(line.substr(bar + 3)));
    if (kind == "once") {
      rules.once.push_back({left, std::regex(left), right});
    } else if (kind == "never" && left.find(' ') != std::string::npos) {
      const std::string folder = left.substr(0, left.find(' ')), pattern(trim(left.substr(folder.size())));
      rules.never.push_back({folder, pattern, std::regex(pattern), right});
    } else if (kind == "except") {
      rules.exceptions.push_back({left, right});
    } else {
      ADD_FAILURE() << "not a rule: " << line;
    }
  }
  return rules;
}

std::vector<std::string> once_faults(const OnceRules& rules, const std::vector<RepositoryFile>& files) {
  const std::vector<Hit> lines = lines_of(rules, files);
  std::vector<std::string> faults;
  for (const OnceRule& rule : rules.once) {
    std::vector<std::string> places;
    for (const Hit& line : lines) {
      if (std::regex_search(line.text, rule.regex))
        places.push_back(fmt::format("{}:{}", line.path, line.line));
    }
    if (places.empty()) faults.push_back(fmt::format("nothing matches {}; remove the rule", rule.pattern));
    if (places.size() > 1)
      faults.push_back(fmt::format("{} occurs {} times ({}); it belongs to {}", rule.pattern, places.size(),
                                   fmt::join(places, ", "), rule.home));
  }
  for (const NeverRule& rule : rules.never) {
    for (const Hit& line : lines) {
      if (line.path.starts_with(rule.folder + "/") && std::regex_search(line.text, rule.regex))
        faults.push_back(fmt::format("{}:{}: {}; use {}", line.path, line.line, rule.pattern, rule.instead));
    }
  }
  return faults;
}

namespace {

using Faults = std::vector<std::string>;

TEST(Once, ASecondLineIsAFault) {
  const auto rules = parse_once_rules("# why\nonce \\b8377\\b | src/a.h\n");
  EXPECT_TRUE(once_faults(rules, {{"src/a.h", "int port = 8377;\n// 8377\nint b = 18377;\n"}}).empty());
  EXPECT_EQ(once_faults(rules, {{"src/a.h", "int port = 8377;\n"}, {"apps/b.cc", "\n\nf(\"8377\");\n"}}),
            Faults{"\\b8377\\b occurs 2 times (src/a.h:1, apps/b.cc:3); it belongs to src/a.h"});
}

TEST(Once, ARuleThatMatchesNothingIsAFault) {
  const auto rules = parse_once_rules("once abc | x\n");
  EXPECT_EQ(once_faults(rules, {{"src/a.h", "// abc\n"}}), Faults{"nothing matches abc; remove the rule"});
}

TEST(Once, ExceptionsAreNotCounted) {
  const auto rules = parse_once_rules("once << 31 | kMaxExtent\nexcept src/b.cc | kMaxFolds\n");
  const RepositoryFile first{"src/a.h", "auto kMaxExtent = 1 << 31;\n"};
  EXPECT_TRUE(once_faults(rules, {first, {"src/b.cc", "auto kMaxFolds = 1 << 31;\n"}}).empty());
  EXPECT_EQ(once_faults(rules, {first, {"src/b.cc", "auto other = 1 << 31;\n"}}).size(), 1u);
  EXPECT_EQ(once_faults(rules, {first, {"src/c.cc", "auto kMaxFolds = 1 << 31;\n"}}).size(), 1u);
}

TEST(Once, NeverAppliesToAFolder) {
  const auto rules = parse_once_rules("never apps find_device\\( | DeviceSource::twin()\n");
  EXPECT_TRUE(once_faults(rules, {{"src/a.cc", "find_device(x);\n"}}).empty());
  EXPECT_EQ(once_faults(rules, {{"apps/a.cc", "find_device(x);\n"}}),
            Faults{"apps/a.cc:1: find_device\\(; use DeviceSource::twin()"});
}

TEST(Once, RepositoryWritesEachConstantOnce) {
  const auto text = read_file(std::filesystem::path(ERGON_REPOSITORY) / "tests/guards/once.txt");
  ASSERT_TRUE(text);
  const OnceRules rules = parse_once_rules(*text);
  EXPECT_GT(rules.once.size(), 10u);
  EXPECT_GT(rules.never.size(), 3u);
  const auto files = source_files({"src", "apps"});
  for (const std::string& fault : once_faults(rules, files)) ADD_FAILURE() << fault;
}

}  // namespace
}  // namespace ergon::test
