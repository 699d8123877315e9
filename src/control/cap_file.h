#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "control/cap_source.h"

namespace ergon::control {

// A file with one cap (parse_cap) that an operator writes while the run goes on, in place or beside it and
// renamed. Looked at in every poll, and read when its modification time, size or inode is another; the same
// cap written again is no change.
//
// Writing in place can be caught halfway: text that is not understood and has no line end yet gets 200 ms to
// become better. Text that is understood holds at once. Because file times are coarse, a new version is read
// again until it is 200 ms old.
//
// Errors of poll(), each once until the file is another: removed; no ordinary file, or unreadable; not
// understood. And an acknowledgement that could not be written.
class WatchedCap final : public CapSource {
 public:
  // Errors: no such file, or not an ordinary one. What it says is left to the first poll.
  static Result<std::unique_ptr<WatchedCap>> open(const std::string& path);

  Result<std::optional<CapChange>> poll(Seconds now) override;

  // Replaces the file's companion "<path>.ack": "cap_watts=250 took_seconds=0.35\n".
  void acknowledge(Watts cap, Seconds took) override;
  void refuse(const std::string& why) override;

  // The next poll reads the file, whatever its modification time. For SIGHUP, but not from its handler.
  void reread() { reread_ = true; }

 private:
  struct Stamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified_s = 0, modified_ns = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  explicit WatchedCap(std::string path);
  Result<Stamp> look() const;
  // Whether text_ is to be judged, as it is or may be new.
  Result<bool> refresh(Seconds now);
  Result<std::optional<CapChange>> tell_once(const std::string& about, Error error);

  std::string path_;
  std::optional<Watts> cap_;     // the last one understood and not refused
  std::optional<Watts> before_;  // the one before it
  std::optional<Stamp> stamp_;   // of the version read last; nothing: it could not be read
  std::string text_;             // of that version
  Seconds since_;                // when it was first seen
  bool settled_ = false;         // it was read when it was old enough
  bool reread_ = false;
  std::string told_;  // what the last error was about
  std::optional<Error> unacknowledged_;
};

inline Result<std::unique_ptr<WatchedCap>> watched_cap(const std::string& path) {
  return WatchedCap::open(path);
}

}  // namespace ergon::control
