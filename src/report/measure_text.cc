#include "report/measure_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/interval.h"
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

Joules uncertainty_of(const meter::DeviceMeasurement& source) {
  return Joules{statistics::kInterval95 * std::hypot(source.statistical.si(), source.systematic.si())};
}

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

// In plain words, because a share of a difference around 0 has no meaning.
std::string above_idle_text(const meter::AboveIdle& above) {
  const std::string net = with_uncertainty(above.net.energy, above.net.uncertainty);
  if (above.distinguishable()) return net + " (95 % interval)";
  if (above.below_idle()) return fmt::format("none: {}, less than idle before the command", net);
  return fmt::format("not distinguishable from 0 ({})", net);
}

bool is_corrected(const meter::SpanReport& report) {
  return report.sensor && (report.sensor->gain != 1 || report.sensor->offset != Watts{});
}

// The difference is that of the two columns before it: readings and counter of the same sensor, uncorrected.
std::string devices_table(const meter::GroupedMeasurement& measurement, const TableStyle& style) {
  const bool idle = measurement.selected.above_idle.has_value();
  std::vector<TextTable::Heading> headings = {{"device"},
                                              {"product", Align::left, 3},
                                              {"sensor", Align::left, 2},
                                              {"readings", Align::right, 1},
                                              {"dropped", Align::right, 2},
                                              {"energy", Align::right},
                                              {"from readings", Align::right},
                                              {"counter", Align::right},
                                              {"difference", Align::right}};
  if (idle) headings.push_back({"above idle", Align::right});
  TextTable table(headings);
  bool uncorrected = false;  // some readings or counters are shown without their correction
  const auto rows = [&](const meter::DeviceGroup& group) {
    for (std::size_t i = 0; i < group.total.sources.size(); ++i) {
      const meter::DeviceMeasurement& source = group.total.sources[i];
      const meter::SpanReport& report = source.report;
      uncorrected = uncorrected || (is_corrected(report) && (report.integrated || report.counted));
      std::vector<std::string> cells = {
          report.device.id,
          report.device.name + (report.simulated ? " (simulated)" : ""),
          std::string(report.sensor ? device::name_of(report.sensor->field) : "energy_counter"),
          std::to_string(report.samples),
          std::to_string(report.dropped),
          to_text(source.energy),
          report.integrated && *report.integrated > Joules{0} ? to_text(*report.integrated) : "-",
          report.counted ? to_text(*report.counted) : "-",
          source.counter_discrepancy ? signed_percent(*source.counter_discrepancy) : "-"};
      if (idle) {
        const meter::DeviceMeasurement& net = group.above_idle->net.sources[i];
        cells.push_back(with_uncertainty(net.energy, uncertainty_of(net)));
      }
      table.row(std::move(cells));
    }
  };
  rows(measurement.selected);
  if (measurement.processors) rows(*measurement.processors);
  const char* const remark = "\nfrom readings, counter: without the correction of gain and offset\n";
  return table.text(style) + (uncorrected ? remark : "");
}

// The measurement whose validity counts: a net energy depends on idle power too.
const meter::Measurement& reported_of(const meter::DeviceGroup& group) {
  return group.above_idle ? group.above_idle->net : group.total;
}

// Energy in total, of idle devices over the same window, and above idle.
std::string energy_text(const meter::DeviceGroup& group) {
  const meter::Measurement& total = group.total;
  std::string text =
      fmt::format("energy      {} (95 % interval){}\n            +- {} between runs on this board\n",
                  with_uncertainty(total.energy, total.uncertainty), total.simulated ? ", simulated" : "",
                  to_text(total.statistical));
  if (!group.above_idle) return text;
  const meter::AboveIdle& above = *group.above_idle;
  return text +
         fmt::format("idle        {} in the same time ({:.1f} W +- {:.1f} W for {} before)\nabove idle  {}\n",
                     with_uncertainty(above.idle, above.uncertainty), above.idle_power.si(),
                     above.idle_deviation.si(), to_text(above.idle_window), above_idle_text(above));
}

}  // namespace

std::string measurement_text(const meter::GroupedMeasurement& measurement, const TableStyle& style) {
  const meter::Measurement& total = measurement.selected.total;
  std::string text = energy_text(measurement.selected);
  text += fmt::format("duration    {}\n", to_text(total.duration));
  text += fmt::format("power       mean {}, peak {}\n", to_text(total.mean), to_text(total.peak));
  if (measurement.processors) {
    const meter::DeviceGroup& processors = *measurement.processors;
    text += fmt::format("processors  {}\n",
                        with_uncertainty(processors.total.energy, processors.total.uncertainty));
    if (processors.above_idle)
      text += fmt::format("            above idle: {}\n", above_idle_text(*processors.above_idle));
    for (const meter::Reason& reason : reported_of(processors).reasons)
      text += fmt::format("            not valid: {}\n", wrapped(reason.code + ": " + reason.text, 14, 23));
  }
  const meter::Measurement& reported = reported_of(measurement.selected);
  text += fmt::format("valid       {}\n", reported.valid() ? "yes" : "no");
  for (const meter::Reason& reason : reported.reasons)
    text += fmt::format("            {}\n", wrapped(reason.code + ": " + reason.text, 14, 12));
  for (const meter::Reason& note : total.notes) {
    text += fmt::format("note        {}\n", wrapped(note.text, 14, 12));
  }
  return text + "\n" + devices_table(measurement, style);
}

}  // namespace ergon::report
