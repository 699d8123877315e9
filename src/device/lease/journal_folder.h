#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/lease/journal_descriptor.h"

namespace ergon::device {

enum class IfAbsent : std::uint8_t { create, fail };

// File name of a device's journal, for example "GPU-5fb1.journal".
std::string journal_name(std::string_view uuid);

// The folder of the journals. To prevent other users from redirecting writes or forging changes to restore,
// it must not be a symbolic link, must be owned by this user or root, and must not be writable by others. A
// folder that is created (with its parents, mode 0700) is synced to disk before it is used.
class JournalFolder {
 public:
  static Result<JournalFolder> open(const std::filesystem::path& path, IfAbsent if_absent);

  const std::filesystem::path& path() const { return path_; }

  // Opens a regular file of this user or root for reading and appending, with O_CLOEXEC.
  Result<JournalDescriptor> open_file(const std::string& name, IfAbsent if_absent) const;
  // Writes and syncs a new file named "name", or "name.2", ... if that exists. Returns its path.
  Result<std::filesystem::path> save_new(const std::string& name, std::string_view content) const;
  // Syncs the folder, so that names of new files survive a power loss.
  Result<> sync() const;

 private:
  JournalFolder(std::filesystem::path path, JournalDescriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  JournalDescriptor folder_;
};

// Reads the whole file. Errors: a file larger than any journal.
Result<std::string> read_journal(int fd);

// Appends the whole text to the file.
Result<> append_text(int fd, std::string_view text);

}  // namespace ergon::device
