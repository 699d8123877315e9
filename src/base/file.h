#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon {

// The kind of failure that an errno value stands for.
Errc errc_of(int errno_value);

// "No such file or directory" and its kin, as an Error.
Error errno_error(int errno_value);

// The whole content of a small file.
Result<std::string> read_file(const std::filesystem::path& path);

// A new version of a file that appears under its name whole or not at all: written beside it, synced,
// renamed. Until commit() succeeds the old file stays; without it the unfinished one is removed. What is not
// an ordinary file (/dev/stdout, a pipe) is written through.
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
  std::filesystem::path beside_;  // empty when writing through
  int fd_ = -1;
};

Result<> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace ergon
