// What one client can do to others: with slow requests, with many connections, with memory.

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <malloc.h>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "service/http/server.h"
#include "service/http/server_on_loopback.h"
#include "service/http/socket_memory.h"
#include "service/jobs/script_program.h"
#include "support/process.h"

namespace ergon::service {
namespace {

using namespace std::chrono_literals;
using test::HttpAnswer;
using test::RawConnection;
using test::ServerOnLoopback;

using Connections = std::vector<std::unique_ptr<RawConnection>>;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // freed memory is kept, and everything takes longer
#else
constexpr bool kSanitized = false;
#endif

// Memory that this process has gained since the object was made. The client's memory counts, too.
class Growth {
 public:
  std::size_t bytes() const { return kSanitized ? 0 : std::max(before_, resident_bytes()) - before_; }

 private:
  std::size_t before_ = resident_bytes();
};

Response hello(const Request&) { return json_response("{}"); }

Connections connect(int port, int count) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  Connections all;
  for (int i = 0; i < count; ++i) {
    all.push_back(std::make_unique<RawConnection>(port));
    if (!all.back()->open()) ADD_FAILURE() << "connection " << i;
  }
  return all;
}

// The median of nine, as this machine may have other work. A probe without a response is never answered.
double seconds_of_probe(const ServerOnLoopback& server) {
  std::array<double, 9> times{};
  for (double& each : times) {
    const auto start = std::chrono::steady_clock::now();
    const bool answered = server.get("/").status == 200;
    const auto took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    each = answered ? took : std::numeric_limits<double>::infinity();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Memory of the kernel for the connections of a server in this process.
std::size_t kernel_bytes(int port) {
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const auto socket = static_cast<int>(parse_int64(entry.path().filename().string()).value_or(-1));
    sockaddr_in local{};
    socklen_t size = sizeof local;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&local), &size) != 0) continue;
    if (local.sin_family == AF_INET && ntohs(local.sin_port) == port) bytes += socket_memory(socket).total();
  }
  return bytes;
}

TEST(HttpServerAttack, EndlessHeadersAreRejected) {
  const ServerOnLoopback server(hello);
  for (const std::string& piece :
       {std::string("X: y\r\n"), std::string("X-Long-Name: ") + std::string(1000, 'a') + "\r\n",
        std::string(1000, 'a')}) {
    RawConnection connection(server.port());
    const Growth growth;
    ASSERT_TRUE(connection.send("GET / HTTP/1.1\r\nHost: x\r\n"));
    bool sent = true;
    for (std::size_t bytes = 0; sent && bytes < 64 * kMiB; bytes += piece.size())
      sent = connection.send(piece);
    EXPECT_FALSE(sent) << "the server read 64 MiB of headers";
    EXPECT_LT(growth.bytes(), 4 * kMiB);
  }
  EXPECT_EQ(server.get("/").status, 200);
}

