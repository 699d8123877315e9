#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "control/caps/cap_source.h"

namespace ergon::control {

// Reads the cap (parse_cap) from a file that an operator writes during the run, in place or by renaming.
// Every poll() checks modification time, size and inode, and reads the file if one of them changed. Writing
// the same cap again is not a change.
//
// A file written in place may be read half-written: invalid text without a final newline gets 200 ms to
// become valid. Valid text takes effect at once. Because file times are coarse, a new version is read again
// until it is 200 ms old.
//
// Errors of poll(), each reported once until the file changes: removed; not a regular file, or unreadable;
// invalid text. Also: the acknowledgement could not be written.
class FileCap final : public CapSource {
 public:
  // Errors: no such file; not a regular file. The content is read by the first poll().
  static Result<std::unique_ptr<FileCap>> open(const std::string& path);

  Result<std::optional<CapChange>> poll(Seconds now) override;

  // Writes the acknowledgement file "<path>.ack": "cap_watts=250 took_seconds=0.35\n".
  void acknowledge(Watts cap, Seconds took) override;
  void refuse(const std::string& why) override;

  // The next poll() reads the file regardless of its modification time. For SIGHUP; not async-signal-safe.
  void reread() { reread_ = true; }

 private:
  struct Stamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified_s = 0, modified_ns = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  explicit FileCap(std::string path);
  Result<Stamp> stat_file() const;
  // Reads the file if it changed. Returns whether text_ must be parsed again.
  Result<bool> refresh(Seconds now);
  Result<std::optional<CapChange>> report_once(const std::string& about, Error error);

  std::string path_;
  std::optional<Watts> cap_;     // the last valid one that was not refused
  std::optional<Watts> before_;  // the one before it
  std::optional<Stamp> stamp_;   // of the last version read; empty: reading failed
  std::string text_;             // of that version
  Seconds since_;                // time of the first poll that saw it
  bool settled_ = false;         // it was read when it was at least 200 ms old
  bool reread_ = false;
  std::string reported_;  // subject of the last error
  std::optional<Error> unacknowledged_;
};

inline Result<std::unique_ptr<FileCap>> file_cap(const std::string& path) { return FileCap::open(path); }

}  // namespace ergon::control
