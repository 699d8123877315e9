// Tables in docs/architecture.md that repeat what the code says: the kinds of error and the layers.

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/errc.h"
#include "base/file.h"
#include "base/text.h"
#include "layering.h"

namespace ergon::test {
namespace {

std::string repository_file(const char* path) {
  const auto text = read_file(std::filesystem::path(ERGON_REPOSITORY) / path);
  EXPECT_TRUE(text) << path;
  return text ? *text : "";
}

// The lines between the heading that begins with `heading` and the next heading.
std::vector<std::string> section(const std::string& document, const std::string& heading) {
  std::vector<std::string> lines;
  std::istringstream in(document);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#"))
      inside = line.starts_with(heading);
    else if (inside)
      lines.push_back(line);
  }
  return lines;
}

// The cells of the rows of a Markdown table, without the heading.
std::vector<std::vector<std::string>> table_rows(const std::vector<std::string>& lines) {
  std::vector<std::vector<std::string>> rows;
  bool body = false;
  for (const std::string& line : lines) {
    if (line.starts_with("|---")) body = true;
    if (!line.starts_with("|")) body = false;
    if (!body || line.starts_with("|---")) continue;
    std::vector<std::string> cells;
    for (const auto cell : split(line, '|')) cells.emplace_back(trim(cell));
    rows.push_back({cells.begin() + 1, cells.end() - 1});
  }
  return rows;
}

TEST(ArchitecturePage, ErrorTableMatchesTheCode) {
  std::set<std::vector<std::string>> expected;
  for (const ErrorMapping& mapping : error_mappings()) {
    expected.insert({fmt::format("`{}`", mapping.name), std::to_string(mapping.exit_code),
                     std::to_string(mapping.http_status)});
  }
  std::set<std::vector<std::string>> documented;
  for (const auto& row : table_rows(section(repository_file("docs/architecture.md"), "## Errors"))) {
    ASSERT_GE(row.size(), 3u);
    documented.insert({row[0], row[1], row[2]});
  }
  EXPECT_EQ(documented, expected);
}

TEST(ArchitecturePage, LayerTableMatchesTheCheckedLayers) {
  const LayerRules rules = parse_layer_rules(repository_file("tests/guards/layers.txt"));
  std::map<std::string, std::set<std::string>> documented;
  for (const auto& row : table_rows(section(repository_file("docs/architecture.md"), "## Layers"))) {
    ASSERT_EQ(row.size(), 2u);
    auto& allowed = documented[row[0].substr(1, row[0].size() - 2)];
    for (const auto word : split(row[1], ',')) {
      if (trim(word) != "nothing") allowed.insert(std::string(trim(word)));
    }
  }
  EXPECT_EQ(documented, rules.may_include);
}

// A layer that may include a folder does so somewhere: the table lists no arrow that nobody uses.
TEST(Layering, EveryArrowIsUsed) {
  namespace fs = std::filesystem;
  const fs::path src = fs::path(ERGON_REPOSITORY) / "src";
  const LayerRules rules = parse_layer_rules(repository_file("tests/guards/layers.txt"));
  for (const auto& [folder, allowed] : rules.may_include) {
    std::string sources;
    for (const auto& entry : fs::recursive_directory_iterator(src / folder)) {
      const auto extension = entry.path().extension();
      if (extension == ".h" || extension == ".cc" || extension == ".in") sources += *read_file(entry.path());
    }
    for (const std::string& target : allowed)
      EXPECT_NE(sources.find("#include \"" + target + "/"), std::string::npos) << folder << " -> " << target;
  }
}

TEST(Guards, TablesAreReadRowByRow) {
  const auto rows = table_rows({"| a | b |", "|---|---|", "| `x` | 1 |", "", "| y | 2 |"});
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{"`x`", "1"}}));
}

}  // namespace
}  // namespace ergon::test
