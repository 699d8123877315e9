#include "service/http/socket_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <linux/sock_diag.h>
#include <sys/socket.h>

namespace ergon::service {

SocketMemory socket_memory(int socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> found{};
  socklen_t size = sizeof found;
  if (::getsockopt(socket, SOL_SOCKET, SO_MEMINFO, found.data(), &size) != 0) return {};
  // TCP counts what it stores until it is acknowledged, a Unix socket what its peer has not read.
  return {.unread = found[SK_MEMINFO_RMEM_ALLOC],
          .unsent = std::max(found[SK_MEMINFO_WMEM_QUEUED], found[SK_MEMINFO_WMEM_ALLOC])};
}

void limit_buffers(int socket) {
  for (const int buffer : {SO_SNDBUF, SO_RCVBUF})
    ::setsockopt(socket, SOL_SOCKET, buffer, &kSocketBuffer, sizeof kSocketBuffer);
}

}  // namespace ergon::service
