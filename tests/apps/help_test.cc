// The help of every command is a golden file in tests/golden/help and fits 80 columns. `make golden` rewrites
// the files.

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "commands.h"
#include "support/process.h"

namespace ergon::app {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(ERGON_REPOSITORY) / "tests/golden/help";

// "ergon", "ergon table", "ergon table join", ...
void collect_paths(const std::vector<Command>& commands, const std::string& parent,
                   std::vector<std::string>& paths) {
  for (const Command& command : commands) {
    const std::string path = parent + " " + command.name;
    paths.push_back(path);
    collect_paths(command.children, path, paths);
  }
}

std::vector<std::string> all_paths() {
  std::vector<std::string> paths{"ergon"};
  collect_paths(builtin_commands(), "ergon", paths);
  return paths;
}

std::string file_name(std::string path) {
  std::replace(path.begin(), path.end(), ' ', '-');
  return path + ".txt";
}

std::string output_of(const std::string& command) {
  const auto ran = test::run_shell(std::string(ERGON_PROGRAMS) + "/" + command);
  EXPECT_EQ(ran.exit_code, 0) << command;
  EXPECT_EQ(ran.err, "") << command;
  return ran.out;
}

// The help of "ergon table join".
std::string help_of(const std::string& path) { return output_of(path + " --help"); }

TEST(Help, IsGoldenForEveryCommand) {
  std::set<std::string> expected_files;
  for (const std::string& path : all_paths()) {
    const fs::path file = kGolden / file_name(path);
    expected_files.insert(file.filename().string());
    const std::string help = help_of(path);
    if (std::getenv("ERGON_UPDATE_GOLDEN") != nullptr) {
      fs::create_directories(kGolden);
      ASSERT_TRUE(write_file(file, help));
      continue;
    }
    const auto golden = read_file(file);
    ASSERT_TRUE(golden) << golden.error().message;
    EXPECT_EQ(help, *golden) << path;
  }
  for (const auto& entry : fs::directory_iterator(kGolden)) {
    EXPECT_TRUE(expected_files.contains(entry.path().filename().string()))
        << entry.path() << " has no command";
  }
}

// "ergon help table join".
std::string help_command(const std::string& path) { return "ergon help" + path.substr(5); }

TEST(Help, CommandPrintsTheSameForEveryCommand) {
  for (const std::string& path : all_paths()) EXPECT_EQ(output_of(help_command(path)), help_of(path)) << path;
}

TEST(Help, FitsEightyColumns) {
  for (const std::string& path : all_paths()) {
    std::istringstream in(output_of(help_command(path)));
    // A command for two kinds of hardware has a section of options for each, which counts apart.
    int lines = 0, in_section = 0;
    bool section = false;
    for (std::string line; std::getline(in, line);) {
      EXPECT_LE(line.size(), 80u) << path << ": " << line;
      if (!line.starts_with(' ')) section = line.starts_with("Options for ") || (section && line.empty());
      ++(section ? in_section : lines);
    }
    EXPECT_LE(lines, 44) << path;
    EXPECT_LE(in_section, 30) << path;
  }
}

TEST(Help, PointsToTheGlossary) {
  for (const std::string& path : all_paths())
    EXPECT_NE(help_of(path).find("docs/glossary.md"), std::string::npos) << path;
  EXPECT_TRUE(fs::exists(fs::path(ERGON_REPOSITORY) / "docs/glossary.md"));
}

TEST(Help, OfAnUnknownCommandIsAUsageError) {
  const auto ran = test::run_shell(std::string(ERGON_PROGRAMS) + "/ergon help tabel");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err,
            "ergon: unknown command \"tabel\" (did you mean \"table\"?)\nergon: try: ergon --help\n");
}

}  // namespace
}  // namespace ergon::app
