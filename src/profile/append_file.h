#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ergon::profile {

// An append-only file. Each append is complete or has no effect. After a kill or a power failure, only the
// last append may be partial.
class AppendFile {
 public:
  // Opens the file for appending; creates it if it does not exist.
  static Result<AppendFile> open(const std::filesystem::path& path);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  // Takes an exclusive lock (flock), which ends with the object or the process. Returns false if another
  // process or another object holds it.
  Result<bool> lock();

  const std::filesystem::path& path() const { return path_; }
  Result<> truncate(std::size_t size);
  // The text is on disk when this returns. After an error the file is unchanged; a partial write is removed
  // by the next append at the latest.
  Result<> append(std::string_view text);

 private:
  AppendFile(std::filesystem::path path, int fd);

  Result<> measure();
  Result<> write(std::string_view text) const;
  Error here(int errno_value) const;

  std::filesystem::path path_;
  int fd_ = -1;
  std::size_t size_ = 0;  // of the complete appends
  bool torn_ = false;     // a partial append may follow
};

}  // namespace ergon::profile
