#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ergon::test {

// What fdatasync() made last: the test program has its own (lease_sync_test.cc), because nothing but a power
// cut would show that a sync is missing. It is in memory that forked processes share.
struct SyncSpy {
  int calls = 0;
  int folders = 0;  // synced by fsync()
  int error = 0;    // errno of all calls to come; 0: they succeed
  std::size_t size = 0;
  std::array<char, 65536> content{};

  // The file as a power cut would leave it, if nothing but synced bytes survives.
  std::string_view durable() const { return {content.data(), size}; }
  void reset() { calls = 0, folders = 0, error = 0, size = 0; }
};
SyncSpy& sync_spy();

}  // namespace ergon::test
