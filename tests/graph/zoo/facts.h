#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::test {

// Rows of a reference file in facts/, without the header.
inline std::vector<std::vector<std::string>> fact_rows(const std::string& name) {
  const auto path = std::filesystem::path(ERGON_REPOSITORY) / "tests/graph/zoo/facts" / name;
  const auto text = read_file(path);
  EXPECT_TRUE(text) << path;
  std::vector<std::vector<std::string>> rows;
  if (!text) return rows;
  for (const std::string_view line : split(*text, '\n')) {
    if (line.empty()) continue;
    std::vector<std::string> cells;
    for (const std::string_view cell : split(line, ',')) cells.emplace_back(cell);
    rows.push_back(std::move(cells));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

}  // namespace ergon::test
