#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "service/http/server_core.h"
#include "service/http/transport.h"

namespace ergon::service {

// A client of the server: reads a request, has a worker answer it, writes the response, and begins again. A
// request that arrives while another is answered waits in the socket, so pipelined requests are answered in
// order and hold no memory.
//
//   handshake -> idle -> head -> body -> answering -> writing   -> idle ...
//                                                  -> streaming
//   and from everywhere to closing (the peer may still read what was written) and closed
//
// Every phase but streaming has a deadline. All functions run on the thread of the io_context, except those
// marked.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::unique_ptr<Transport> transport, std::optional<PeerCredentials> peer, ServerCore& core);

  void start();
  void check_deadline(SteadyTime now);
  // Ends after the response in progress, if there is one.
  void stop();
  void close();

  // Whether this client is waited for: it is idle, sends its request slowly, or does not read its response.
  // Such connections make room for new ones.
  bool can_be_evicted() const;
  // Whether it holds an unfinished request that the others' share of memory pays for.
  bool holds_input() const { return phase_ < Phase::answering && input_memory_.bytes() > 0; }
  // Whether the kernel holds data for it.
  bool holds_socket_memory() const { return socket_bytes_ > 0; }
  SteadyTime since() const { return since_; }  // of the phase

 private:
  enum class Phase { handshake, idle, head, body, answering, writing, streaming, closing, closed };
  using Next = void (Connection::*)();
  using HeadParser = boost::beast::http::request_parser<boost::beast::http::empty_body>;
  using BodyParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
  using Piece = Result<std::string>;

  void enter(Phase phase, std::optional<Seconds> limit);
  bool closed() const { return phase_ == Phase::closed; }

  // Reads more input and continues with `next`.
  void read(Next next);
  bool reserve_input(std::size_t bytes);
  // Counts the memory of the kernel for this socket, and what is about to be written to it. Returns false if
  // it is too much for all connections together, or if this one was closed to make room.
  bool count_socket_memory(std::size_t to_write);
  void set_socket_bytes(std::size_t bytes);
  void await_request();
  void parse_head();
  void head_complete();
  bool admit_body(const Admission& admission);
  void read_body();
  // The next bytes of the body; nothing if more input is needed.
  Result<std::optional<std::string>> parse_body_piece();

  void dispatch(const Admission& admission);
  // A response with the memory that it holds.
  struct Answer {
    Response response;
    Reservation memory;
  };
  Answer answer_of_handler(const Request& request) const;  // on a worker
  bool client_left(SteadyTime now);
  void answered(Answer answer);
  void respond(Answer answer);
  void respond(Response response) { respond({std::move(response), Reservation(core_.output_memory)}); }
  // Responds and closes: what follows in the input cannot be trusted, or is not wanted.
  void refuse(Response response);
  void write_head(std::string_view body);  // and the body
  void sent();

  void begin_stream(Response response);
  void run_stream(const Response& response);        // on a worker
  bool write_from_worker(const std::string& text);  // on a worker
  Piece read_body_from_worker();                    // on a worker
  void give_piece();

  void finish();
  void drain();
  // Closes, as soon as the client has received what was written. It sends nothing more.
  void leave();

  std::unique_ptr<Transport> transport_;
  std::optional<PeerCredentials> peer_;
  ServerCore& core_;
  Phase phase_ = Phase::handshake;
  SteadyTime since_, deadline_;

  boost::beast::flat_buffer input_;
  Reservation input_memory_, output_memory_;  // of input_ and the body of the request; of the response
  std::size_t socket_bytes_ = 0;              // of the kernel
  std::optional<HeadParser> head_parser_;
  std::optional<BodyParser> body_parser_;
  std::size_t head_bytes_ = 0, drained_bytes_ = 0;
  Request request_;
  Admission admission_;
  bool http_1_1_ = true, keep_alive_ = false, head_only_ = false;
  std::string head_text_;
  Response response_;                                  // being written
  std::shared_ptr<std::promise<Piece>> wanted_piece_;  // of a worker that reads the body
  std::atomic<bool> gone_ = false;                     // closed; read by workers
  std::atomic<bool> broken_ = false;                   // a worker could not give its response
  std::stop_source stop_;                              // of the handler
  bool watched_ = false;                               // the handler stops if the client leaves
  std::optional<SteadyTime> next_probe_;               // of a client that has closed its sending side
  bool input_ended_ = false;                           // see leave()
};

}  // namespace ergon::service
