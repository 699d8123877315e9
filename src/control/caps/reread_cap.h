#pragma once

#include <functional>
#include <memory>

#include "control/caps/cap_file.h"

namespace ergon::control {

// A file that is read again, regardless of its modification time, at the next poll() after `requested`
// returned true. For programs that reread their files on SIGHUP. `requested` is called by every poll().
std::unique_ptr<CapSource> reread_cap(std::unique_ptr<FileCap> file, std::function<bool()> requested);

}  // namespace ergon::control
