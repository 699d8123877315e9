#include "service/http/server.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <future>
#include <stdexcept>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "service/http/server_on_loopback.h"
#include "service/jobs/script_program.h"
#include "support/process.h"
#include "support/raw_http.h"

namespace ergon::service {
namespace {

using namespace std::chrono_literals;
using test::HttpAnswer;
using test::RawConnection;
using test::ServerOnLoopback;
using test::small_limits;
using Json = nlohmann::ordered_json;

// Returns the request as JSON.
Response echo(const Request& request) {
  Json headers = Json::object(), query = Json::array();
  for (const auto& [name, value] : request.headers) headers[name] = value;
  for (const auto& [name, value] : request.query) query.push_back({name, value});
  const Json seen = {{"method", request.method},
                     {"path", request.path},
                     {"query", query},
                     {"headers", headers},
                     {"body", request.body}};
  return json_response(seen.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Response served(const Request& request) {
  if (request.path == "/throws") throw std::runtime_error("secret words");
  if (request.path == "/throws-a-number") throw 7;
  if (request.path == "/refuses") return error_response(405, "invalid_input", "not that way");
  if (request.path == "/gone") return json_response("", 204);
  if (request.path == "/large") return json_response(std::string(3'000'000, 'x'));
  if (request.path == "/headers") {
    Response response = json_response("{}");
    response.headers = {{"X-One", "1"}, {"Allow", "GET"}};
    response.type = "text/plain; charset=utf-8";
    return response;
  }
  return echo(request);
}

std::string post_of(const std::string& body, const std::string& more_headers = "") {
  return "POST /p HTTP/1.1\r\nHost: x\r\n" + more_headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// Every error response is JSON with a message.
void expect_refusal(const HttpAnswer& answer, int status, const std::string& asked) {
  EXPECT_EQ(answer.status, status) << asked.substr(0, 100);
  EXPECT_TRUE(answer.whole) << asked.substr(0, 100);
  EXPECT_EQ(answer.header("content-type"), "application/json") << asked.substr(0, 100);
  const Json json = Json::parse(answer.body, nullptr, false);
  for (const char* member : {"/error/kind", "/error/message"}) {
    const Json::json_pointer place(member);
    ASSERT_TRUE(json.is_object() && json.contains(place)) << asked.substr(0, 100) << "\n" << answer.body;
    EXPECT_FALSE(json.at(place).get<std::string>().empty());
  }
}

TEST(HttpServer, PassesTheRequestToTheHandler) {
  const ServerOnLoopback server(served);
  const Json seen = Json::parse(server
                                    .raw("GET /a%20b/%2e%2e%2Fc?x=1%262&y=a+b&empty=&x=0 HTTP/1.1\r\nHost: "
                                         "Me:1\r\nX-MiXed: A\r\nConnection: close\r\n\r\n")
                                    .body);
  EXPECT_EQ(seen["method"], "GET");
  EXPECT_EQ(seen["path"], "/a b/../c");
  EXPECT_EQ(seen["query"], Json::parse(R"([["empty", ""], ["x", "1&2"], ["x", "0"], ["y", "a b"]])"));
  EXPECT_EQ(seen["headers"]["host"], "Me:1");
  EXPECT_EQ(seen["headers"]["x-mixed"], "A");
  for (const char* method : {"POST", "PUT"}) {
    const Json posted =
        Json::parse(server
                        .raw(std::string(method) +
                             " /p?q=1 HTTP/1.1\r\nHost: x\r\nContent-Type: "
                             "application/json\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{\"a\":1}")
                        .body);
    EXPECT_EQ(posted["method"], method);
    EXPECT_EQ(posted["body"], "{\"a\":1}");
    EXPECT_EQ(posted["headers"]["content-type"], "application/json");
  }
  for (const char* method : {"DELETE", "PATCH", "OPTIONS"}) {
    EXPECT_EQ(
        Json::parse(server.raw(std::string(method) + " /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                        .body)["method"],
        method);
  }
}

TEST(HttpServer, RejectsAChunkedBody) {
  const ServerOnLoopback server(served);
  const auto answer = server.raw(
      "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: "
      "close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(answer.status, 411);
}

TEST(HttpServer, KeepsConnectionsAlive) {
  const ServerOnLoopback server(served);
  RawConnection connection(server.port());
  for (const char* path : {"/one", "/two", "/refuses", "/gone", "/three"}) {
    ASSERT_TRUE(connection.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    const auto answer = connection.answer();
    ASSERT_TRUE(answer.whole) << path;
    if (answer.status == 200) {
      EXPECT_EQ(Json::parse(answer.body)["path"], path);
    }
  }
  ASSERT_TRUE(connection.send(post_of("hello")));
  EXPECT_EQ(Json::parse(connection.answer().body)["body"], "hello");
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  const ServerOnLoopback server(served);
  RawConnection connection(server.port());
  constexpr int kRequests = 200;
  std::string requests = "GET /one HTTP/1.1\r\nHost: x\r\n\r\n" + post_of("two");
  for (int i = 0; i < kRequests; ++i)
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_TRUE(connection.send(requests));
  EXPECT_EQ(Json::parse(connection.answer().body)["path"], "/one");
  EXPECT_EQ(Json::parse(connection.answer().body)["body"], "two");
  for (int i = 0; i < kRequests; ++i)
    ASSERT_EQ(Json::parse(connection.answer().body)["path"], "/" + std::to_string(i));
}

TEST(HttpServer, AcceptsRequestsByteByByte) {
  const ServerOnLoopback server(served);
  RawConnection connection(server.port());
  for (const char c : post_of("ab")) {
    ASSERT_TRUE(connection.send(std::string(1, c)));
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(Json::parse(connection.answer().body)["body"], "ab");
}

// Otherwise a request could be smuggled past the guard in the body of another.
TEST(HttpServer, NeverParsesABodyAsARequest) {
  const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_EQ(hidden.size(), 33u);
  for (const std::string asked : {"GET /seen HTTP/1.1\r\nHost: x\r\nContent-Length: 33\r\n\r\n",
                                  "HEAD /seen HTTP/1.1\r\nHost: x\r\nContent-Length: 33\r\n\r\n",
                                  "DELETE /seen HTTP/1.1\r\nHost: x\r\nContent-Length: 33\r\n\r\n",
                                  "OPTIONS /seen HTTP/1.1\r\nHost: x\r\nContent-Length: 33\r\n\r\n",
                                  "PATCH /seen HTTP/1.1\r\nHost: x\r\nContent-Length: 33\r\n\r\n"}) {
    std::atomic<int> hits = 0;
    const ServerOnLoopback server([&](const Request& request) {
      if (request.path == "/hidden") ++hits;
      return json_response("{}");
    });
    RawConnection connection(server.port());
    ASSERT_TRUE(connection.send(asked));
    std::this_thread::sleep_for(50ms);
    connection.send(hidden);
    std::this_thread::sleep_for(50ms);
    connection.send("GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(connection.closed()) << asked;
    EXPECT_EQ(hits, 0) << asked;
  }
}

TEST(HttpServer, HeadHasAllHeadersAndNoBody) {
  const ServerOnLoopback server(served);
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n"));
  const auto head = connection.answer(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "3000000");
  ASSERT_TRUE(connection.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_EQ(Json::parse(connection.answer().body)["path"], "/next");
}

TEST(HttpServer, SendsHeadersAndCompleteBodies) {
  const ServerOnLoopback server(served);
  const auto answer = server.get("/headers");
  EXPECT_EQ(answer.header("x-one"), "1");
  EXPECT_EQ(answer.header("allow"), "GET");
  EXPECT_EQ(answer.header("content-type"), "text/plain; charset=utf-8");
  const auto large =
      server.raw("GET /large HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(large.whole);
  EXPECT_EQ(large.body, std::string(3'000'000, 'x'));
  EXPECT_EQ(server.get("/gone").status, 204);
}

// Memory beyond the response must not be sent.
TEST(HttpServer, RangesDoNotReadBeyondTheBody) {
  const ServerOnLoopback server([](const Request&) { return json_response("0123456789"); });
  for (const char* range : {"bytes=2-4", "bytes=5-", "bytes=-3", "bytes=0-0"}) {
    const auto answer = server.raw(std::string("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nRange: ") +
                                   range + "\r\n\r\n");
    EXPECT_TRUE(answer.status == 200 || answer.status == 206) << range << answer.status;
    EXPECT_NE(std::string("0123456789").find(answer.body), std::string::npos) << range << ": " << answer.body;
  }
  for (const char* range :
       {"bytes=100-120", "bytes=9-1000", "bytes=10-", "bytes=5-2", "bytes=-1000", "bytes=0-4,100-200",
        "bytes=4000-8000", "bytes=99999999999999999999-", "bytes=0-18446744073709551615"}) {
    const auto answer = server.raw(std::string("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nRange: ") +
                                   range + "\r\n\r\n");
    EXPECT_GE(answer.status, 200) << range;
    EXPECT_NE(answer.status, 500) << range;
    if (answer.status < 300) {
      EXPECT_NE(std::string("0123456789").find(answer.body), std::string::npos)
          << range << ": " << answer.body.size() << " bytes";
      EXPECT_TRUE(answer.whole) << range;
    }
  }
  EXPECT_EQ(server.get("/").body, "0123456789") << "the server still runs";
}

TEST(HttpServer, RejectsMalformedRequestsWithJson) {
  const ServerOnLoopback server(served);
  for (const char* text : {"GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                           "get / HTTP/1.1\r\nHost: x\r\n\r\n", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
                           "GET / HTTP/1.1 x\r\nHost: x\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n"})
    expect_refusal(server.raw(text), 400, text);
  EXPECT_EQ(server.get("/").status, 200) << "the server still runs";
}

TEST(HttpServer, RejectsLargeRequestsWithJson) {
  ServerLimits limits = small_limits();
  const ServerOnLoopback server(served, limits);
  expect_refusal(server.get("/" + std::string(9000, 'a')), 414, "a long address");
  expect_refusal(server.get("/?q=" + std::string(9000, 'a')), 414, "a long query");
  expect_refusal(server.raw("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a') + "\r\n\r\n"), 431,
                 "a long header");
  expect_refusal(server.raw(post_of(std::string(10'001, 'x'))), 413, "a long body");
  expect_refusal(server.raw("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\nabc"), 413,
                 "a long body to come");
  EXPECT_EQ(server.raw(post_of(std::string(10'000, 'x'))).status, 200);
}

TEST(HttpServer, LimitsChunkedBodies) {
  std::atomic<std::size_t> longest = 0;
  const ServerOnLoopback server([&](const Request& request) {
    longest = std::max<std::size_t>(longest, request.body.size());
    return json_response("{}");
  });
  std::string text = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  for (int i = 0; i < 20; ++i) text += "3e8\r\n" + std::string(1000, 'x') + "\r\n";
  const auto answer = server.raw(text + "0\r\n\r\n");
  EXPECT_TRUE(answer.status == 0 || answer.status >= 400) << answer.status;
  EXPECT_LE(longest, 10'000u);
}

// Expands to a thousand times the size sent.
TEST(HttpServer, RejectsCompressedBodies) {
  std::atomic<std::size_t> longest = 0;
  const ServerOnLoopback server([&](const Request& request) {
    longest = std::max<std::size_t>(longest, request.body.size());
    return json_response("{}");
  });
  const std::string packed = test::run_shell("head -c 3000000 /dev/zero | gzip -9").out;
  ASSERT_GT(packed.size(), 1000u);
  ASSERT_LT(packed.size(), 10'000u);
  const auto answer = server.raw(post_of(packed, "Content-Encoding: gzip\r\nConnection: close\r\n"));
  EXPECT_GT(answer.status, 0);
  EXPECT_LE(longest, 10'000u);
}

TEST(HttpServer, TimesOutWithoutABody) {
  ServerLimits limits = small_limits();
  limits.request_timeout = Seconds{0.3};
  limits.keep_alive = Seconds{1};
  const ServerOnLoopback server(served, limits);
  for (const char* text :
       {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc", "POST / HTTP/1.1\r\nHost", "G"}) {
    RawConnection connection(server.port());
    ASSERT_TRUE(connection.send(text));
    EXPECT_TRUE(connection.closed()) << text;
  }
}

TEST(HttpServer, AThrowingHandlerGives500) {
  const ServerOnLoopback server(served);
  for (const char* path : {"/throws", "/throws-a-number"}) {
    const auto answer = server.get(path);
    expect_refusal(answer, 500, path);
    EXPECT_EQ(answer.body.find("secret"), std::string::npos);
    EXPECT_EQ(answer.header("exception_what").find("secret"), std::string::npos);
  }
  const auto posted =
      server.raw("POST /throws HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  expect_refusal(posted, 500, "posted");
  EXPECT_EQ(server.get("/").status, 200);
}

// A stream that reports its destruction.
struct EndlessStream {
  std::shared_ptr<std::atomic<int>> living = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<std::atomic<int>> told = std::make_shared<std::atomic<int>>(0);

  Response response() const {
    ++*living;
    const std::shared_ptr<void> alive(nullptr, [living = living](void*) { --*living; });
    Response response;
    response.type = "text/event-stream";
    response.stream = [alive, told = told](const Response::Write& write) {
      std::this_thread::sleep_for(10ms);
      return write("data: " + std::to_string(++*told) + "\n\n");
    };
    return response;
  }
};

TEST(HttpServer, StreamsAsWrittenUntilTheEnd) {
  std::atomic<int> left = 3;
  const ServerOnLoopback server([&](const Request&) {
    Response response;
    response.type = "text/event-stream";
    response.headers = {{"X-One", "1"}};
    response.stream = [&](const Response::Write& write) {
      write("part " + std::to_string(left) + "\n");
      return --left > 0;
    };
    return response;
  });
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  const auto answer = connection.answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.whole);
  EXPECT_EQ(answer.header("content-type"), "text/event-stream");
  EXPECT_EQ(answer.header("x-one"), "1");
  EXPECT_EQ(answer.body, "part 3\npart 2\npart 1\n");
}

TEST(HttpServer, ReleasesAStreamWhenTheClientLeaves) {
  const EndlessStream stream;
  const ServerOnLoopback server([&](const Request&) { return stream.response(); });
  {
    RawConnection connection(server.port());
    ASSERT_TRUE(connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_NE(connection.until("data: 3"), "");
    EXPECT_EQ(*stream.living, 1);
  }
  EXPECT_TRUE(test::eventually([&] { return *stream.living == 0; }));
}

TEST(HttpServer, StreamsEndWhenTheServerStops) {
  const EndlessStream stream;
  ServerOnLoopback server([&](const Request&) { return stream.response(); });
  RawConnection first(server.port()), second(server.port());
  for (RawConnection* each : {&first, &second}) {
    ASSERT_TRUE(each->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_NE(each->until("data: "), "");
  }
  server.stop();
  EXPECT_TRUE(server.ends());
  EXPECT_EQ(*stream.living, 0);
  EXPECT_TRUE(first.closed());
}

TEST(HttpServer, HeadOfAStreamWorks) {
  const EndlessStream stream;
  const ServerOnLoopback server([&](const Request&) { return stream.response(); });
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"));
  const auto head = connection.answer(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-type"), "text/event-stream");
  EXPECT_TRUE(test::eventually([&] { return *stream.living == 0; }));
}

// No code on that thread catches exceptions.
TEST(HttpServer, AThrowingStreamEndsOnlyItself) {
  const ServerOnLoopback server([](const Request& request) {
    Response response = json_response("{}");
    if (request.path == "/bad") {
      response.stream = [](const Response::Write&) -> bool { throw std::runtime_error("broken"); };
    }
    return response;
  });
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("GET /bad HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  EXPECT_TRUE(connection.closed());
  EXPECT_EQ(server.get("/good").status, 200);
}

TEST(HttpServer, APortCanHaveOnlyOneServer) {
  const ServerOnLoopback server(served);
  const auto second = Server::listen({.port = server.port()}, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Errc::busy);
  EXPECT_NE(second.error().message.find(std::to_string(server.port())), std::string::npos);
}

TEST(HttpServer, RejectsForeignAddresses) {
  for (const char* host : {"192.0.2.1", "300.1.1.1", "no such host", ""}) {
    const auto none = Server::listen({.host = host}, {});
    if (host[0] == '\0' && none) continue;  // everywhere, as for other programs
    ASSERT_FALSE(none) << host;
    EXPECT_NE(none.error().kind, Errc::busy) << host;
    EXPECT_NE(none.error().kind, Errc::not_found) << host << ": " << none.error().message;
    EXPECT_NE(none.error().message.find(host), std::string::npos) << none.error().message;
  }
  // Whatever errno the resolver leaves.
  for (const char* host : {"300.1.1.1", "no such host"})
    EXPECT_EQ(Server::listen({.host = host}, {}).error().kind, Errc::invalid_input) << host;
}

TEST(HttpServer, ReleasesItsPortImmediately) {
  int port = 0;
  {
    const ServerOnLoopback server(served);
    port = server.port();
    EXPECT_EQ(server.get("/").status, 200);
  }
  const auto again = Server::listen({.port = port}, {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*again)->port(), port);
}

TEST(HttpServer, StopsWithOpenConnections) {
  ServerOnLoopback server(served);
  std::vector<std::unique_ptr<RawConnection>> idle;
  for (int i = 0; i < 8; ++i) {
    idle.push_back(std::make_unique<RawConnection>(server.port()));
    if (i % 2 == 0) continue;  // half of them never say a word
    ASSERT_TRUE(idle.back()->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(idle.back()->answer().status, 200);
  }
  server.stop();
  EXPECT_TRUE(server.ends());
}

// Work in progress is finished and its response sent.
TEST(HttpServer, FinishesResponsesBeforeStopping) {
  std::promise<void> asked, go;
  ServerOnLoopback server([&](const Request&) {
    asked.set_value();
    go.get_future().wait();
    return json_response("at last");
  });
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  asked.get_future().wait();
  server.stop();
  std::this_thread::sleep_for(50ms);
  go.set_value();
  EXPECT_EQ(connection.answer().body, "at last");
  EXPECT_TRUE(server.ends());
}

// Memory that this process may take beyond what it has; RLIM_INFINITY: any.
void limit_growth(rlim_t bytes) {
  std::ifstream file("/proc/self/statm");
  rlim_t pages = 0;
  file >> pages;
  rlimit memory{};
  ::getrlimit(RLIMIT_AS, &memory);
  memory.rlim_cur =
      bytes == RLIM_INFINITY ? memory.rlim_max : pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  ::setrlimit(RLIMIT_AS, &memory);
}

[[noreturn]] void stream_without_memory() {
  ::alarm(20);
  const ServerOnLoopback server([](const Request& request) {
    Response response = json_response("{}");
    if (request.path == "/") return response;
    response.stream = [](const Response::Write& write) { return !write("x"); };
    if (request.path == "/large-head") {
      response.headers = {{"X", std::string(std::size_t{256} << 20, 'x')}};
      limit_growth(rlim_t{64} << 20);
    }
    return response;
  });
  const bool streams = server.get("/stream").body == "x";  // also starts the threads
  const bool ended = server.get("/large-head").status == 0;
  limit_growth(RLIM_INFINITY);
  ::_exit(streams && ended && server.get("/").status == 200 ? 0 : 1);
}

// The worker cannot make the head of its response. Runs in a separate process, whose memory is limited.
TEST(HttpServerDeathTest, AStreamWithoutMemoryEndsOnlyItsConnection) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer needs address space";
#endif
  EXPECT_EXIT(stream_without_memory(), testing::ExitedWithCode(0), "");
}

// As when the program is interrupted while it starts. Runs in a separate process, which is killed on failure.
TEST(HttpServerDeathTest, AStopRequestBeforeServingWorks) {
  EXPECT_EXIT(
      {
        ::alarm(10);
        auto server = Server::listen({}, {});
        std::stop_source stop;
        stop.request_stop();
        if (server) (*server)->serve({.answer = served}, stop.get_token());
        ::_exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(HttpServer, MoreClientsThanThreadsAreAllServed) {
  ServerLimits limits = small_limits();
  limits.quick_threads = 2;
  std::atomic<int> now = 0, most = 0;
  const ServerOnLoopback server(
      [&](const Request&) {
        const int here = ++now;
        for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
        }
        std::this_thread::sleep_for(20ms);
        --now;
        return json_response("{}");
      },
      limits);
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 12; ++i) {
      clients.emplace_back([&] {
        if (server.get("/").status == 200) ++answered;
      });
    }
  }
  EXPECT_EQ(answered, 12);
  EXPECT_LE(most, 2);
}

// Each client keeps its connection open while the others send requests.
TEST(HttpServer, ServesManyConnections) {
  ServerLimits limits = small_limits();
  const ServerOnLoopback server(served, limits);
  std::vector<std::unique_ptr<RawConnection>> all;
  for (int i = 0; i < 20; ++i) all.push_back(std::make_unique<RawConnection>(server.port()));
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool last = round == 1;  // so that the server need not wait for them
      ASSERT_TRUE(all[i]->send(std::string("GET / HTTP/1.1\r\nHost: x\r\n") +
                               (last ? "Connection: close\r\n\r\n" : "\r\n")));
      ASSERT_EQ(all[i]->answer().status, 200) << "round " << round << ", connection " << i;
    }
  }
}

}  // namespace
}  // namespace ergon::service
