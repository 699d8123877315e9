#pragma once

#include <memory>
#include <string>

#include "control/cap_source.h"

namespace ergon::control {

// A Unix stream socket at `path`, for its owner only (mode 0600), to which programs send caps while the run
// goes on. A line is a cap (parse_cap); every line is answered in the next poll, and the one whose cap was
// taken once more when power is below it.
//
//   > 250W
//   < ok 250 W
//   < met in 0.35 s
//   > lots
//   < error: "lots" does not begin with a number; a cap wants a power, such as 250W
//
// Several good lines in one poll are all answered, and the last of them is the change; who was overtaken
// hears no more about it. At most 16 programs are connected; a further one is told so and turned away. A line
// of more than 256 bytes is an error that ends the connection; the end of a line may come in a later poll. A
// program that does not read its answers is not listened to while 16 KiB of them wait. One that shut down its
// sending side still gets its answers.
//
// There is no thread: all of it happens in poll() and acknowledge(), which never wait. The socket is removed
// with the object, unless something else is there by then.
//
// Errors: a path that is too long for a socket; something there that is not a socket (invalid_input), or is
// one to which somebody listens (permission). A socket to which nobody listens was left behind, and is
// replaced. Error of poll(): no connection can be accepted, once until one can.
Result<std::unique_ptr<CapSource>> socket_cap(const std::string& path);

}  // namespace ergon::control
