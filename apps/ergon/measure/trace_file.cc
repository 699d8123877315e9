#include "measure/trace_file.h"

#include <fmt/format.h>

namespace ergon::app {

Result<TraceFile> TraceFile::create(const std::string& path) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  return TraceFile(std::move(*file));
}

Result<> TraceFile::write(meter::Meter& meter, Instant begin) {
  std::string text = "time_seconds,device,field,power_watts,simulated\n";
  const auto traces = meter.take_traces();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const meter::Recorder& recorder = *meter.recorders()[i];
    for (const meter::TracePoint& point : traces[i]) {
      text += fmt::format("{:.6f},{},{},{:.3f},{}\n", (point.at - begin).si(), recorder.identity().id,
                          recorder.field_name(), point.power.si(), recorder.simulated() ? "true" : "false");
    }
  }
  if (auto written = file_.write(text); !written) return written;
  return file_.commit();
}

}  // namespace ergon::app
