// cpp-httplib is not instrumented, so the thread sanitizer does not see the locks of its static variables and
// reports false races on them. One request before the first test initializes them.

#ifdef __SANITIZE_THREAD__

#include <httplib.h>
#include <thread>

#include <gtest/gtest.h>

namespace ergon::service {
namespace {

class InitializedHttplib : public testing::Environment {
 public:
  void SetUp() override {
    httplib::Server server;
    server.Get("/", [](const auto&, auto& response) {
      response.set_chunked_content_provider("text/plain", [](std::size_t, httplib::DataSink& sink) {
        sink.write("x", 1);
        sink.done();
        return true;
      });
    });
    const int port = server.bind_to_any_port("127.0.0.1");
    std::thread listening([&] { server.listen_after_bind(); });
    httplib::Client client("127.0.0.1", port);
    EXPECT_TRUE(client.Get("/"));
    server.stop();
    listening.join();
  }
};

const auto* const kEnvironment = testing::AddGlobalTestEnvironment(new InitializedHttplib);

}  // namespace
}  // namespace ergon::service

#endif
