#pragma once

#include <cstddef>

namespace ergon::service {

// Size of the send buffer and of the receive buffer of a connection. Linux reserves twice as much, for its
// own data. Its default lets a client that does not read make a server hold 4 MiB.
inline constexpr int kSocketBuffer = 64 << 10;
inline constexpr std::size_t kMaxUnsent = std::size_t{2} * kSocketBuffer;

// Memory of the kernel for one socket, with the kernel's own data.
struct SocketMemory {
  std::size_t unread = 0;  // received, and not read by this process
  std::size_t unsent = 0;  // written, and not acknowledged by the peer

  std::size_t total() const { return unread + unsent; }
};

// 0 where the kernel does not tell (before Linux 4.12).
SocketMemory socket_memory(int socket);

// Sets the sizes of both buffers. Connections inherit them from a listening TCP socket, not from a Unix
// socket.
void limit_buffers(int socket);

}  // namespace ergon::service
