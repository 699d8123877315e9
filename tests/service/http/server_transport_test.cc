// Unix sockets, TLS, and bodies that are streamed in both directions, with our own client.

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "service/http/client.h"
#include "service/http/server_on_loopback.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

using namespace std::chrono_literals;
using test::ServerOnLoopback;

Response echo_body(const Request& request) {
  Response response = json_response(request.method + " " + request.path + " " + request.body);
  response.type = "text/plain";
  return response;
}

Result<std::string> whole_body(HttpClient& client) {
  std::string body;
  while (true) {
    auto piece = client.read_body();
    if (!piece) return piece;
    if (piece->empty()) return body;
    body += *piece;
  }
}

TEST(HttpClientConnection, IsKeptAlive) {
  const ServerOnLoopback server(echo_body);
  auto client = HttpClient::connect({false, "127.0.0.1", server.port(), ""}, {}, {});
  ASSERT_TRUE(client) << client.error().message;
  for (int i = 0; i < 5; ++i) {
    const auto response =
        client->send({.method = "POST", .target = fmt::format("/{}", i), .body = std::string(5000, 'x')});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->header("content-type"), "text/plain");
    EXPECT_EQ(*whole_body(*client), fmt::format("POST /{} ", i) + std::string(5000, 'x'));
    EXPECT_TRUE(client->reusable());
  }
  const auto head = client->send({.method = "HEAD"});
  ASSERT_TRUE(head);
  EXPECT_EQ(*whole_body(*client), "");
}

TEST(HttpClientConnection, RejectsLineBreaksInHeaders) {
  const ServerOnLoopback server(echo_body);
  auto client = HttpClient::connect({false, "127.0.0.1", server.port(), ""}, {}, {});
  ASSERT_TRUE(client);
  EXPECT_EQ(client->send({.headers = {{"X", "a\r\nY: b"}}}).error().kind, Errc::invalid_input);
}

TEST(HttpUnixSocket, ServesAndKnowsThePeer) {
  const test::TemporaryFolder folder;
  const auto socket = folder / "ergon.sock";
  std::optional<PeerCredentials> peer;
  {
    const ServerOnLoopback server(Service{.answer =
                                              [&](const Request& request) {
                                                peer = request.peer;
                                                return echo_body(request);
                                              }},
                                  {}, {.socket = socket});
    const auto body = get({.socket = socket}, "/here", {}, {});
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(*body, "GET /here ");
    ASSERT_TRUE(peer);
    EXPECT_EQ(peer->process, ::getpid());
    EXPECT_EQ(peer->user, ::getuid());
    struct stat found {};
    ASSERT_EQ(::stat(socket.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0660u);
    const auto second = Server::listen({.socket = socket}, {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, Errc::busy);
    const auto curl =
        test::run_shell(fmt::format("curl -s --unix-socket {} http://localhost/curl", socket.string()));
    EXPECT_EQ(curl.out, "GET /curl ");
  }
  EXPECT_FALSE(std::filesystem::exists(socket));
  EXPECT_EQ(get({.socket = socket}, "/", {}, {}).error().kind, Errc::not_found);
}

// The file of a server that was killed is replaced; other files are not.
TEST(HttpUnixSocket, ReplacesAStaleSocket) {
  const test::TemporaryFolder folder;
  const auto socket = folder / "ergon.sock";
  const auto left = test::run_shell(fmt::format(
      "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind(\"{}\")'", socket.string()));
  ASSERT_EQ(left.exit_code, 0) << left.err;
  ASSERT_TRUE(std::filesystem::is_socket(socket));
  EXPECT_TRUE(Server::listen({.socket = socket}, {}));
  ASSERT_TRUE(write_file(folder / "file", "precious"));
  EXPECT_FALSE(Server::listen({.socket = folder / "file"}, {}));
  EXPECT_EQ(read_file(folder / "file").value_or(""), "precious");
  EXPECT_EQ(Server::listen({.socket = folder / std::string(200, 'x')}, {}).error().kind, Errc::invalid_input);
}

// Certificates: of localhost; another of localhost; of another host.
class HttpTls : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [name, hosts] : {std::pair{"server", "DNS:localhost,IP:127.0.0.1"},
                                      {"other", "DNS:localhost"},
                                      {"elsewhere", "DNS:elsewhere.example"}}) {
      const auto made = test::run_shell(
          fmt::format("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {0}.key "
                      "-out {0}.pem -addext subjectAltName={1}",
                      name, hosts),
          folder_.path().string());
      if (made.exit_code != 0) GTEST_SKIP() << "openssl is missing: " << made.err;
    }
  }
  ListenAddress address(const std::string& name = "server") const {
    return {.tls = TlsFiles{.certificate = folder_ / (name + ".pem"), .key = folder_ / (name + ".key")}};
  }
  Url url(const ServerOnLoopback& server, const std::string& host = "localhost") const {
    return {true, host, server.port(), ""};
  }

  test::TemporaryFolder folder_;
};

