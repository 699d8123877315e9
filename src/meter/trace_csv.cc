#include "meter/trace_csv.h"

#include <fmt/format.h>

namespace ergon::meter {

std::string trace_csv(Meter& meter, Instant begin) {
  std::string text = "time_seconds,device,field,power_watts,simulated\n";
  const auto traces = meter.take_traces();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Recorder& recorder = *meter.recorders()[i];
    for (const TracePoint& point : traces[i]) {
      text += fmt::format("{:.6f},{},{},{:.3f},{}\n", (point.at - begin).si(), recorder.identity().id,
                          recorder.field_name(), point.power.si(), recorder.simulated() ? "true" : "false");
    }
  }
  return text;
}

}  // namespace ergon::meter
