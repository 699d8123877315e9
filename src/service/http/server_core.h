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
  asio::io_context io{1};
  MemoryBudget memory;
  std::unordered_set<std::shared_ptr<Connection>> connections;
  bool stopping = false;
  std::atomic<bool> ending_streams = false;
  // Last: their tasks use the members above.
  Workers quick, costly, streams;
};

}  // namespace ergon::service