TEST_F(HttpTls, ServesOurClientAndCurl) {
  const ServerOnLoopback server(Service{.answer = echo_body}, {}, address());
  const HttpOptions trusting{.authorities = folder_ / "server.pem"};
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const auto body = get(url(server, host), "/secret", trusting, {});
    ASSERT_TRUE(body) << body.error().message;
    EXPECT_EQ(*body, "GET /secret ");
  }
  const auto curl = test::run_shell(
      fmt::format("curl -s --cacert server.pem -d abc https://localhost:{0}/p https://localhost:{0}/q",
                  server.port()),
      folder_.path().string());
  EXPECT_EQ(curl.out, "POST /p abcPOST /q abc");
  for (const char* old : {"--tls-max 1.0 --tlsv1.0", "--tls-max 1.1 --tlsv1.1"}) {
    const auto refused = test::run_shell(
        fmt::format("curl -s {} --ciphers DEFAULT@SECLEVEL=0 --cacert server.pem https://localhost:{}/", old,
                    server.port()),
        folder_.path().string());
    EXPECT_NE(refused.exit_code, 0) << old;
  }
}

TEST_F(HttpTls, RejectsUntrustedCertificatesAndOtherHosts) {
  const ServerOnLoopback server(Service{.answer = echo_body}, {}, address());
  const auto untrusted = get(url(server), "/", {.authorities = folder_ / "other.pem"}, {});
  ASSERT_FALSE(untrusted);
  EXPECT_EQ(untrusted.error().kind, Errc::permission) << untrusted.error().message;
  const ServerOnLoopback elsewhere(Service{.answer = echo_body}, {}, address("elsewhere"));
  const auto renamed = get(url(elsewhere), "/", {.authorities = folder_ / "elsewhere.pem"}, {});
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().kind, Errc::permission) << renamed.error().message;
}

TEST_F(HttpTls, PlainClientsGetNothing) {
  const ServerOnLoopback server(Service{.answer = echo_body}, {}, address());
  EXPECT_EQ(server.get("/").status, 0);
  EXPECT_TRUE(get(url(server), "/", {.authorities = folder_ / "server.pem"}, {})) << "the server still runs";
}

TEST_F(HttpTls, InvalidFilesAreErrors) {
  const auto with = [](const std::filesystem::path& certificate, const std::filesystem::path& key) {
    const auto server = Server::listen({.tls = TlsFiles{certificate, key}}, {});
    return server ? Errc::io : server.error().kind;
  };
  EXPECT_EQ(with(folder_ / "missing", folder_ / "server.key"), Errc::not_found);
  EXPECT_EQ(with(folder_ / "server.key", folder_ / "server.key"), Errc::invalid_input);
  EXPECT_EQ(with(folder_ / "server.pem", folder_ / "other.key"), Errc::invalid_input);
}

