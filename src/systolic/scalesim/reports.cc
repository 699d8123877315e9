#include "systolic/scalesim/reports.h"

#include <iterator>

#include <fmt/format.h>

#include "base/file.h"

namespace ergon::systolic::scalesim {
namespace {

double rate(std::int64_t words, std::int64_t cycles) {
  return static_cast<double>(words) / static_cast<double>(cycles);
}

double dram_rate(const Accesses& accesses) {
  return rate(accesses.words, accesses.stop - accesses.start + 1);
}

template <typename... Args>
void add(std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
}

}  // namespace

std::string python_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".eni") == std::string::npos) text += ".0";
  return text;
}

std::string compute_report(std::span<const LayerRun> layers, Semantics semantics) {
  const bool with_prefetch = semantics == Semantics::v3 || semantics == Semantics::ergon;
  std::string text = fmt::format(
      "LayerID, {}Total Cycles, Stall Cycles, Overall Util %, Mapping Efficiency %, Compute Util %,\n",
      with_prefetch ? "Total Cycles (incl. prefetch), " : "");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerRun& layer = layers[i];
    add(text, "{}, ", i);
    if (with_prefetch) add(text, "{}, ", layer.timing.cycles_with_prefetch);
    add(text, "{}, {}, {}, {}, {},\n", layer.timing.total_cycles, layer.timing.stall_cycles,
        python_text(layer.overall_utilization()), python_text(layer.mapping_efficiency),
        python_text(layer.compute_utilization));
  }
  return text;
}

std::string bandwidth_report(std::span<const LayerRun> layers) {
  std::string text =
      "LayerID, Avg IFMAP SRAM BW, Avg FILTER SRAM BW, Avg OFMAP SRAM BW, Avg IFMAP DRAM BW, Avg FILTER DRAM "
      "BW, Avg OFMAP DRAM BW,\n";
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerTiming& t = layers[i].timing;
    add(text, "{}, {}, {}, {}, {}, {}, {},\n", i, python_text(rate(t.sram_ifmap.words, t.total_cycles)),
        python_text(rate(t.sram_filter.words, t.total_cycles)),
        python_text(rate(t.sram_ofmap.words, t.total_cycles)), python_text(dram_rate(t.dram_ifmap)),
        python_text(dram_rate(t.dram_filter)), python_text(dram_rate(t.dram_ofmap)));
  }
  return text;
}

std::string access_report(std::span<const LayerRun> layers) {
  std::string text =
      "LayerID, SRAM IFMAP Start Cycle, SRAM IFMAP Stop Cycle, SRAM IFMAP Reads, SRAM Filter Start Cycle, "
      "SRAM "
      "Filter Stop Cycle, SRAM Filter Reads, SRAM OFMAP Start Cycle, SRAM OFMAP Stop Cycle, SRAM OFMAP "
      "Writes, "
      "DRAM IFMAP Start Cycle, DRAM IFMAP Stop Cycle, DRAM IFMAP Reads, DRAM Filter Start Cycle, DRAM Filter "
      "Stop Cycle, DRAM Filter Reads, DRAM OFMAP Start Cycle, DRAM OFMAP Stop Cycle, DRAM OFMAP Writes,\n";
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerTiming& t = layers[i].timing;
    add(text, "{}, ", i);
    const Accesses* columns[] = {&t.sram_ifmap, &t.sram_filter, &t.sram_ofmap,
                                 &t.dram_ifmap, &t.dram_filter, &t.dram_ofmap};
    for (const Accesses* accesses : columns) {
      add(text, "{}.0, {}.0, {},{}", accesses->start, accesses->stop, accesses->words,
          accesses == &t.dram_ofmap ? "\n" : " ");
    }
  }
  return text;
}

Result<> write_reports(const std::filesystem::path& folder, std::span<const LayerRun> layers,
                       Semantics semantics) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return fail(Errc::io, "{}: {}", folder.string(), failed.message());
  const std::pair<const char*, std::string> reports[] = {
      {"COMPUTE_REPORT.csv", compute_report(layers, semantics)},
      {"BANDWIDTH_REPORT.csv", bandwidth_report(layers)},
      {"DETAILED_ACCESS_REPORT.csv", access_report(layers)}};
  for (const auto& [name, text] : reports) {
    if (auto written = write_file(folder / name, text); !written) return written;
  }
  return {};
}

}  // namespace ergon::systolic::scalesim
