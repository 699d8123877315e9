#pragma once

#include <string>

#include "service/message.h"

namespace ergon::service {

// How the length of a body is told.
enum class BodyFraming {
  length,   // Content-Length
  chunked,  // Transfer-Encoding: chunked
  closing,  // the connection ends with the body
};

// The status line and the headers of a response, with the empty line at their end. Line breaks in values are
// replaced by spaces.
std::string response_head(const Response& response, BodyFraming framing, bool keep_alive);

// A piece of a chunked body; empty text ends the body.
std::string chunk(std::string_view text);

// Whether responses with this status have a body.
bool has_body(int status);

// "Not Found"
std::string_view reason_phrase(int status);

}  // namespace ergon::service
