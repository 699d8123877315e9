#pragma once

#include <functional>
#include <stop_token>

namespace ergon {

// A stop is requested when one of two others is.
class EitherStop {
 public:
  EitherStop(const std::stop_token& first, const std::stop_token& second)
      : on_first_(first, [this] { source_.request_stop(); }),
        on_second_(second, [this] { source_.request_stop(); }) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> on_first_, on_second_;
};

}  // namespace ergon
