#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/reading/telemetry.h"

namespace ergon::fleet {

// The name with every invalid UTF-8 byte written as \xNN. Different names stay different.
std::string utf8_name(std::string_view name);

// Assigns consecutive codes to names. Safe for several threads; views of names stay valid.
class NameTable {
 public:
  Code code_of(std::string_view name);
  std::string_view operator[](Code code) const;  // as UTF-8
  std::string_view as_given(Code code) const;
  std::size_t size() const;

 private:
  mutable std::mutex mutex_;
  struct Entry {
    std::string given, shown;
  };
  std::deque<Entry> names_;
  std::map<std::string_view, Code, std::less<>> codes_;
};

// Assigns consecutive codes to GPUs, identified by key and host. Safe for several threads.
class GpuTable {
 public:
  Code code_of(std::string_view key, const GpuRecord& gpu);
  const GpuRecord& operator[](Code code) const;
  std::string_view key(Code code) const;  // as in the log
  std::size_t size() const;

 private:
  struct Entry {
    std::string key;
    GpuRecord gpu;
  };
  mutable std::mutex mutex_;
  std::deque<Entry> gpus_;
  std::map<std::string, Code, std::less<>> codes_;  // by key and host
};

// Cache of name codes for one thread, without locks. Cached names must outlive the cache.
class NameCache {
 public:
  struct Entry {
    std::uint64_t hash = 0;
    std::string_view name;
    std::string_view host;  // for GPUs only
    Code code = kNoCode;
  };

  // The entry of a name, or an empty one (code kNoCode) for the caller to fill in.
  Entry& find(std::string_view name, std::uint64_t hash);
  // To be called after an entry was filled in. Invalidates references to entries.
  void filled();

 private:
  std::vector<Entry> slots_ = std::vector<Entry>(256);
  std::size_t used_ = 0;
};

inline NameCache::Entry& NameCache::find(std::string_view name, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Entry& entry = slots_[i];
    if (entry.code == kNoCode || (entry.hash == hash && entry.name == name)) return entry;
  }
}

}  // namespace ergon::fleet
