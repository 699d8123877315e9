#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/builtin_files.h"
#include "base/result.h"

namespace ergon::reproduce {

// A data file of a study.
struct DataFile {
  std::string name;                      // plain: "gpu.csv"; the file may be compressed
  std::string role;                      // what the study uses it for; files of one role replace each other
  bool primary = false;                  // false: replaces a primary file of the same role
  std::string sha256;                    // of the plain file
  std::optional<std::string> sha256_xz;  // of a known compressed file
};

// Where the data of a study comes from. It is not part of Ergon; data/sources has its names and checksums.
struct DataSource {
  std::string paper;  // name of the command
  std::string from;   // where the primary files come from
  std::vector<DataFile> files;
};

// Errors: text that is not such a description.
Result<DataSource> parse_data_source(std::string_view text, std::string_view source);
// The description of data/sources. Errors: a paper without data.
Result<DataSource> data_source_of(std::string_view paper);
BuiltinFiles data_source_files();

// A file of a source on disk.
struct FoundFile {
  std::filesystem::path path;  // with the ending of its compression
  DataFile file;
};
// The first file of the role that the folder has, plain or compressed (.xz, .gz, .zst).
std::optional<FoundFile> find_file(const DataSource& source, std::string_view role,
                                   const std::filesystem::path& folder);

// One line that says which primary files have these roles, with checksums, and where they come from.
std::string download_text(const DataSource& source, const std::vector<std::string>& roles);

// A note if the checksum of the file is not the known one. Empty if it is, or if none is known for this
// compression. Errors: a file that cannot be read.
Result<std::string> checksum_note(const FoundFile& found);

}  // namespace ergon::reproduce
