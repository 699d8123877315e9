#include "source_text.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/file.h"

namespace ergon::test {

std::vector<RepositoryFile> source_files(const std::vector<std::string>& folders) {
  namespace fs = std::filesystem;
  const fs::path repository = ERGON_REPOSITORY;
  std::vector<RepositoryFile> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(repository / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc" && extension != ".in") continue;
      const auto content = read_file(entry.path());
      EXPECT_TRUE(content) << entry.path();
      if (content) files.push_back({fs::relative(entry.path(), repository).string(), *content});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

namespace {

// The end of the literal that begins at `begin`, behind its closing quote.
std::size_t literal_end(const std::string& text, std::size_t begin) {
  const char quote = text[begin];
  if (quote == '"' && begin > 0 && text[begin - 1] == 'R') {  // R"name(...)name"
    const auto open = text.find('(', begin);
    const std::string close = ")" + text.substr(begin + 1, open - begin - 1) + "\"";
    const auto end = text.find(close, begin);
    return end == std::string::npos ? text.size() : end + close.size();
  }
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::string code_of(const std::string& text, bool keep_strings) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      for (; i < end; ++i) code += text[i] == '\n' ? "\n" : "";
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {  // 1'000 is a number
      const std::size_t end = literal_end(text, i);
      code += keep_strings ? text.substr(i, end - i) : "\"\"";
      i = end;
    } else {
      code += text[i++];
    }
  }
  return code;
}

namespace {

TEST(SourceText, HasNoComments) {
  EXPECT_EQ(code_of("int a; // b\nint c; /* d\ne */ int f;\n", true), "int a; \nint c; \n int f;\n");
  EXPECT_EQ(code_of("f(\"// no comment\");", true), "f(\"// no comment\");");
  EXPECT_EQ(code_of("f(\"class A : B {\", 'x', 1'000);", false), "f(\"\", \"\", 1'000);");
  EXPECT_EQ(code_of(R"x(f(R"y(" // )y", a); // b)x", false), "f(R\"\", a); ");
  EXPECT_EQ(code_of("f(\"a\\\"b // c\", d) // e", true), "f(\"a\\\"b // c\", d) ");
}

TEST(SourceText, FilesOfTheRepository) {
  const auto files = source_files({"src/base"});
  EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                          [](const RepositoryFile& file) { return file.path == "src/base/text.h"; }));
}

}  // namespace
}  // namespace ergon::test
