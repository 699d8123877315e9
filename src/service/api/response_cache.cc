#include "service/api/response_cache.h"

namespace ergon::service {

std::shared_ptr<const std::string> ResponseCache::find(const std::string& request) {
  const std::lock_guard lock(mutex_);
  const auto found = by_request_.find(request);
  if (found == by_request_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->body;
}

void ResponseCache::insert(const std::string& request, std::shared_ptr<const std::string> body) {
  const std::lock_guard lock(mutex_);
  if (request.size() + body->size() > max_bytes_ || by_request_.contains(request)) return;
  entries_.push_front({request, std::move(body)});
  by_request_[request] = entries_.begin();
  bytes_ += entries_.front().bytes();
  while (bytes_ > max_bytes_) {
    bytes_ -= entries_.back().bytes();
    by_request_.erase(entries_.back().request);
    entries_.pop_back();
  }
}

std::size_t ResponseCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace ergon::service
