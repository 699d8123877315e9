#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace ergon::test {

// Records what was synced. The test program replaces fdatasync() (lease_sync_test.cc), because otherwise only
// a power loss would reveal a missing sync. In memory shared by forked processes.
struct SyncSpy {
  int calls = 0;
  int folders = 0;  // synced by fsync()
  int error = 0;    // errno of all later calls; 0: success
  std::size_t size = 0;
  std::array<char, 65536> content{};

  // The file after a power loss: the synced bytes only.
  std::string_view durable() const { return {content.data(), size}; }
  void reset() { calls = 0, folders = 0, error = 0, size = 0; }
};
SyncSpy& sync_spy();

}  // namespace ergon::test
