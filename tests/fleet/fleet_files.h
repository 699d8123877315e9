#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/timestamp.h"
#include "fleet/ingest.h"
#include "support/temporary_folder.h"

namespace ergon::fleet::test {

// 2018-11-08T07:00:00Z and some milliseconds.
inline Timestamp moment(std::int64_t ms) { return {1'541'660'400'000'000'000 + ms * 1'000'000}; }

// Builds logs in the format of the TeraScope study.
class FleetFiles {
 public:
  void row(std::int64_t ms, const std::string& host, const std::string& event, const std::string& type,
           const std::string& task = "t", const std::string& job = "j") {
    checkpoints.push_back(
        fmt::format(R"("{}","{}","{}","{}","{}","{}")", text_of(ms), host, event, type, job, task));
  }
  void event(std::int64_t from_ms, std::int64_t to_ms, const std::string& host, const std::string& event,
             const std::string& task = "t") {
    row(from_ms, host, event, "START", task);
    row(to_ms, host, event, "STOP", task);
  }
  void sample(std::int64_t ms, const std::string& host, const std::string& values,
              const std::string& uuid = "GPU-0") {
    samples.push_back(fmt::format(R"("{}","{}","0123","{}-{}",{})", text_of(ms), host, uuid, host, values));
  }
  // Constant power and utilization, 50 degrees.
  void steady(std::int64_t from_ms, std::int64_t to_ms, std::int64_t step_ms, const std::string& host,
              double watts, int utilization = 50) {
    for (std::int64_t at = from_ms; at <= to_ms; at += step_ms)
      sample(at, host, fmt::format("{},50,{},30", watts, utilization));
  }

  static std::string text_of(std::int64_t ms) {
    std::string text = to_text(moment(ms));
    if (text.size() < 24) text.insert(text.size() - 1, ".000");
    return text;
  }

  // Writes the files; both are named after `name`.
  FleetInputs write(const std::filesystem::path& folder, const std::string& name = "fleet") const {
    FleetInputs inputs;
    const auto put = [&](const std::string& file, const std::string& header,
                         const std::vector<std::string>& rows) {
      std::ofstream out(folder / file);
      out << header << '\n';
      for (const std::string& each : rows) out << each << '\n';
      return folder / file;
    };
    if (!checkpoints.empty())
      inputs.logs.push_back(
          {put(name + "-events.csv", R"("timestamp","hostname","eventName","eventType","jobId","taskId")",
               checkpoints),
           LogKind::checkpoints,
           {},
           {}});
    if (!samples.empty())
      inputs.logs.push_back(
          {put(name + "-gpu.csv",
               "timestamp,hostname,gpuSerial,gpuUUID,powerDrawWatt,gpuTempC,gpuUtilPerc,gpuMemUtilPerc",
               samples),
           LogKind::samples,
           {},
           {}});
    return inputs;
  }

  IngestResult read(const AnalysisRules& rules = {}) const {
    const ergon::test::TemporaryFolder folder;
    auto reading = read_fleet(write(folder.path()), rules, {});
    if (!reading) ADD_FAILURE() << reading.error().message;
    return reading ? *reading : IngestResult{};
  }
  Tally tally(const AnalysisRules& rules = {}) const { return read(rules).tally; }

  std::vector<std::string> checkpoints, samples;
};

}  // namespace ergon::fleet::test
