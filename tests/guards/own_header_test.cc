// A .cc file includes the header of its own name first. A build that compiles file by file (preset dev) then
// shows that the header needs nothing before it. Headers without such a file: see cmake/ErgonFolder.cmake;
// those of the public API: see tests/api.

#include <filesystem>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"

namespace ergon::test {
namespace {

namespace fs = std::filesystem;

// The file that the first include directive names; "" if there is none.
std::string first_include(const std::string& content) {
  static const std::regex include(R"((^|\n)[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])");
  std::smatch match;
  return std::regex_search(content, match, include) ? match[2].str() : "";
}

// Whether a source begins with its own header. `header` is a path with folders, an include may leave out the
// first ones.
bool includes_first(const std::string& content, const fs::path& header) {
  const std::string first = first_include(content);
  return !first.empty() && ("/" + header.generic_string()).ends_with("/" + first);
}

TEST(OwnHeader, IsTheFirstInclude) {
  EXPECT_EQ(first_include("// why\n\n#include \"base/text.h\"\n#include <map>\n"), "base/text.h");
  EXPECT_EQ(first_include("int x;\n"), "");
  EXPECT_TRUE(includes_first("#include \"base/text.h\"\n", "src/base/text.h"));
  EXPECT_FALSE(includes_first("#include <map>\n#include \"base/text.h\"\n", "src/base/text.h"));
  EXPECT_FALSE(includes_first("#include \"xt.h\"\n", "src/base/text.h"));
}

TEST(OwnHeader, IsFirstInEverySource) {
  const fs::path repository = ERGON_REPOSITORY;
  int sources = 0;
  for (const char* root : {"src", "apps", "fake-nvml"}) {
    for (const auto& entry : fs::recursive_directory_iterator(repository / root)) {
      const fs::path& path = entry.path();
      if (path.extension() != ".cc") continue;
      const fs::path header = fs::path(path).replace_extension(".h");
      if (!fs::exists(header)) continue;
      const auto content = read_file(path);
      ASSERT_TRUE(content);
      ++sources;
      EXPECT_TRUE(includes_first(*content, header))
          << fs::relative(path, repository) << " does not include " << header.filename() << " first";
    }
  }
  EXPECT_GT(sources, 300);
}

}  // namespace
}  // namespace ergon::test
