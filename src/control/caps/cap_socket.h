#pragma once

#include <memory>
#include <string>

#include "control/caps/cap_source.h"

namespace ergon::control {

// Listens on a Unix stream socket at `path` (mode 0600) for caps that programs send during the run. Each line
// is a cap (parse_cap). The next poll() answers every line; the line whose cap took effect gets a second
// answer when power is below the cap.
//
//   > 250W
//   < ok 250 W
//   < met in 0.35 s
//   > lots
//   < error: "lots" does not begin with a number; ...
//
// If several valid lines arrive in one poll, all are answered "ok" and the last one takes effect; only that
// one gets a "met" answer. At most 16 clients are connected; further ones receive an error and are closed. A
// line of more than 256 bytes is an error that closes the connection; a line may arrive in pieces over
// several polls. A client is not read while 16 KiB of its answers are unsent. A client that shut down its
// sending side still gets its answers.
//
// There is no thread: poll() and acknowledge() do all the work and never block. The destructor removes the
// socket file unless another file has replaced it.
//
// Errors: the path is too long for a socket; the path exists and is not a socket (invalid_input); another
// process listens on it (permission). A stale socket without a listener is replaced. Error of poll():
// accept() failed; reported once until it succeeds.
Result<std::unique_ptr<CapSource>> socket_cap(const std::string& path);

}  // namespace ergon::control
