#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/input_limits.h"
#include "base/result.h"

namespace ergon {

// The kind of failure of an errno value.
Errc errc_of(int errno_value);

// An errno value as an Error, for example "no such file".
Error errno_error(int errno_value);

// The whole content of a file. Errors: it is larger than limits.file_bytes; those of reading it.
Result<std::string> read_file(const std::filesystem::path& path, const InputLimits& limits = input_limits());

// Replaces a file atomically: writes a temporary file in the same folder, syncs and renames it. The old file
// stays until commit() succeeds; without commit() the temporary file is removed. A path that is not a regular
// file (/dev/stdout, a pipe) is written directly.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& final_path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Result<> write(std::string_view text);
  Result<> commit();

 private:
  AtomicFile(std::filesystem::path final_path, std::filesystem::path beside, int fd);

  std::filesystem::path final_path_;
  std::filesystem::path beside_;  // the temporary file; empty when writing directly
  int fd_ = -1;
};

Result<> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ergon
