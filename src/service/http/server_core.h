#pragma once

#include <atomic>
#include <memory>
#include <unordered_set>

#include "service/http/asio.h"
#include "service/http/memory_budget.h"
#include "service/http/server.h"
#include "service/http/workers.h"

namespace ergon::service {

class Connection;

// What all connections of a server share. One thread, that of Server::serve, reads, writes and parses for all
// of them; handlers run in workers.
struct ServerCore {
  ServerCore(const ServerLimits& server_limits, const Service& served);

  const ServerLimits& limits;
  const Service& service;
  // Before the io_context, whose last handlers use them.
  MemoryBudget input_memory, output_memory;
  asio::io_context io{1};
  std::unordered_set<std::shared_ptr<Connection>> connections;
  std::size_t socket_bytes = 0;  // memory of the kernel for all connections, as far as it was measured
  SteadyTime next_eviction{};    // for that memory
  std::atomic<bool> stopping = false;
  // Last: their tasks use the members above.
  Workers quick, costly, streams;
};

// Closes the connection that has waited longest, of all or of those for which `holds` is true, to make room
// for another. Returns false if there is none.
bool evict(ServerCore& core, bool (Connection::*holds)() const = nullptr);

}  // namespace ergon::service