// As a proxy needs it: pieces arrive while others are still to come.
TEST(HttpStreaming, BothWays) {
  const Service service{.answer =
                            [](const Request& request) {
                              Response response;
                              response.type = "text/plain";
                              response.stream = [request](const Response::Write& write) {
                                const auto piece = request.read_body();
                                return piece && !piece->empty() && write("<" + *piece + ">");
                              };
                              return response;
                            },
                        .admit = [](const Request&) { return Admission{.stream_body = true}; }};
  const ServerOnLoopback server(service);
  test::RawConnection connection(server.port());
  ASSERT_TRUE(
      connection.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n"));
  EXPECT_NE(connection.until("<one>"), "");
  ASSERT_TRUE(connection.send("3\r\ntwo\r\n"));
  EXPECT_NE(connection.until("<two>"), "");
  ASSERT_TRUE(connection.send("0\r\n\r\n"));
  EXPECT_NE(connection.until("0\r\n\r\n"), "");
}

TEST(HttpStreaming, AWholeBodyIsRead) {
  const Service service{.answer =
                            [](const Request& request) {
                              std::size_t size = 0;
                              while (true) {
                                const auto piece = request.read_body();
                                if (!piece) return error_response(piece.error());
                                if (piece->empty()) return json_response(std::to_string(size));
                                size += piece->size();
                              }
                            },
                        .admit = [](const Request&) { return Admission{.stream_body = true}; }};
  const ServerOnLoopback server(service);
  auto client = HttpClient::connect({false, "127.0.0.1", server.port(), ""}, {}, {});
  ASSERT_TRUE(client);
  for (int i = 0; i < 2; ++i) {
    int left = 50;
    const auto sent = client->send({.method = "POST", .stream_body = [&]() -> Result<std::string> {
                                      return left-- > 0 ? std::string(100'000, 'x') : std::string();
                                    }});
    ASSERT_TRUE(sent) << sent.error().message;
    EXPECT_EQ(*whole_body(*client), "5000000");
  }
}

// The handler must not wait forever for a client that left.
TEST(HttpStreaming, AnInterruptedBodyIsAnError) {
  std::promise<Errc> seen;
  const Service service{.answer =
                            [&](const Request& request) {
                              while (true) {
                                const auto piece = request.read_body();
                                if (piece && !piece->empty()) continue;
                                seen.set_value(piece ? Errc::internal : piece.error().kind);
                                return json_response("{}");
                              }
                            },
                        .admit = [](const Request&) { return Admission{.stream_body = true}; }};
  const ServerOnLoopback server(service);
  {
    test::RawConnection connection(server.port());
    ASSERT_TRUE(connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"));
    std::this_thread::sleep_for(50ms);
  }
  auto future = seen.get_future();
  ASSERT_EQ(future.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(future.get(), Errc::io);
}

// A handler that reads the body after its deadline, when the response has been sent.
TEST(HttpStreaming, ABodyThatWasCutByTheDeadlineIsAnError) {
  std::promise<Errc> seen;
  const Service service{.answer =
                            [&](const Request& request) {
                              std::this_thread::sleep_for(600ms);
                              while (true) {
                                const auto piece = request.read_body();
                                if (piece && !piece->empty()) continue;
                                seen.set_value(piece ? Errc::internal : piece.error().kind);
                                return json_response("{}");
                              }
                            },
                        .admit = [](const Request&) { return Admission{.stream_body = true}; }};
  ServerLimits limits;
  limits.response_timeout = Seconds{0.2};
  const ServerOnLoopback server(service, limits);
  test::RawConnection connection(server.port());
  ASSERT_TRUE(connection.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"));
  EXPECT_EQ(connection.answer().status, 503);
  auto future = seen.get_future();
  ASSERT_EQ(future.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(future.get(), Errc::io);
}

TEST(HttpStreaming, ABodyOfAnyDeclaredLengthIsRead) {
  const Service service{.answer =
                            [](const Request& request) {
                              const auto piece = request.read_body();
                              return json_response(piece ? *piece : piece.error().message);
                            },
                        .admit = [](const Request&) { return Admission{.stream_body = true}; }};
  const ServerOnLoopback server(service);
  test::RawConnection connection(server.port());
  ASSERT_TRUE(connection.send(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 18446744073709551615\r\n\r\n"));
  EXPECT_EQ(connection.head().status, 100) << "names of expectations have no letter case";
  ASSERT_TRUE(connection.send("abc"));
  EXPECT_EQ(connection.answer().body, "abc");
}

// A hostile server: headers and bodies without end.
TEST(HttpClientLimits, HeadersAndBodiesAreBounded) {
  const ServerOnLoopback server([](const Request& request) {
    Response response = json_response("{}");
    if (request.path == "/headers") {
      for (int i = 0; i < 1000; ++i) response.headers.emplace_back("X", std::string(100, 'a'));
    } else {
      response.stream = [](const Response::Write& write) { return write(std::string(100'000, 'x')); };
    }
    return response;
  });
  const Url url{false, "127.0.0.1", server.port(), ""};
  const HttpOptions limited{.max_bytes = 1'000'000};
  const auto headers = get(url, "/headers", limited, {});
  ASSERT_FALSE(headers);
  EXPECT_NE(headers.error().message.find("headers of the response are larger"), std::string::npos)
      << headers.error().message;
  const auto body = get(url, "/endless", limited, {});
  ASSERT_FALSE(body);
  EXPECT_NE(body.error().message.find("larger than"), std::string::npos) << body.error().message;
}

}  // namespace
}  // namespace ergon::service
