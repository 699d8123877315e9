#pragma once

// Boost.Asio and Beast, as this folder uses them.

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

namespace ergon::service {

namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;
// Beast 1.74 takes boost::none for a limit below every length.
inline constexpr auto kNoBodyLimit = std::numeric_limits<std::uint64_t>::max();

using SteadyTime = std::chrono::steady_clock::time_point;

}  // namespace ergon::service
