#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/lease/journal_descriptor.h"

namespace ergon::device {

enum class IfAbsent : std::uint8_t { create, fail };

// "GPU-5fb1.journal": what a device's journal is called.
std::string journal_name(std::string_view uuid);

// The folder that holds journals, where one process cannot be tricked by another user into writing elsewhere
// or into restoring what that user made up: no link, owned by this user or root, not writable by others. One
// that is created (with its parents, for their owner only) is on the disk before it is used.
class JournalFolder {
 public:
  static Result<JournalFolder> open(const std::filesystem::path& path, IfAbsent if_absent);

  const std::filesystem::path& path() const { return path_; }

  // An ordinary file of this user or root, to read and append to, not handed on to programs that are started.
  Result<JournalDescriptor> open_file(const std::string& name, IfAbsent if_absent) const;
  // A new file with this content, on the disk, under the first of "name", "name.2", ... that is free.
  Result<std::filesystem::path> keep(const std::string& name, std::string_view content) const;
  // Makes names of new files last.
  Result<> sync() const;

 private:
  JournalFolder(std::filesystem::path path, JournalDescriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  JournalDescriptor folder_;
};

// Whatever the file holds. Errors: one longer than any journal.
Result<std::string> read_journal(int fd);

// All of the text at the end of the file.
Result<> append_text(int fd, std::string_view text);

}  // namespace ergon::device
