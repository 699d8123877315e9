// What people read fits a terminal: no table, message or line of prose in a transcript is wider than 100
// columns. Data is exempt: JSON, CSV, and the output of other programs.

#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"

namespace ergon::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxColumns = 100;

std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return columns;
}

// Output of a command that prints data, or of a program other than ergon.
bool prints_data(const std::string& command) {
  for (const char* part : {"--json", "cat ", "head ", "cut ", "python3", "/dev/stdout", "tr "}) {
    if (command.find(part) != std::string::npos) return true;
  }
  return command.find("ergon") == std::string::npos;
}

std::vector<std::string> wide_lines(const std::string& transcript) {
  std::vector<std::string> wide;
  std::istringstream in(transcript);
  std::string command;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = line.starts_with("```console");
    } else if (inside && (line.starts_with("$ ") || line.starts_with("> "))) {
      command = line;
    } else if (inside && !prints_data(command) && columns_of(line) > kMaxColumns) {
      wide.push_back(line);
    }
  }
  return wide;
}

TEST(LineWidth, FindsWideOutputOnly) {
  const std::string wide(101, 'x');
  EXPECT_EQ(wide_lines("```console\n$ ergon zoo\n" + wide + "\n```\n" + wide),
            std::vector<std::string>{wide});
  EXPECT_TRUE(wide_lines("```console\n$ ergon zoo --json\n" + wide + "\n```\n").empty());
}

TEST(LineWidth, TranscriptsFitOneHundredColumns) {
  const fs::path repository = ERGON_REPOSITORY;
  std::vector<fs::path> files{repository / "README.md", repository / "docs/table.md"};
  for (const auto& entry : fs::directory_iterator(repository / "tests/e2e")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  EXPECT_GT(files.size(), 10u);
  for (const fs::path& file : files) {
    const auto text = read_file(file);
    ASSERT_TRUE(text);
    for (const std::string& line : wide_lines(*text)) ADD_FAILURE() << file.filename() << ": " << line;
  }
}

TEST(LineWidth, HelpFitsEightyColumns) {
  for (const auto& entry : fs::directory_iterator(fs::path(ERGON_REPOSITORY) / "tests/golden/help")) {
    std::istringstream in(*read_file(entry.path()));
    for (std::string line; std::getline(in, line);) EXPECT_LE(columns_of(line), 80u) << line;
  }
}

}  // namespace
}  // namespace ergon::test
