#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ergon::service {

// Least-recently-used cache of response bodies, limited by their total size. Thread-safe.
class ResponseCache {
 public:
  explicit ResponseCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Null if it is not cached.
  std::shared_ptr<const std::string> find(const std::string& request);
  // Does nothing if the request is cached already or the entry alone exceeds the limit.
  void insert(const std::string& request, std::shared_ptr<const std::string> body);
  std::size_t bytes() const;

 private:
  struct CachedResponse {
    std::string request;
    std::shared_ptr<const std::string> body;
    std::size_t bytes() const { return request.size() + body->size(); }
  };

  std::size_t max_bytes_;
  mutable std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::list<CachedResponse> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<CachedResponse>::iterator> by_request_;
};

}  // namespace ergon::service
