// Includes follow the layers of docs/architecture.md, and each vendor's header is included in one folder.

#include "layering.h"

#include <filesystem>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace ergon::test {

LayerRules parse_layer_rules(const std::string& text) {
  LayerRules rules;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first, arrow, word;
    if (!(words >> first)) continue;
    if (first == "vendor") {
      words >> first >> arrow >> word;
      rules.vendor_home[first] = word;
      continue;
    }
    if (first == "adapter") {
      words >> word;
      rules.adapters.insert(word);
      continue;
    }
    if (first == "joins") {
      words >> word;
      rules.joins.insert(word);
      continue;
    }
    if (first == "banned") {
      words >> first >> arrow;
      auto& excepted = rules.banned[first];
      while (words >> word) excepted.insert(word);
      continue;
    }
    words >> arrow;
    auto& allowed = rules.may_include[first];
    while (words >> word) allowed.insert(word);
  }
  return rules;
}

namespace {

// The longest listed folder that holds the path; "" if none does.
std::string folder_of(const LayerRules& rules, const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : rules.may_include) {
    if (path.starts_with(folder + "/") && folder.size() > best.size()) best = folder;
  }
  return best;
}

std::string top_of(const std::string& folder) { return folder.substr(0, folder.find('/')); }

}  // namespace

std::vector<std::string> layering_faults(const LayerRules& rules, const std::vector<SourceFile>& files) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<std::string> faults;
  for (const SourceFile& file : files) {
    const bool app = file.path.starts_with("apps/");
    const std::string folder = folder_of(rules, file.path);
    if (!app && folder.empty())
      faults.push_back(fmt::format("{}: its folder is not in layers.txt", file.path));
    std::istringstream in(file.content);
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string header = match[2];
      for (const auto& [prefix, home] : rules.vendor_home) {
        if (header.starts_with(prefix) && !file.path.starts_with(home + "/")) {
          faults.push_back(fmt::format("{}: {} belongs to {}", file.path, header, home));
        }
      }
      if (app) continue;
      const auto banned = rules.banned.find(header);
      if (banned != rules.banned.end() && !banned->second.contains(file.path)) {
        faults.push_back(fmt::format("{}: {} is not for libraries", file.path, header));
      }
      for (const std::string& adapter : rules.adapters) {
        const bool allowed = file.path.starts_with(adapter + "/") || rules.joins.contains(folder);
        if (header.starts_with(adapter + "/") && !allowed) {
          faults.push_back(fmt::format("{}: {} may not join {}", file.path, folder, header));
        }
      }
      // Both "..." and <...> can include our headers.
      const std::string target = folder_of(rules, header);
      if (match[1] == "\"" && target.empty()) {
        faults.push_back(fmt::format("{}: {} is not a path below src/", file.path, header));
      }
      if (target.empty() || target == folder || top_of(target) == folder || folder.empty()) continue;
      const auto& allowed = rules.may_include.at(folder);
      if (!allowed.contains(target) && !allowed.contains(top_of(target))) {
        faults.push_back(fmt::format("{}: {} may not include {}", file.path, folder, header));
      }
    }
  }
  return faults;
}

namespace {

LayerRules small_rules() {
  return parse_layer_rules(
      "base ->\ntable -> base # why\ndevice -> base\ndevice/twin -> base table device\nvendor zlib.h : "
      "table/inflate\nadapter device/nvml\nbanned iostream\nbanned cstdio : base/contract.cc\n");
}

std::vector<std::string> faults_of(const std::string& path, const std::string& content) {
  return layering_faults(small_rules(), {{path, content}});
}

TEST(Layering, AcceptsIncludesAlongTheArrows) {
  EXPECT_TRUE(faults_of("table/csv/read.cc",
                        "#include <map>\n#include \"table/table.h\"\n#include \"base/result.h\"\n")
                  .empty());
  EXPECT_TRUE(
      faults_of("device/twin/twin.cc", "#include \"table/table.h\"\n#include \"device/device.h\"\n").empty());
  EXPECT_TRUE(faults_of("table/inflate/gzip.cc", "#include <zlib.h>\n").empty());
}

TEST(Layering, RefusesIncludesAgainstThem) {
  EXPECT_EQ(faults_of("base/text.cc", "  # include \"table/table.h\"\n"),
            std::vector<std::string>{"base/text.cc: base may not include table/table.h"});
  EXPECT_EQ(faults_of("device/lease.cc", "#include \"table/table.h\"\n").size(), 1u);
  EXPECT_EQ(faults_of("table/x.cc", "#include \"x.h\"\n").size(), 1u);
  EXPECT_EQ(faults_of("surprise/x.cc", "").size(), 1u);
}

TEST(Layering, SeesThroughAngleBrackets) {
  EXPECT_EQ(faults_of("base/text.cc", "#include <table/table.h>\n").size(), 1u);
}

TEST(Layering, LeavesAdaptersToTheApps) {
  EXPECT_EQ(faults_of("device/lease.cc", "#include \"device/nvml/nvml_device.h\"\n").size(), 1u);
  EXPECT_TRUE(faults_of("device/nvml/nvml_device.cc", "#include \"device/nvml/nvml_device.h\"\n").empty());
  EXPECT_TRUE(faults_of("apps/ergon/devices.cc", "#include \"device/nvml/nvml_device.h\"\n").empty());
}

TEST(Layering, LetsNoLibraryPrint) {
  EXPECT_EQ(faults_of("table/table.cc", "#include <iostream>\n").size(), 1u);
  EXPECT_EQ(faults_of("table/table.cc", "#include <cstdio>\n").size(), 1u);
  EXPECT_TRUE(faults_of("base/contract.cc", "#include <cstdio>\n").empty());
}

TEST(Layering, KeepsVendorsAtHome) {
  EXPECT_EQ(faults_of("table/table.cc", "#include <zlib.h>\n"),
            std::vector<std::string>{"table/table.cc: zlib.h belongs to table/inflate"});
  EXPECT_EQ(faults_of("apps/ergon/main.cc", "#include <zlib.h>\n").size(), 1u);
}

TEST(Layering, HoldsInThisRepository) {
  namespace fs = std::filesystem;
  const fs::path repository = ERGON_REPOSITORY;
  const auto rules = read_file(repository / "tests/guards/layers.txt");
  ASSERT_TRUE(rules);
  std::vector<SourceFile> files;
  for (const auto& [root, prefix] :
       {std::pair{repository / "src", ""}, std::pair{repository / "apps", "apps/"}}) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      const auto content = read_file(entry.path());
      ASSERT_TRUE(content);
      files.push_back({prefix + fs::relative(entry.path(), root).string(), *content});
    }
  }
  EXPECT_GT(files.size(), 50u);
  for (const std::string& fault : layering_faults(parse_layer_rules(*rules), files)) ADD_FAILURE() << fault;
}

}  // namespace
}  // namespace ergon::test
