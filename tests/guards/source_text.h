#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ergon::test {

// A source file by its path below the repository ("src/base/text.h"), with its content.
struct RepositoryFile {
  std::string path;
  std::string content;
};

// The .h, .cc and .in files below these folders of the repository.
std::vector<RepositoryFile> source_files(const std::vector<std::string>& folders);

// C++ text without comments; line ends remain. Strings remain, too, unless `keep_strings` is false: then they
// are empty.
std::string code_of(const std::string& text, bool keep_strings);

}  // namespace ergon::test
