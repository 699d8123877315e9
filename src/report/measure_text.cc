#include "report/measure_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units_text.h"
#include "report/text_table.h"
#include "report/wrapped_text.h"

namespace ergon::report {
namespace {

// "1234.5 J +- 6.7 J", rounded to two significant digits of the uncertainty.
std::string with_uncertainty(Joules energy, Joules uncertainty) {
  const double u = uncertainty.si();
  const int decimals = u > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(u))), 0, 6) : 3;
  return fmt::format("{:.{}f} J +- {:.{}f} J", energy.si(), decimals, u, decimals);
}

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

std::string devices_table(const meter::Measurement& measurement,
                          const std::optional<meter::Measurement>& processors, const TableStyle& style) {
  TextTable table({{"device"},
                   {"product", Align::left, 3},
                   {"sensor", Align::left, 2},
                   {"readings", Align::right, 1},
                   {"dropped", Align::right, 2},
                   {"energy", Align::right},
                   {"counter", Align::right},
                   {"difference", Align::right}});
  const auto rows = [&](const meter::Measurement& all) {
    for (const meter::DeviceMeasurement& source : all.sources) {
      const meter::SpanReport& report = source.report;
      table.row({report.device.id, report.device.name + (report.simulated ? " (simulated)" : ""),
                 std::string(report.sensor ? device::name_of(report.sensor->field) : "energy_counter"),
                 std::to_string(report.samples), std::to_string(report.dropped), to_text(source.energy),
                 report.counted ? to_text(*report.counted) : "-",
                 source.counter_discrepancy ? signed_percent(*source.counter_discrepancy) : "-"});
    }
  };
  rows(measurement);
  if (processors) rows(*processors);
  return table.text(style);
}

}  // namespace

std::string measurement_text(const meter::Measurement& measurement,
                             const std::optional<meter::Measurement>& processors, std::optional<Watts> idle,
                             const TableStyle& style) {
  std::string text =
      fmt::format("energy      {} (95 % interval){}\n            +- {} between runs on this board\n",
                  with_uncertainty(measurement.energy, measurement.uncertainty),
                  measurement.simulated ? ", simulated" : "", to_text(measurement.statistical));
  if (idle) text += fmt::format("            above idle power of {}\n", to_text(*idle));
  text += fmt::format("duration    {}\n", to_text(measurement.duration));
  text += fmt::format("power       mean {}, peak {}\n", to_text(measurement.mean), to_text(measurement.peak));
  if (processors) {
    text += fmt::format("processors  {}\n", with_uncertainty(processors->energy, processors->uncertainty));
  }
  text += fmt::format("valid       {}\n", measurement.valid() ? "yes" : "no");
  for (const meter::Reason& reason : measurement.reasons)
    text += fmt::format("            {}\n", wrapped(reason.code + ": " + reason.text, 14, 12));
  for (const meter::Reason& note : measurement.notes) {
    text += fmt::format("note        {}\n", wrapped(note.text, 14, 12));
  }
  return text + "\n" + devices_table(measurement, processors, style);
}

}  // namespace ergon::report
