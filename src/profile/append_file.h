#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::profile {

// A file that only grows, by pieces that are there whole or not at all, unless the process is killed or the
// power fails meanwhile: then a piece of which only the beginning is there can only be the last.
class AppendFile {
 public:
  // Opens the file to write at its end; made if it is not there.
  static Result<AppendFile> open(const std::filesystem::path& path);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  // Keeps other processes, and other objects of this one, from locking it; ends with the object, or with the
  // process however that ends. False: somebody has it.
  Result<bool> lock();

  const std::filesystem::path& path() const { return path_; }
  Result<> cut(std::size_t size);
  // On the disk when it returns. When it fails the file is what it was, or will be before the next append.
  Result<> append(std::string_view text);

 private:
  AppendFile(std::filesystem::path path, int fd);

  Result<> measure();
  Result<> write(std::string_view text) const;
  Error here(int errno_value) const;

  std::filesystem::path path_;
  int fd_ = -1;
  std::size_t size_ = 0;  // of what is whole
  bool torn_ = false;     // there may be more behind it
};

}  // namespace ergon::profile
