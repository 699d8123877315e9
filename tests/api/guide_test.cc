// The code in docs/api.md compiles.

#include <fstream>

#include "support.h"

namespace ergon::test {
namespace {

std::vector<std::string> code_blocks(const std::string& file) {
  std::vector<std::string> blocks;
  std::ifstream in(file);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```cpp") {
      inside = true;
      blocks.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(ApiGuide, CodeCompiles) {
  const std::string repository = ERGON_REPOSITORY;
  const auto blocks = code_blocks(repository + "/docs/api.md");
  EXPECT_GE(blocks.size(), 8u);
  const TemporaryFolder folder;
  {
    std::ofstream out(folder / "guide.cc");
    out << "#include <cstdio>\n#include <ergon/ergon.h>\nusing namespace ergon::literals;\n"
           "int give_up(const ergon::Error&);\nvoid work();\nbool serving();\n"
           "ergon::CapFeedback run_batches(const ergon::BatchAndClock&, const ergon::DecisionInterval&);\n"
           "void run_batch(std::int64_t);\n";
    int number = 0;
    for (const std::string& block : blocks)
      out << "int block_" << number++ << "() {\n" << block << "return 0;\n}\n";
  }
  const auto compiled =
      run_shell(std::string(ERGON_COMPILER) + " -std=c++20 -fsyntax-only -Wall -Wextra -Werror " +
                "-Wno-unused-variable -I '" + repository + "/include' " + (folder / "guide.cc").string());
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
}

}  // namespace
}  // namespace ergon::test
