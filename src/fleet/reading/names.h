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

// The text with every byte that is no UTF-8 written as \xNN, so that it can stand in a document and two names
// stay two.
std::string utf8_name(std::string_view name);

// Every name once, with a number. Safe from several threads; names stay where they are.
class Names {
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

// Every GPU once, by what identifies it and its host.
class Gpus {
 public:
  Code code_of(std::string_view key, const Gpu& gpu);
  const Gpu& operator[](Code code) const;
  std::string_view key(Code code) const;  // as it was given
  std::size_t size() const;

 private:
  struct Entry {
    std::string key;
    Gpu gpu;
  };
  mutable std::mutex mutex_;
  std::deque<Entry> gpus_;
  std::map<std::string, Code, std::less<>> codes_;  // by key and host
};

// What one thread has already asked for; no locks. Names it remembers must outlive it.
class NameCache {
 public:
  struct Entry {
    std::uint64_t hash = 0;
    std::string_view name;
    std::string_view host;  // of a GPU
    Code code = kNobody;
  };

  // The entry of a name, or one to be filled in, whose code is kNobody.
  Entry& find(std::string_view name, std::uint64_t hash);
  // Says that an entry was filled in. Invalidates entries.
  void filled();

 private:
  std::vector<Entry> slots_ = std::vector<Entry>(256);
  std::size_t used_ = 0;
};

inline NameCache::Entry& NameCache::find(std::string_view name, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Entry& entry = slots_[i];
    if (entry.code == kNobody || (entry.hash == hash && entry.name == name)) return entry;
  }
}

}  // namespace ergon::fleet
