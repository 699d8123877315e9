// Public headers compile alone with nothing but -I include, and include only the standard library and each
// other.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "support.h"

namespace ergon::test {
namespace {

namespace fs = std::filesystem;

const std::string kInclude = std::string(ERGON_REPOSITORY) + "/include";

std::vector<fs::path> public_headers() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(kInclude)) {
    if (entry.is_regular_file()) all.push_back(entry.path());
  }
  return all;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ApiHeaders, CompileAlone) {
  const TemporaryFolder folder;
  for (const fs::path& header : public_headers()) {
    const std::string name = "ergon/" + header.filename().string();
    std::ofstream(folder / "alone.cc") << "#include \"" << name << "\"\n";
    const auto compiled =
        run_shell(std::string(ERGON_COMPILER) +
                  " -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion "
                  "-Werror -I '" +
                  kInclude + "' " + (folder / "alone.cc").string());
    EXPECT_EQ(compiled.exit_code, 0) << name << "\n" << compiled.err;
  }
}

TEST(ApiHeaders, IncludeOnlyTheStandardLibraryAndEachOther) {
  const std::regex standard("<[a-z_]+>"), own("\"ergon/[a-z_]+\\.h\"");
  const std::regex include(R"(^\s*#\s*include\s*(\S+))");
  const auto headers = public_headers();
  EXPECT_GE(headers.size(), 10u);
  for (const fs::path& header : headers) {
    EXPECT_EQ(header.parent_path(), fs::path(kInclude) / "ergon");
    std::ifstream in(header);
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string what = match[1];
      EXPECT_TRUE(std::regex_match(what, standard) || std::regex_match(what, own)) << header << ": " << what;
    }
  }
}

TEST(ApiHeaders, UmbrellaIncludesAll) {
  const std::string umbrella = content_of(fs::path(kInclude) / "ergon/ergon.h");
  for (const fs::path& header : public_headers()) {
    if (header.filename() == "ergon.h") continue;
    const std::string line = "#include \"ergon/" + header.filename().string() + "\"\n";
    EXPECT_NE(umbrella.find(line), std::string::npos) << line;
  }
}

TEST(ApiHeaders, AreTheOnlyDefinitions) {
  // Units and results are defined once: the internal headers include the public ones.
  const std::string units = content_of(fs::path(ERGON_REPOSITORY) / "src/base/units.h");
  EXPECT_NE(units.find("#include <ergon/units.h>"), std::string::npos);
  EXPECT_EQ(units.find("class Quantity"), std::string::npos);
  const std::string result = content_of(fs::path(ERGON_REPOSITORY) / "src/base/result.h");
  EXPECT_EQ(result.find("class [[nodiscard]] Result"), std::string::npos);
}

}  // namespace
}  // namespace ergon::test
