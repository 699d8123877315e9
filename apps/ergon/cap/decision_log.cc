#include "cap/decision_log.h"

#include "table/csv/write.h"

namespace ergon::app {
namespace {

using control::Decision;

template <typename Q>
std::optional<double> si_of(const std::optional<Q>& quantity) {
  return quantity ? std::optional(quantity->si()) : std::nullopt;
}

// One value of each decision.
template <typename T, typename Of>
table::Column column_of(const std::vector<Decision>& decisions, Of of) {
  std::vector<std::optional<T>> values;
  values.reserve(decisions.size());
  for (const Decision& each : decisions) values.push_back(of(each));
  return table::Column::of(values);
}

}  // namespace

table::Table decisions_table(const std::vector<Decision>& decisions) {
  table::Table table;
  const auto number = [&](const char* name, auto of) { table.add(name, column_of<double>(decisions, of)); };
  const auto whole = [&](const char* name, auto of) {
    table.add(name, column_of<std::int64_t>(decisions, of));
  };
  number("time_seconds", [](const Decision& each) { return each.reading.at.si(); });
  whole("batch", [](const Decision& each) { return each.reading.point.batch; });
  number("clock_hertz", [](const Decision& each) { return si_of(each.reading.point.clock); });
  number("power_watts", [](const Decision& each) { return si_of(each.reading.power); });
  number("mean_power_watts", [](const Decision& each) { return si_of(each.reading.mean_power); });
  number("cap_watts", [](const Decision& each) { return each.reading.cap.si(); });
  number("throughput_samples_per_second", [](const Decision& each) { return each.reading.throughput(); });
  number("latency_seconds", [](const Decision& each) { return si_of(each.reading.latency); });
  number("temperature_celsius", [](const Decision& each) {
    const auto& temperature = each.reading.temperature;
    return temperature ? std::optional(temperature->degrees()) : std::nullopt;
  });
  whole("next_batch", [](const Decision& each) { return each.next.point.batch; });
  number("next_clock_hertz", [](const Decision& each) { return si_of(each.next.point.clock); });
  table.add("reason",
            column_of<std::string>(decisions, [](const Decision& each) { return each.next.reason; }));
  return table;
}

Result<DecisionLog> DecisionLog::create(const std::string& path) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  return DecisionLog(std::move(*file));
}

Result<> DecisionLog::write(const std::vector<Decision>& decisions) {
  const auto written =
      table::write_csv(decisions_table(decisions), [&](std::string_view text) { return file_.write(text); });
  if (!written) return written;
  return file_.commit();
}

}  // namespace ergon::app
