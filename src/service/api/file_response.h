#pragma once

#include <filesystem>

#include "service/message.h"

namespace ergon::service {

// The JSON document in a file. A large one is streamed, so that it is never in memory as a whole.
Response file_response(const std::filesystem::path& file);

}  // namespace ergon::service
