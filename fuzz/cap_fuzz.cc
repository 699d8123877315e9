// Files of `ergon cap`: schedules of caps, recorded traces and decision logs. Whatever the text is, each
// reader returns an error with a message, or caps and surfaces that a controller can use.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "control/caps/cap_schedule.h"
#include "control/plants/trace.h"
#include "fuzz/lines_mutator.h"
#include "service/jobs/decision_log_reader.h"

namespace {

using namespace ergon;

constexpr std::string_view kWords[] = {"time_seconds",
                                       "watts",
                                       "0",
                                       "10s",
                                       "1h",
                                       "250W",
                                       "# comment",
                                       "dnn",
                                       "dataset",
                                       "batch_size",
                                       "n",
                                       "throughput_img_per_s",
                                       "max_power_W",
                                       "core_clock_MHz",
                                       "auto",
                                       "1531",
                                       "500",
                                       "network",
                                       "precision",
                                       "batch",
                                       "throughput_samples_per_second",
                                       "mean_power_watts",
                                       "fp16",
                                       "1",
                                       "2",
                                       "4",
                                       "64",
                                       "1e-9",
                                       "1e12",
                                       "reason"};

void check(bool holds) {
  if (!holds) std::abort();
}

bool is_near(double value, double expected) { return std::fabs(value / expected - 1) < 1e-6; }

void check_schedule(const std::string& path) {
  const auto source = control::scheduled_cap(path);
  check(source || !source.error().message.empty());
  if (!source) return;
  int changes = 0;
  for (const double now : {0.0, 1.0, 60.0, 1e9, 1e300}) {
    const auto change = (*source)->poll(Seconds{now});
    check(bool(change));
    if (!*change) continue;
    ++changes;
    check((*change)->cap.si() > 0 && std::isfinite((*change)->cap.si()));
  }
  check(changes > 0);
  (void)control::scheduled_cap_from_start(path);
}

// Exact at measured points, positive and finite between them.
void check_trace(const control::BatchTrace& trace) {
  check(!trace.cells.empty());
  const control::TraceSurface surface(trace);
  for (const control::TraceCell& cell : trace.cells) {
    const auto here = surface.at(cell.point);
    check(is_near(here.time.si(), cell.time.si()) && is_near(here.power.si(), cell.power.si()));
  }
  control::Point point = trace.cells.front().point;
  const control::Point last = trace.cells.back().point;
  for (int step = 0; step < 8; ++step) {
    point.batch += (last.batch - point.batch) / 2;
    if (point.clock) point.clock = *point.clock * 1.3;
    const auto between = surface.at(point);
    check(between.time.si() > 0 && std::isfinite(between.time.si()));
    check(between.power.si() > 0 && std::isfinite(between.power.si()));
  }
}

void check_decisions(std::string_view text) {
  service::DecisionLogReader reader;
  for (const std::string_view line : split(text, '\n')) {
    if (const auto decision = reader.read(std::string(line))) {
      const std::string written =
          decision->dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
      check(bool(parse_json<nlohmann::ordered_json>(written)));
    }
  }
}

// The readers take paths.
struct TemporaryFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("ergon-cap-fuzz-" + std::to_string(::getpid()) + ".csv"))
          .string();
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path.c_str()); }
};

}  // namespace

ergon::fuzz::LineFormat ergon::fuzz::line_format() { return {.separator = ',', .words = kWords}; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFile file;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_decisions(text);
  std::ofstream(file.path, std::ios::binary) << text;
  check_schedule(file.path);
  const auto networks = control::trace_networks(file.path);
  check(networks || !networks.error().message.empty());
  if (!networks) return 0;
  for (const std::string& network : *networks) {
    const auto trace = control::read_trace(file.path, network);
    check(trace || !trace.error().message.empty());
    if (trace) check_trace(*trace);
  }
  return 0;
}
