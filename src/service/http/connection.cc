#include "service/http/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/beast/http/error.hpp>
#include <chrono>

#include "base/text.h"
#include "service/http/deadline.h"
#include "service/http/header_check.h"
#include "service/http/response_head.h"
#include "service/http/socket_memory.h"
#include "service/http/target.h"

namespace ergon::service {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t kSmallRead = 1024;  // not counted: every connection may have it
constexpr std::size_t kMediumRead = std::size_t{4} << 10;
constexpr std::size_t kLargeRead = std::size_t{16} << 10;
constexpr std::size_t kMaxDrained = std::size_t{1} << 20;
constexpr Seconds kClosingTime{1};
// A client that reads at all has read a response by then.
constexpr std::chrono::seconds kReadingTime{1};
// How often a client that has closed its sending side is probed.
constexpr std::chrono::seconds kProbeInterval{1};
constexpr std::chrono::milliseconds kRetryEviction{20};
constexpr std::size_t kSmallWrite = std::size_t{4} << 10;  // not counted before it is written
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

bool takes_body(std::string_view method) { return method == "POST" || method == "PUT"; }

Response malformed(const ErrorCode& error) {
  if (error == http::error::header_limit)
    return error_response(431, "invalid_input", "the headers are too large");
  if (error == http::error::body_limit) return error_response(413, "invalid_input", "the body is too large");
  return error_response(400, "invalid_input", "malformed request");
}

Response overloaded(std::string_view why) {
  Response response = error_response(503, "busy", why);
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

}  // namespace

Connection::Connection(std::unique_ptr<Transport> transport, std::optional<PeerCredentials> peer,
                       ServerCore& core)
    : transport_(std::move(transport)),
      peer_(peer),
      core_(core),
      input_memory_(core.input_memory),
      output_memory_(core.output_memory) {}

void Connection::enter(Phase phase, std::optional<Seconds> limit) {
  phase_ = phase;
  since_ = std::chrono::steady_clock::now();
  deadline_ = limit ? after(since_, *limit) : SteadyTime::max();
  if (core_.stopping) deadline_ = std::min(deadline_, after(since_, core_.limits.stop_timeout));
}

void Connection::start() {
  enter(Phase::handshake, core_.limits.request_timeout);
  transport_->handshake([self = shared_from_this()](ErrorCode error, std::size_t) {
    if (error) return self->close();
    if (!self->closed()) self->await_request();
  });
}

void Connection::check_deadline(SteadyTime now) {
  if (closed()) return;
  if (broken_) return close();
  count_socket_memory(0);
  if (closed()) return;
  if (input_ended_ && socket_memory(transport_->socket().native_handle()).unsent == 0) return close();
  if (watched_ && (phase_ == Phase::answering || phase_ == Phase::streaming) && client_left(now))
    return close();
  if (now < deadline_) return;
  if (phase_ != Phase::answering || wanted_piece_ != nullptr) return close();
  stop_.request_stop();
  keep_alive_ = false;
  respond(overloaded("the request took too long; run it as a job"));
}

void Connection::stop() {
  if (phase_ < Phase::answering) return close();
  deadline_ = std::min(deadline_, after(std::chrono::steady_clock::now(), core_.limits.stop_timeout));
  if (watched_) stop_.request_stop();
}

void Connection::close() {
  if (closed()) return;
  phase_ = Phase::closed;
  gone_ = true;
  stop_.request_stop();
  // The kernel would keep what the client does not read, for many minutes.
  auto& socket = transport_->socket();
  if (!core_.stopping && socket_memory(socket.native_handle()).unsent > 0) {
    ErrorCode ignored;
    socket.set_option(asio::socket_base::linger(true, 0), ignored);
  }
  transport_->close();
  if (wanted_piece_ != nullptr) give_piece();
  // The buffers follow as soon as the pending operations have called back.
  input_memory_.resize(0);
  output_memory_.resize(0);
  set_socket_bytes(0);
  core_.connections.erase(shared_from_this());
}

bool Connection::can_be_evicted() const {
  if (phase_ == Phase::writing) return std::chrono::steady_clock::now() - since_ > kReadingTime;
  return phase_ < Phase::answering || phase_ == Phase::closing;
}

// When all memory is taken, the connection that has sent its request for longest loses its place.
bool Connection::reserve_input(std::size_t bytes) {
  while (!input_memory_.resize(bytes)) {
    if (!evict(core_, &Connection::holds_input) || closed()) return false;
  }
  return true;
}

void Connection::set_socket_bytes(std::size_t bytes) {
  core_.socket_bytes += bytes - socket_bytes_;
  socket_bytes_ = bytes;
}

// When all memory is taken, the client that has not read for longest loses its place. The search for it takes
// time for each connection, so that it is not repeated at once if there is none.
bool Connection::count_socket_memory(std::size_t to_write) {
  const std::size_t bytes = socket_memory(transport_->socket().native_handle()).total() + to_write;
  set_socket_bytes(phase_ == Phase::writing ? std::max(bytes, socket_bytes_) : bytes);
  while (core_.socket_bytes > core_.limits.max_socket_bytes) {
    const auto now = std::chrono::steady_clock::now();
    if (now < core_.next_eviction) return false;
    if (!evict(core_, &Connection::holds_socket_memory)) {
      core_.next_eviction = now + kRetryEviction;
      return false;
    }
    if (closed()) return false;
  }
  return true;
}

void Connection::read(Next next) {
  const std::size_t held = input_.size() + request_.body.size();
  const bool head = phase_ == Phase::idle || phase_ == Phase::head;
  // What no parser has understood yet, such as an endless chunk extension.
  if (!head && input_.size() > kLargeRead) return close();
  std::size_t size = !head ? kLargeRead : held < kSmallRead ? kSmallRead : kMediumRead;
  if (size > kSmallRead && !reserve_input(held + size)) {
    if (closed()) return;
    if (held >= kSmallRead) return refuse(overloaded("too many requests at once; try again"));
    size = kSmallRead;
  }
  transport_->read_some(
      input_.prepare(size), [self = shared_from_this(), next](ErrorCode error, std::size_t got) {
        if (self->closed()) return;
        const bool reading = self->phase_ < Phase::answering || self->phase_ == Phase::closing;
        if (error) return reading ? self->leave() : self->close();
        self->input_.commit(got);
        if (self->phase_ == Phase::idle) self->enter(Phase::head, self->core_.limits.request_timeout);
        ((*self).*next)();
      });
}

void Connection::await_request() {
  if (core_.stopping) return close();
  head_parser_.emplace();
  head_parser_->header_limit(static_cast<std::uint32_t>(core_.limits.max_header_bytes));
  head_parser_->body_limit(kNoBodyLimit);  // admit_body() has the limits
  head_bytes_ = 0;
  request_ = Request{};
  if (input_.size() > 0) {
    enter(Phase::head, core_.limits.request_timeout);
    return parse_head();
  }
  // An idle connection holds no buffer.
  input_ = boost::beast::flat_buffer();
  input_memory_.resize(0);
  enter(Phase::idle, core_.limits.keep_alive);
  transport_->wait_readable([self = shared_from_this()](ErrorCode error, std::size_t) {
    if (self->closed()) return;
    if (error) return self->close();
    self->read(&Connection::parse_head);
  });
}

void Connection::parse_head() {
  ErrorCode error;
  while (input_.size() > 0 && !head_parser_->is_header_done()) {
    const std::size_t used = head_parser_->put(input_.data(), error);
    input_.consume(used);
    head_bytes_ += used;
    if (error) break;
  }
  if (error && error != http::error::need_more) return refuse(malformed(error));
  // The parser limits the request line and the fields separately.
  if (head_bytes_ + (head_parser_->is_header_done() ? 0 : input_.size()) > core_.limits.max_header_bytes)
    return refuse(malformed(http::error::header_limit));
  if (head_parser_->is_header_done()) return head_complete();
  read(&Connection::parse_head);
}

void Connection::head_complete() {
  const auto& message = head_parser_->get();
  http_1_1_ = message.version() == 11;
  keep_alive_ = head_parser_->keep_alive();
  head_only_ = message.method() == http::verb::head;
  const std::string_view target(message.target().data(), message.target().size());
  if (message.method() == http::verb::unknown)
    return refuse(error_response(400, "invalid_input", "unknown method"));
  if (target.size() > core_.limits.max_target_bytes)
    return refuse(error_response(414, "invalid_input", "the URL is too long"));
  for (const auto& field : message) {
    if (request_.headers.size() >= core_.limits.max_headers)
      return refuse(error_response(431, "invalid_input", "there are too many headers"));
    request_.headers.emplace_back(lower({field.name_string().data(), field.name_string().size()}),
                                  std::string(field.value().data(), field.value().size()));
  }
  if (const auto ambiguity = ambiguity_of(request_.headers, http_1_1_))
    return refuse(error_response(400, "invalid_input", *ambiguity));
  auto parsed = parse_target(target);
  if (!parsed) return refuse(error_response(400, "invalid_input", parsed.error().message));
  request_.method.assign(message.method_string().data(), message.method_string().size());
  request_.path = std::move(parsed->path);
  request_.query = std::move(parsed->query);
  request_.peer = peer_;

  try {
    admission_ = core_.service.admit ? core_.service.admit(request_) : Admission{};
  } catch (const std::exception&) {
    return refuse(error_response(500, "io", "internal server error"));
  }
  const auto length = head_parser_->content_length();
  const bool has_body = head_parser_->chunked() || length.value_or(0) > 0;
  if (admission_.response) {
    if (has_body) return refuse(std::move(*admission_.response));
    return respond(std::move(*admission_.response));
  }
  if (!admit_body(admission_)) return;
  if (!has_body) return dispatch(admission_);

  const auto size = static_cast<double>(length.value_or(0));
  enter(Phase::body, core_.limits.request_timeout + Bytes{size} / core_.limits.min_rate);
  body_parser_.emplace(std::move(*head_parser_));
  body_parser_->body_limit(admission_.stream_body ? kNoBodyLimit : core_.limits.max_request_bytes);
  if (lower(request_.header("expect")) == "100-continue" && input_.size() == 0) {
    transport_->write({asio::buffer(kContinue), asio::const_buffer()},
                      [self = shared_from_this()](ErrorCode error, std::size_t) {
                        if (self->closed()) return;
                        if (error) return self->close();
                        self->admission_.stream_body ? self->dispatch(self->admission_) : self->read_body();
                      });
    return;
  }
  if (admission_.stream_body) return dispatch(admission_);
  read_body();
}

// Only bodies of a declared, limited length are read; anything else could be smuggled past the guard as the
// next request, or grow without limit.
bool Connection::admit_body(const Admission& admission) {
  if (admission.stream_body) return true;
  const auto length = head_parser_->content_length();
  const bool chunked = head_parser_->chunked();
  const bool expected = takes_body(request_.method);
  Response refusal;
  if (!expected && (chunked || length.value_or(0) > 0)) {
    refusal = error_response(400, "invalid_input", "this method takes no body");
  } else if (expected && (chunked || !length)) {
    refusal = error_response(411, "invalid_input", "Content-Length is required");
  } else if (expected && !request_.header("content-encoding").empty()) {
    refusal = error_response(415, "invalid_input", "Content-Encoding is not supported");
  } else if (length.value_or(0) > core_.limits.max_request_bytes) {
    refusal = error_response(413, "invalid_input", "the request is too large");
  } else {
    return true;
  }
  refuse(std::move(refusal));
  return false;
}

Result<std::optional<std::string>> Connection::parse_body_piece() {
  std::array<char, kLargeRead> block;
  std::string piece;
  while (input_.size() > 0 && !body_parser_->is_done()) {
    auto& body = body_parser_->get().body();
    body.data = block.data();
    body.size = block.size();
    body.more = true;
    ErrorCode error;
    const std::size_t used = body_parser_->put(input_.data(), error);
    input_.consume(used);
    piece.append(block.data(), block.size() - body.size);
    if (error == http::error::need_buffer) continue;
    if (error == http::error::need_more) break;
    if (error) return fail(Errc::invalid_input, "{}", error.message());
    if (piece.size() >= kLargeRead) break;
  }
  if (piece.empty() && !body_parser_->is_done()) return std::optional<std::string>();
  return std::optional(std::move(piece));
}

void Connection::read_body() {
  while (!body_parser_->is_done()) {
    const auto piece = parse_body_piece();
    if (!piece) return refuse(error_response(400, "invalid_input", "malformed body"));
    if (!*piece) return read(&Connection::read_body);
    request_.body += **piece;
  }
  dispatch(admission_);
}

// The memory is counted here already: responses that wait for the thread that writes them count, too.
Connection::Answer Connection::answer_of_handler(const Request& request) const {
  Answer answer{{}, Reservation(core_.output_memory)};
  try {
    answer.response = core_.service.answer(request);
  } catch (...) {
    answer.response = error_response(500, "io", "internal server error");
  }
  if (!answer.memory.resize(answer.response.body.size()))
    answer.response = overloaded("too many large responses at once; try again");
  return answer;
}

void Connection::dispatch(const Admission& admission) {
  enter(Phase::answering, core_.limits.response_timeout);
  const auto request = std::make_shared<Request>(std::move(request_));
  const auto self = shared_from_this();
  stop_ = std::stop_source();
  request->stop = stop_.get_token();
  watched_ = admission.lane == Lane::costly;
  next_probe_.reset();
  if (admission.stream_body) request->read_body = [self] { return self->read_body_from_worker(); };
  // The io_context runs until the response is back.
  const auto task = [self, request, work = asio::make_work_guard(core_.io)] {
    try {
      // Nobody waits for the responses of clients that left.
      const auto answer =
          std::make_shared<Answer>(self->gone_ ? Answer{{}, Reservation(self->core_.output_memory)}
                                               : self->answer_of_handler(*request));
      request->read_body = nullptr;
      asio::post(self->core_.io, [self, answer] { self->answered(std::move(*answer)); });
    } catch (...) {
      self->broken_ = true;
    }
    request->read_body = nullptr;
  };
  const bool costly = admission.lane == Lane::costly;
  if (!(costly ? core_.costly : core_.quick).submit(task))
    return respond(overloaded("too many requests at once; try again"));
}

// Also if the client has sent more requests meanwhile. TCP does not tell a client that has closed its
// connection from one that has only closed its sending side and still reads. The first rejects what is sent
// to it, so that the next write fails; until there is something to write, HTTP/1.1 permits "100 Continue" at
// any time. HTTP/1.0 does not, and with TLS a client that ends its side ends the connection.
bool Connection::client_left(SteadyTime now) {
  pollfd peer{transport_->socket().native_handle(), POLLRDHUP, 0};
  if (::poll(&peer, 1, 0) <= 0) return false;
  if ((peer.revents & (POLLHUP | POLLERR)) != 0) return true;
  if (phase_ == Phase::streaming) return false;
  const bool due = next_probe_ && now >= *next_probe_;
  if (due && (!http_1_1_ || !transport_->write_at_once(kContinue))) return true;
  if (due || !next_probe_) next_probe_ = now + kProbeInterval;
  return false;
}

void Connection::answered(Answer answer) {
  if (phase_ != Phase::answering) return;
  if (answer.response.stream) return begin_stream(std::move(answer.response));
  respond(std::move(answer));
}

void Connection::refuse(Response response) {
  keep_alive_ = false;
  request_ = Request{};
  respond(std::move(response));
}

void Connection::respond(Answer answer) {
  // An unread rest of the body cannot be told from the next request.
  if (core_.stopping || (body_parser_ && !body_parser_->is_done())) keep_alive_ = false;
  body_parser_.reset();
  const std::size_t content = answer.response.content().size();
  if (content > kSmallWrite && !count_socket_memory(std::min(content, kMaxUnsent))) {
    if (closed()) return;
    set_socket_bytes(0);  // until it is measured again
    answer = {overloaded("too many clients do not read; try again"), Reservation(core_.output_memory)};
  }
  head_text_ = response_head(answer.response, BodyFraming::length, keep_alive_);
  response_ = std::move(answer.response);
  output_memory_ = std::move(answer.memory);
  std::string_view body = response_.content();
  if (head_only_ || !has_body(response_.status)) {
    body = {};
    response_ = {};
    output_memory_.resize(0);
  }
  const auto size = static_cast<double>(body.size());
  enter(Phase::writing, core_.limits.write_timeout + Bytes{size} / core_.limits.min_rate);
  write_head(body);
}

void Connection::write_head(std::string_view body) {
  transport_->write({asio::buffer(head_text_), asio::buffer(body)},
                    [self = shared_from_this()](ErrorCode error, std::size_t) {
                      if (self->closed()) return;
                      if (error) return self->close();
                      self->sent();
                    });
}

void Connection::sent() {
  head_text_ = {};
  response_ = {};
  output_memory_.resize(0);
  if (body_parser_ && !body_parser_->is_done()) keep_alive_ = false;
  body_parser_.reset();
  set_socket_bytes(0);
  count_socket_memory(0);
  if (closed()) return;
  if (!keep_alive_ || core_.stopping) return finish();
  await_request();
}

// The head is written by the worker, too: if there is none, the client gets a response that says so.
void Connection::begin_stream(Response response) {
  if (head_only_) {
    head_text_ =
        response_head(response, http_1_1_ ? BodyFraming::chunked : BodyFraming::closing, keep_alive_);
    enter(Phase::writing, core_.limits.write_timeout);
    return write_head({});
  }
  enter(Phase::streaming, std::nullopt);
  const auto self = shared_from_this();
  const auto shared = std::make_shared<Response>(std::move(response));
  const auto task = [self, shared, work = asio::make_work_guard(core_.io)] {
    try {
      self->run_stream(*shared);
      asio::post(self->core_.io, [self] {
        if (!self->closed()) self->sent();
      });
    } catch (...) {
      self->broken_ = true;  // closes the connection without the end of the body, so that the client notices
    }
    shared->stream = nullptr;
  };
  if (!core_.streams.submit(task)) {
    return respond(overloaded("too many streams at once; try again"));
  }
  watched_ = true;
}

void Connection::run_stream(const Response& response) {
  const bool chunked = http_1_1_;
  if (!chunked) keep_alive_ = false;
  if (!write_from_worker(
          response_head(response, chunked ? BodyFraming::chunked : BodyFraming::closing, keep_alive_)))
    return;
  const Response::Write write = [&](std::string_view text) {
    if (text.empty()) return !gone_;
    return write_from_worker(chunked ? chunk(text) : std::string(text));
  };
  while (!gone_ && !core_.stopping && response.stream(write)) {
  }
  if (chunked) write_from_worker(chunk(""));
}

bool Connection::write_from_worker(const std::string& text) {
  const auto written = std::make_shared<std::promise<bool>>();
  asio::post(core_.io, [&text, written, self = shared_from_this()] {
    if (self->closed()) return written->set_value(false);
    self->enter(Phase::streaming, self->core_.limits.write_timeout);
    self->transport_->write({asio::buffer(text), asio::const_buffer()},
                            [written, self](ErrorCode error, std::size_t) {
                              if (!error) self->enter(Phase::streaming, std::nullopt);
                              if (error) self->close();
                              written->set_value(!error);
                            });
  });
  return written->get_future().get();
}

Connection::Piece Connection::read_body_from_worker() {
  const auto promise = std::make_shared<std::promise<Piece>>();
  asio::post(core_.io, [promise, self = shared_from_this()] {
    self->wanted_piece_ = promise;
    self->give_piece();
  });
  return promise->get_future().get();
}

// Gives the waiting worker a piece of the body, or reads more.
void Connection::give_piece() {
  const auto give = [this](Piece piece) {
    std::exchange(wanted_piece_, nullptr)->set_value(std::move(piece));
  };
  if (closed()) return give(fail(Errc::io, "the connection was closed before the body was complete"));
  if (phase_ != Phase::answering && phase_ != Phase::streaming)
    return give(fail(Errc::io, "the response was sent before the body was read"));
  if (!body_parser_) return give(std::string());  // the request has none
  deadline_ = after(std::chrono::steady_clock::now(), core_.limits.request_timeout);
  auto piece = parse_body_piece();
  if (!piece) return give(piece.error());
  if (!*piece) return read(&Connection::give_piece);
  deadline_ = phase_ == Phase::streaming
                  ? SteadyTime::max()
                  : after(std::chrono::steady_clock::now(), core_.limits.response_timeout);
  give(std::move(**piece));
}

// A connection that is closed with unread input resets, and the peer may lose the response. Reads until the
// peer has seen the end.
void Connection::finish() {
  const bool delivered = socket_memory(transport_->socket().native_handle()).unsent == 0;
  enter(Phase::closing, delivered ? kClosingTime : core_.limits.write_timeout);
  drained_bytes_ = 0;
  transport_->end_writing([self = shared_from_this()](ErrorCode error, std::size_t) {
    if (self->closed()) return;
    if (error) return self->close();
    self->drain();
  });
}

void Connection::leave() {
  if (socket_memory(transport_->socket().native_handle()).unsent == 0) return close();
  if (phase_ != Phase::closing) enter(Phase::closing, core_.limits.write_timeout);
  input_ended_ = true;
}

void Connection::drain() {
  drained_bytes_ += input_.size();
  input_.consume(input_.size());
  if (drained_bytes_ > kMaxDrained) return close();
  read(&Connection::drain);
}

}  // namespace ergon::service
