#include "report/fleet_tables.h"

#include "table/csv/write.h"
#include "table/table.h"

namespace ergon::report {
namespace {

using Numbers = std::vector<std::optional<double>>;
using Texts = std::vector<std::optional<std::string>>;
using Counts = std::vector<std::optional<std::int64_t>>;

// Builds a table column by column from rows of one type.
template <typename Row>
class TableOf {
 public:
  explicit TableOf(const std::vector<Row>& rows) : rows_(rows) {}

  template <typename Of>
  TableOf& number(std::string name, const Of& of) {
    Numbers values;
    for (const Row& row : rows_) values.push_back(of(row));
    table_.add(std::move(name), table::Column::of(values));
    return *this;
  }
  template <typename Of>
  TableOf& text(std::string name, const Of& of) {
    Texts values;
    for (const Row& row : rows_) values.push_back(of(row));
    table_.add(std::move(name), table::Column::of(values));
    return *this;
  }
  template <typename Of>
  TableOf& count(std::string name, const Of& of) {
    Counts values;
    for (const Row& row : rows_) values.push_back(std::optional<std::int64_t>(of(row)));
    table_.add(std::move(name), table::Column::of(values));
    return *this;
  }
  table::Table take() { return std::move(table_); }

 private:
  const std::vector<Row>& rows_;
  table::Table table_;
};

template <Dimension D>
std::optional<double> number_of(const std::optional<Quantity<D>>& quantity) {
  if (!quantity) return std::nullopt;
  return quantity->si();
}

constexpr std::array<const char*, fleet::kMetrics> kColumnNames{"power_watts", "temperature_celsius",
                                                                "utilization", "memory"};

table::Table fleet_event_table(const std::vector<fleet::EventSummary>& events, const std::string& name) {
  using fleet::EventSummary;
  TableOf<EventSummary> table(events);
  table.text(name, [](const EventSummary& e) { return e.name; })
      .count("n", [](const EventSummary& e) { return e.count; })
      .number("duration_ms", [](const EventSummary& e) { return e.seconds.value * 1e3; })
      .number("duration_low_ms", [](const EventSummary& e) { return e.seconds.low * 1e3; })
      .number("duration_high_ms", [](const EventSummary& e) { return e.seconds.high * 1e3; })
      .number("duration_p50_ms", [](const EventSummary& e) { return e.seconds_p50 * 1e3; })
      .number("duration_p95_ms", [](const EventSummary& e) { return e.seconds_p95 * 1e3; })
      .number("duration_p99_ms", [](const EventSummary& e) { return e.seconds_p99 * 1e3; });
  for (std::size_t m = 0; m < fleet::kMetrics; ++m) {
    table.number(std::string("nearest_") + kColumnNames[m],
                 [m](const EventSummary& e) { return e.nearest[m]; });
    table.number(std::string("interval_") + kColumnNames[m],
                 [m](const EventSummary& e) -> std::optional<double> {
                   if (!e.interval[m]) return std::nullopt;
                   return e.interval[m]->value;
                 });
  }
  return table.number("energy_joules", [](const EventSummary& e) { return number_of(e.energy_each); })
      .number("energy_total_joules", [](const EventSummary& e) { return e.energy.si(); })
      .number("energy_total_sigma_joules", [](const EventSummary& e) { return e.energy_sigma.si(); })
      .number("own_energy_total_joules", [](const EventSummary& e) { return e.exclusive_energy.si(); })
      .count("between_samples", [](const EventSummary& e) { return e.between_samples; })
      .count("without_samples", [](const EventSummary& e) { return e.uncovered; })
      .count("indivisible", [](const EventSummary& e) { return e.indivisible; })
      .take();
}

table::Table fleet_host_table(const fleet::FleetSummary& summary) {
  using fleet::HostSummary;
  return TableOf<HostSummary>(summary.host_list)
      .text("host", [](const HostSummary& h) { return h.name; })
      .count("tasks", [](const HostSummary& h) { return h.tasks; })
      .count("events", [](const HostSummary& h) { return h.events; })
      .count("gpus", [](const HostSummary& h) { return h.gpus; })
      .count("duplicates", [](const HostSummary& h) { return h.duplicates; })
      .number("task_seconds", [](const HostSummary& h) { return h.task_seconds.value; })
      .number("energy_joules", [](const HostSummary& h) { return h.energy.si(); })
      .number("attributed_joules", [](const HostSummary& h) { return h.attributed_energy.si(); })
      .number("idle_joules", [](const HostSummary& h) { return h.idle_energy.si(); })
      .number("unattributed_joules", [](const HostSummary& h) { return h.unattributed_energy.si(); })
      .number("idle_seconds", [](const HostSummary& h) { return h.idle_time.si(); })
      .number("z", [](const HostSummary& h) { return h.z; })
      .text("change_at",
            [](const HostSummary& h) -> std::optional<std::string> {
              if (!h.change) return std::nullopt;
              return to_text(h.change->at);
            })
      .number("change",
              [](const HostSummary& h) -> std::optional<double> {
                if (!h.change) return std::nullopt;
                return h.change->change();
              })
      .number("skew_seconds", [](const HostSummary& h) { return number_of(h.skew); })
      .take();
}

table::Table fleet_gpu_table(const fleet::FleetSummary& summary) {
  using fleet::GpuSummary;
  TableOf<GpuSummary> table(summary.gpu_list);
  table.text("host", [](const GpuSummary& g) { return g.host; })
      .text("uuid", [](const GpuSummary& g) { return g.uuid; })
      .text("serial", [](const GpuSummary& g) { return g.serial; })
      .count("samples", [](const GpuSummary& g) { return g.samples; });
  for (std::size_t m = 0; m < fleet::kMetrics; ++m)
    table.number(kColumnNames[m], [m](const GpuSummary& g) { return g.mean[m]; });
  return table.number("task_seconds", [](const GpuSummary& g) { return g.task_seconds; })
      .count("tasks", [](const GpuSummary& g) { return g.tasks; })
      .number("energy_joules", [](const GpuSummary& g) { return g.total.energy.si(); })
      .number("attributed_joules", [](const GpuSummary& g) { return g.events.energy.si(); })
      .number("idle_joules", [](const GpuSummary& g) { return g.idle.energy.si(); })
      .number("unattributed_joules", [](const GpuSummary& g) { return g.unattributed.energy.si(); })
      .count("cluster", [](const GpuSummary& g) { return g.population; })
      .take();
}

table::Table fleet_task_table(const fleet::FleetSummary& summary) {
  using fleet::Straggler;
  return TableOf<Straggler>(summary.stragglers)
      .text("task", [](const Straggler& s) { return s.event.task; })
      .text("host", [](const Straggler& s) { return s.event.host; })
      .text("level", [](const Straggler& s) { return s.event.level; })
      .text("start", [](const Straggler& s) { return to_text(s.event.start); })
      .number("seconds", [](const Straggler& s) { return static_cast<double>(s.event.duration_ns) / 1e9; })
      .number("times_median", [](const Straggler& s) { return s.times_median; })
      .number("energy_joules", [](const Straggler& s) { return number_of(s.event.energy); })
      .take();
}

table::Table fleet_finding_table(const fleet::FleetSummary& summary) {
  using fleet::Finding;
  return TableOf<Finding>(summary.findings)
      .text("id", [](const Finding& f) { return f.id; })
      .text("about", [](const Finding& f) { return std::string(f.about_data ? "data" : "fleet"); })
      .text("title", [](const Finding& f) { return f.title; })
      .text("detail", [](const Finding& f) { return f.detail; })
      .number("saving_joules", [](const Finding& f) { return number_of(f.saving_energy); })
      .number("saving_seconds", [](const Finding& f) { return number_of(f.saving_time); })
      .take();
}

table::Column simulated_column(std::size_t rows, bool simulated) {
  return table::Column::of(Texts(rows, simulated ? "true" : "false"));
}

}  // namespace

Result<> write_fleet_tables(const fleet::FleetSummary& summary, const std::filesystem::path& folder) {
  std::pair<const char*, table::Table> tables[] = {
      {"events.csv", fleet_event_table(summary.events, "event")},
      {"levels.csv", fleet_event_table(summary.levels, "level")},
      {"hosts.csv", fleet_host_table(summary)},
      {"gpus.csv", fleet_gpu_table(summary)},
      {"stragglers.csv", fleet_task_table(summary)},
      {"findings.csv", fleet_finding_table(summary)},
  };
  for (auto& [name, table] : tables) {
    table.add("simulated", simulated_column(table.rows(), summary.simulated));
    if (auto written = table::write_csv(table, folder / name); !written) return written;
  }
  return {};
}

}  // namespace ergon::report
