// The program reads from a server with the Prometheus API.

#include <atomic>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "service/http/server_on_loopback.h"
#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::service {
namespace {

// 100 W, 50 degrees and 50 % utilization at every step, of one GPU of the DCGM exporter.
class FakePrometheusServer {
 public:
  int port() const { return server_.port(); }
  int asked() const { return asked_; }

 private:
  Response answer(const Request& request) {
    if (request.path != "/api/v1/query_range") return error_response(404, "not_found", "unknown path");
    ++asked_;
    const auto parameter = [&](std::string_view name) {
      for (const auto& [key, value] : request.query) {
        if (key == name) return value;
      }
      return std::string();
    };
    const std::string query = parameter("query");
    const bool power = query.find("DCGM_FI_DEV_POWER_USAGE") != std::string::npos;
    const bool used = query.find("DCGM_FI_DEV_GPU_UTIL") != std::string::npos;
    std::string values;
    const double from = std::strtod(parameter("start").c_str(), nullptr);
    const double to = std::strtod(parameter("end").c_str(), nullptr);
    const double step = std::strtod(parameter("step").c_str(), nullptr);
    for (double at = from; at <= to && step > 0; at += step)
      values += fmt::format("{}[{:.3f},\"{}\"]", values.empty() ? "" : ",", at, power ? "100.5" : "50");
    std::string series;
    if (power || used)
      series =
          fmt::format(R"({{"metric":{{"__name__":"{}","UUID":"GPU-a","Hostname":"node17"}},"values":[{}]}})",
                      power ? "DCGM_FI_DEV_POWER_USAGE" : "DCGM_FI_DEV_GPU_UTIL", values);
    return json_response(
        fmt::format(R"({{"status":"success","data":{{"resultType":"matrix","result":[{}]}}}})", series));
  }

  std::atomic<int> asked_{0};
  test::ServerOnLoopback server_{[this](const Request& request) { return answer(request); }};
};

TEST(FleetFromPrometheus, JoinsSamplesWithEvents) {
  const FakePrometheusServer server;
  const test::TemporaryFolder folder;
  std::ofstream(folder / "events.csv") << "timestamp,hostname,eventName,eventType,jobId,taskId\n"
                                          "2018-11-08T07:10:00Z,node17,train,START,j,t\n"
                                          "2018-11-08T07:20:00Z,node17,train,STOP,j,t\n";
  const auto ran = test::run_shell(
      fmt::format(ERGON_PROGRAMS
                  "/ergon fleet analyze --checkpoints events.csv --prometheus http://127.0.0.1:{} "
                  "--from 2018-11-08T07:00:00Z --to 2018-11-08T07:30:00Z --step 15s",
                  server.port()),
      folder.path().string());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("1 event of 1 task in 1 job on 1 host\n121 samples of 1 GPU"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("100.50"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("energy: 180.9 kJ"), std::string::npos) << ran.out;
  EXPECT_GE(server.asked(), 15);  // four metrics and the mark of simulated GPUs, three windows
}

TEST(FleetFromPrometheus, ReportsAMissingServerInOneLine) {
  const auto ran = test::run_shell(
      ERGON_PROGRAMS "/ergon fleet analyze --prometheus http://127.0.0.1:9 --from now-1h --to now");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("127.0.0.1:9"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace ergon::service