TEST(HttpServerAttack, TooManyHeadersAreRejected) {
  const ServerOnLoopback server(hello);
  std::string headers;
  for (int i = 0; i < 101; ++i) headers += "A: b\r\n";
  EXPECT_EQ(server.raw("GET / HTTP/1.1\r\n" + headers + "\r\n").status, 431);
  EXPECT_EQ(server.raw("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(15'000, 'a') + "\r\n\r\n").status,
            200);
}

TEST(HttpServerAttack, AnEndlessRequestLineIsRejected) {
  const ServerOnLoopback server(hello);
  RawConnection connection(server.port());
  bool sent = connection.send("GET /");
  for (int i = 0; sent && i < 64'000; ++i) sent = connection.send(std::string(1000, 'a'));
  EXPECT_FALSE(sent);
}

// A percent sign means itself in a header.
TEST(HttpServerAttack, HeaderValuesAreNotDecoded) {
  const ServerOnLoopback server(
      [](const Request& request) { return json_response(std::string(request.header("x"))); });
  EXPECT_EQ(server.raw("GET / HTTP/1.1\r\nHost: x\r\nX: a%34b+c\r\nConnection: close\r\n\r\n").body,
            "a%34b+c");
}

TEST(HttpServerAttack, AProbeIsAnsweredAmongSlowAndIdleConnections) {
  const ServerOnLoopback server(hello);
  const Growth growth;
  const auto idle = connect(server.port(), 1000);
  const auto slow = connect(server.port(), 500);
  for (const auto& each : slow) ASSERT_TRUE(each->send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "));
  for (int round = 0; round < 5; ++round) {
    for (const auto& each : slow) each->send("a");
    EXPECT_LT(seconds_of_probe(server), 1);
  }
  EXPECT_LT(growth.bytes(), 32 * kMiB);
}

TEST(HttpServerAttack, AProbeIsAnsweredWhileCostlyRequestsRun) {
  std::atomic<bool> released = false;
  std::atomic<int> running = 0, most = 0;
  ServerLimits limits = test::small_limits();
  limits.costly_threads = 2;
  const auto answer = [&](const Request& request) {
    if (request.path == "/costly") {
      most = std::max<int>(most, ++running);
      while (!released) std::this_thread::sleep_for(1ms);
      --running;
    }
    return json_response("{}");
  };
  const ServerOnLoopback server(
      Service{.answer = answer,
              .admit =
                  [](const Request& head) {
                    return Admission{.lane = head.path == "/costly" ? Lane::costly : Lane::quick};
                  }},
      limits);
  const auto costly = connect(server.port(), 64);
  for (const auto& each : costly) ASSERT_TRUE(each->send("GET /costly HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_TRUE(test::eventually([&] { return running == 2; }));
  EXPECT_LT(seconds_of_probe(server), 1);
  released = true;
  for (const auto& each : costly) EXPECT_EQ(each->answer().status, 200);
  EXPECT_EQ(most, 2);
}

TEST(HttpServerAttack, CostlyRequestsBeyondTheQueueAreRejected) {
  std::atomic<bool> released = false;
  ServerLimits limits = test::small_limits();
  limits.costly_threads = 1;
  limits.max_waiting = 4;
  const auto answer = [&](const Request&) {
    while (!released) std::this_thread::sleep_for(1ms);
    return json_response("{}");
  };
  const ServerOnLoopback server(
      Service{.answer = answer, .admit = [](const Request&) { return Admission{.lane = Lane::costly}; }},
      limits);
  const auto clients = connect(server.port(), 12);
  for (const auto& each : clients) ASSERT_TRUE(each->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  // Four wait, besides the one that runs if it has begun by then.
  std::atomic<int> rejected = 0;
  std::vector<std::jthread> readers;
  std::atomic<int> served = 0;
  for (const auto& each : clients) {
    readers.emplace_back([&, connection = each.get()] {
      const auto response = connection->answer();
      if (response.status == 503 && !response.header("retry-after").empty()) ++rejected;
      if (response.status == 200) ++served;
    });
  }
  EXPECT_TRUE(test::eventually([&] { return rejected >= 6; })) << rejected;
  released = true;
  readers.clear();
  EXPECT_EQ(rejected + served, 12);
  EXPECT_GE(served, 4);
}

// Work whose client has left is not begun.
TEST(HttpServerAttack, CostlyRequestsOfClientsThatLeftAreSkipped) {
  std::atomic<bool> released = false;
  std::atomic<int> begun = 0;
  ServerLimits limits = test::small_limits();
  limits.costly_threads = 1;
  const auto answer = [&](const Request&) {
    ++begun;
    while (!released) std::this_thread::sleep_for(1ms);
    return json_response("{}");
  };
  const ServerOnLoopback server(
      Service{.answer = answer,
              .admit =
                  [](const Request& head) {
                    return Admission{.lane = head.path == "/q" ? Lane::quick : Lane::costly};
                  }},
      limits);
  RawConnection first(server.port());
  ASSERT_TRUE(first.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  EXPECT_TRUE(test::eventually([&] { return begun == 1; }));
  {
    const auto others = connect(server.port(), 20);
    for (const auto& each : others) ASSERT_TRUE(each->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    std::this_thread::sleep_for(100ms);
  }
  std::this_thread::sleep_for(2s);  // the server probes them after a second
  released = true;
  EXPECT_EQ(first.answer().status, 200);
  EXPECT_EQ(server.get("/").status, 200);
  EXPECT_LE(begun, 3);
}

TEST(HttpServerAttack, ALongComputationGets503) {
  std::atomic<bool> released = false;
  ServerLimits limits = test::small_limits();
  limits.response_timeout = Seconds{0.2};
  const ServerOnLoopback server(
      [&](const Request&) {
        while (!released) std::this_thread::sleep_for(1ms);
        return json_response("{}");
      },
      limits);
  EXPECT_EQ(server.get("/").status, 503);
  released = true;
}

// When all connections are taken, one that only waits makes room.
TEST(HttpServerAttack, IdleConnectionsMakeRoom) {
  ServerLimits limits = test::small_limits();
  limits.max_connections = 10;
  const ServerOnLoopback server(hello, limits);
  auto idle = connect(server.port(), 50);
  EXPECT_LT(seconds_of_probe(server), 1);
  EXPECT_TRUE(idle.front()->closed());
}

TEST(HttpServerAttack, AByteAtATimeIsTooSlow) {
  ServerLimits limits = test::small_limits();
  limits.request_timeout = Seconds{0.5};
  const ServerOnLoopback server(hello, limits);
  RawConnection connection(server.port());
  connection.send("GET / HTTP/1.1\r\nX: ");
  const auto start = std::chrono::steady_clock::now();
  bool sent = true;
  while (sent && std::chrono::steady_clock::now() - start < 20s) {
    sent = connection.send("a");
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_FALSE(sent) << "every byte extended the time";
}

// Requests that are never complete, and responses that nobody reads.
TEST(HttpServerAttack, UnfinishedRequestsDoNotFillMemory) {
  ServerLimits limits;
  limits.max_input_bytes = limits.max_output_bytes = 8 * kMiB;
  const ServerOnLoopback server(hello, limits);
  const Growth growth;
  const auto clients = connect(server.port(), 1000);
  const std::string head = "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(12'000, 'a');
  const std::string body =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + std::string(100'000, 'b');
  for (std::size_t i = 0; i < clients.size(); ++i) clients[i]->send(i % 2 == 0 ? head : body);
  EXPECT_LT(seconds_of_probe(server), 1);
  EXPECT_LT(growth.bytes(), 32 * kMiB);
}

TEST(HttpServerAttack, UnreadResponsesDoNotFillMemory) {
  ServerLimits limits;
  limits.max_input_bytes = limits.max_output_bytes = 8 * kMiB;
  const ServerOnLoopback server(
      [](const Request& request) {
        return json_response(std::string(request.path == "/" ? 2 : 4'000'000, 'x'));
      },
      limits);
  const Growth growth;
  // As in `ergon serve`: freed blocks of this size return to the system.
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  const auto clients = connect(server.port(), 100);
  for (const auto& each : clients) ASSERT_TRUE(each->send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(seconds_of_probe(server), kSanitized ? 20 : 1);
  EXPECT_LT(growth.bytes(), 32 * kMiB);
}

TEST(HttpServerAttack, PipelinedRequestsDoNotFillMemory) {
  const ServerOnLoopback server([](const Request&) { return json_response(std::string(100'000, 'x')); });
  const Growth growth;
  RawConnection connection(server.port());
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_TRUE(connection.send(requests));  // 100 MB of responses
  std::this_thread::sleep_for(200ms);
  EXPECT_LT(growth.bytes(), 16 * kMiB);
}

// An admission is decided before the body is read.
TEST(HttpServerAttack, ARefusedRequestIsNotRead) {
  const ServerOnLoopback server(Service{.answer = hello, .admit = [](const Request&) {
                                          return Admission{.response =
                                                               error_response(401, "permission", "no")};
                                        }});
  RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\nabc"));
  EXPECT_EQ(connection.answer().status, 401);
  EXPECT_TRUE(connection.closed());
  RawConnection second(server.port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    EXPECT_EQ(second.answer().status, 401) << "a refusal keeps the connection";
  }
}

TEST(HttpServerAttack, AmbiguousLengthsAreRejected) {
  const ServerOnLoopback server(hello);
  const std::string hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const char* lengths :
       {"Content-Length: 3\r\nContent-Length: 33\r\n", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "Content-Length: -1\r\n",
        "Content-Length: +3\r\n", "Content-Length: 0x3\r\n", "Content-Length: 3, 4\r\n",
        "Content-Length : 3\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n", "Content-Length: 99999999999999999999999\r\n"}) {
    RawConnection connection(server.port());
    ASSERT_TRUE(connection.send("POST / HTTP/1.1\r\nHost: x\r\n" + std::string(lengths) + "\r\n" + hidden));
    const int status = connection.answer().status;
    EXPECT_TRUE(status >= 400 && status < 500) << lengths << status;
    EXPECT_TRUE(connection.closed()) << lengths;
  }
}

// The next request could be hidden in what another program takes for a body.
TEST(HttpServerAttack, OtherTransferEncodingsAreRejected) {
  const ServerOnLoopback server(hello);
  for (const char* headers :
       {"Transfer-Encoding: gzip\r\n", "Transfer-Encoding: identity\r\n", "Transfer-Encoding:\r\n",
        "Transfer-Encoding: gzip\r\nContent-Length: 2\r\n", "Host: y\r\n", "Content-Length: 2, 2\r\n"}) {
    for (const char* method : {"GET", "POST"}) {
      RawConnection connection(server.port());
      ASSERT_TRUE(connection.send(std::string(method) + " / HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n"));
      EXPECT_EQ(connection.answer().status, 400) << method << " " << headers;
      EXPECT_TRUE(connection.closed()) << headers;
    }
  }
}

// The oldest unfinished requests give way to new ones.
TEST(HttpServerAttack, UnfinishedRequestsGiveWay) {
  ServerLimits limits;
  limits.max_input_bytes = kMiB;
  const ServerOnLoopback server(hello, limits);
  const auto clients = connect(server.port(), 500);
  for (const auto& each : clients) each->send("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(12'000, 'a'));
  const std::string large =
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " + std::string(12'000, 'b') + "\r\n\r\n";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(server.raw(large).status, 200);
}

// Shared bodies, such as the files of the page, take no memory for each client.
TEST(HttpServerAttack, SharedBodiesAreNotCopied) {
  const auto page = std::make_shared<const std::string>(4'000'000, 'x');
  const ServerOnLoopback server([&](const Request&) { return shared_json_response(page); });
  const Growth growth;
  const auto clients = connect(server.port(), 200);
  for (const auto& each : clients)
    ASSERT_TRUE(each->send("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(growth.bytes(), 16 * kMiB);
  EXPECT_EQ(server.get("/").body.size(), page->size());
}

// All connections wait for clients that do not read: one of them makes room.
TEST(HttpServerAttack, ClientsThatDoNotReadMakeRoom) {
  ServerLimits limits;
  limits.max_connections = 10;
  const auto page = std::make_shared<const std::string>(8'000'000, 'x');
  const ServerOnLoopback server(
      [&](const Request& request) {
        return request.path == "/" ? json_response("{}") : shared_json_response(page);
      },
      limits);
  const auto clients = connect(server.port(), 10);
  for (const auto& each : clients) ASSERT_TRUE(each->send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
  std::this_thread::sleep_for(1500ms);
  EXPECT_LT(seconds_of_probe(server), 1);
}

// The handler learns that nobody waits for it.
TEST(HttpServerAttack, TheHandlerOfAClientThatLeftIsStopped) {
  std::promise<void> stopped;
  const ServerOnLoopback server(
      Service{.answer =
                  [&](const Request& request) {
                    const auto until = std::chrono::steady_clock::now() + 20s;
                    while (!request.stop.stop_requested() && std::chrono::steady_clock::now() < until)
                      std::this_thread::sleep_for(1ms);
                    if (request.stop.stop_requested()) stopped.set_value();
                    return json_response("{}");
                  },
              .admit = [](const Request&) { return Admission{.lane = Lane::costly}; }});
  {
    RawConnection connection(server.port());
    ASSERT_TRUE(connection.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n and more"));
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(stopped.get_future().wait_for(15s), std::future_status::ready);
}

// Handlers that wait are stopped, and responses that nobody reads are abandoned.
TEST(HttpServerAttack, StopsInSpiteOfClients) {
  const auto page = std::make_shared<const std::string>(8'000'000, 'x');
  ServerOnLoopback server(Service{.answer =
                                      [&](const Request& request) {
                                        if (request.path == "/large") return shared_json_response(page);
                                        while (!request.stop.stop_requested())
                                          std::this_thread::sleep_for(1ms);
                                        return json_response("{}");
                                      },
                                  .admit =
                                      [](const Request& head) {
                                        return Admission{.lane = head.path == "/large" ? Lane::quick
                                                                                       : Lane::costly};
                                      }});
  const auto clients = connect(server.port(), 40);
  for (std::size_t i = 0; i < clients.size(); ++i)
    ASSERT_TRUE(clients[i]->send(std::string(i % 2 == 0 ? "GET /large" : "GET /costly") +
                                 " HTTP/1.1\r\nHost: x\r\n\r\n"));
  std::this_thread::sleep_for(200ms);
  const auto start = std::chrono::steady_clock::now();
  server.stop();
  EXPECT_TRUE(server.ends());
  EXPECT_LT(std::chrono::steady_clock::now() - start, 8s);
}

// Many clients, each with a few pipelined requests for a page that anybody may read.
TEST(HttpServerAttack, UnreadResponsesDoNotFillTheKernel) {
  ServerLimits limits;
  limits.max_socket_bytes = 8 * kMiB;
  const auto page = std::make_shared<const std::string>(300'000, 'x');
  const ServerOnLoopback server(
      [&](const Request& request) {
        return request.path == "/" ? json_response("{}") : shared_json_response(page);
      },
      limits);
  std::string requests;
  for (int i = 0; i < 20; ++i) requests += "GET /page HTTP/1.1\r\nHost: x\r\n\r\n";
  Connections clients;
  std::size_t most = 0;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<RawConnection>(server.port(), 4096));
    ASSERT_TRUE(clients.back()->send(requests));
    most = std::max(most, kernel_bytes(server.port()));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_LT(seconds_of_probe(server), 1);
    most = std::max(most, kernel_bytes(server.port()));
    std::this_thread::sleep_for(100ms);
  }
  // The kernel lets a socket exceed its buffer by one packet.
  EXPECT_LT(most, 16 * kMiB);
  EXPECT_EQ(server.get("/page").body.size(), page->size()) << "clients that do not read make room";
}

// Requests that wait for the responses to those before them.
TEST(HttpServerAttack, UnreadRequestsDoNotFillTheKernel) {
  ServerLimits limits;
  limits.max_socket_bytes = 8 * kMiB;
  const auto page = std::make_shared<const std::string>(300'000, 'x');
  const ServerOnLoopback server(
      [&](const Request& request) {
        return request.path == "/" ? json_response("{}") : shared_json_response(page);
      },
      limits);
  Connections clients;
  std::vector<std::jthread> senders;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<RawConnection>(server.port(), 4096));
    senders.emplace_back([connection = clients.back().get()] {
      for (int k = 0; k < 1000 && connection->send("GET /page HTTP/1.1\r\nHost: x\r\n\r\n"); ++k) {
      }
      while (connection->send(std::string(10'000, 'x'))) {
      }
    });
  }
  std::this_thread::sleep_for(1500ms);
  // The server measures the memory ten times a second, or later if this machine has other work.
  EXPECT_TRUE(test::eventually([&] { return kernel_bytes(server.port()) < 16 * kMiB; }));
  EXPECT_LT(seconds_of_probe(server), 1);
}

// The kernel would otherwise keep the rest of the response for minutes.
TEST(HttpServerAttack, AClientThatDoesNotReadIsReset) {
  ServerLimits limits;
  limits.write_timeout = Seconds{0.3};
  limits.min_rate = BytesPerSecond{1e9};
  const auto page = std::make_shared<const std::string>(3'000'000, 'x');
  const ServerOnLoopback server([&](const Request&) { return shared_json_response(page); }, limits);
  RawConnection plain(server.port(), 4096), half_closed(server.port(), 4096);
  ASSERT_TRUE(plain.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  // All of the response fits into the buffers.
  ASSERT_TRUE(half_closed.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"));
  half_closed.end_sending();
  EXPECT_TRUE(test::eventually([&] { return plain.is_reset(); }));
  EXPECT_EQ(half_closed.answer(true).status, 200);
}

// A response that fits into the send buffer is delivered, however slowly it is read, and then let go.
TEST(HttpServerAttack, AClosedConnectionHoldsNoMemoryOfTheKernel) {
  ServerLimits limits;
  limits.write_timeout = Seconds{0.5};
  const auto page = std::make_shared<const std::string>(60'000, 'x');
  const ServerOnLoopback server([&](const Request&) { return shared_json_response(page); }, limits);
  for (const char* connection : {"close", "keep-alive"}) {
    const std::string request =
        std::string("GET / HTTP/1.1\r\nHost: x\r\nConnection: ") + connection + "\r\n\r\n";
    RawConnection reads(server.port(), 4096), leaves(server.port(), 4096);
    for (RawConnection* each : {&reads, &leaves}) {
      ASSERT_TRUE(each->send(request));
      each->end_sending();
    }
    EXPECT_EQ(reads.answer().body.size(), page->size()) << connection;
    EXPECT_TRUE(reads.closed());
    EXPECT_TRUE(test::eventually([&] { return leaves.is_reset(); })) << connection;
  }
}

// Such as `nc -N`: legal in HTTP/1.1.
TEST(HttpServer, AHalfClosedClientGetsItsResponse) {
  ServerLimits limits = test::small_limits();
  const auto page = std::make_shared<const std::string>(3'000'000, 'x');
  const ServerOnLoopback server(
      Service{.answer =
                  [&](const Request& request) {
                    if (request.path == "/page") return shared_json_response(page);
                    if (request.path == "/slow") std::this_thread::sleep_for(2500ms);
                    Response response = json_response("{}");
                    if (request.path == "/stream") {
                      response.stream = [left = 5](const Response::Write& write) mutable {
                        std::this_thread::sleep_for(100ms);
                        return write("x") && --left > 0;
                      };
                    }
                    return response;
                  },
              .admit = [](const Request&) { return Admission{.lane = Lane::costly}; }},
      limits);
  const auto ask = [&](const std::string& path) {
    auto connection = std::make_unique<RawConnection>(server.port(), 4096);
    EXPECT_TRUE(connection->send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"));
    connection->end_sending();
    return connection;
  };
  EXPECT_EQ(ask("/page")->answer().body.size(), page->size());
  EXPECT_EQ(ask("/stream")->answer().body, "xxxxx");
  const auto slow = ask("/slow");
  HttpAnswer answer = slow->head();
  while (answer.status == 100) answer = slow->head();
  EXPECT_EQ(answer.status, 200) << "a client that waits is probed with 100 Continue";
}

}  // namespace
}  // namespace ergon::service
