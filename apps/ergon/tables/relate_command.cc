#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/statistics/correlation_interval.h"
#include "base/statistics/least_squares.h"
#include "base/statistics/loess.h"
#include "base/text.h"
#include "report/text_plot.h"
#include "table/number_pairs.h"
#include "tables/table_commands.h"
#include "tables/table_files.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;
using statistics::Interval;

struct RelateSettings {
  std::string file;
  std::string x;
  std::string y;
  bool log_x = false;
  double span = statistics::LoessOptions{}.span;
  std::uint64_t seed = 1;
  ReadSettings read;
};

std::string interval_text(const std::optional<Interval>& interval, std::string_view method) {
  if (!interval) return "undefined (a column is constant, or its values are too large)";
  return fmt::format("{:+.3f}  (95 % interval {:+.3f} to {:+.3f}, {})", interval->estimate, interval->low,
                     interval->high, method);
}

Json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {{"estimate", interval->estimate}, {"low", interval->low}, {"high", interval->high}};
}

Result<int> relate(const RelateSettings& settings, Shell& shell) {
  const auto read = settings.read.read(settings.file, shell);
  if (!read) return read.error();
  const auto pairs = table::number_pairs(read->table, settings.x, settings.y, settings.log_x);
  if (!pairs) return pairs.error().in(settings.file);
  const statistics::LoessOptions fit{.span = settings.span};
  const auto loess = statistics::Loess::fit(pairs->x, pairs->y, fit);
  if (!loess) return loess.error().in(settings.file);
  const auto correlation = [&](statistics::CorrelationKind kind) {
    return statistics::correlation_interval(kind, pairs->x, pairs->y, settings.seed, shell.stop());
  };
  const auto pearson = correlation(statistics::CorrelationKind::pearson);
  const auto spearman = correlation(statistics::CorrelationKind::spearman);
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  const std::string_view method = name_of(statistics::correlation_interval_method(pairs->x.size()));
  const auto line = statistics::fit_line(pairs->x, pairs->y);
  const std::string x_title = settings.log_x ? fmt::format("log10({})", settings.x) : settings.x;

  Result<> printed;
  if (shell.json) {
    Json curve = Json::array();
    for (const auto& point : loess->curve(61)) {
      curve.push_back({{"x", point.x}, {"fit", point.fit}, {"low", point.low}, {"high", point.high}});
    }
    Json body = {{"x", x_title},
                 {"y", settings.y},
                 {"pairs", pairs->x.size()},
                 {"dropped", pairs->dropped},
                 {"seed", settings.seed},
                 {"interval_method", method},
                 {"pearson", interval_json(pearson)},
                 {"spearman", interval_json(spearman)}};
    body["line"] = line ? Json{{"slope", line->slope},
                               {"slope_error", line->slope_error},
                               {"intercept", line->intercept},
                               {"intercept_error", line->intercept_error},
                               {"r_squared", line->r_squared}}
                        : Json(nullptr);
    body["loess"] = {{"span", settings.span},
                     {"degree", fit.degree},
                     {"confidence", fit.confidence},
                     {"residual_deviation", loess->residual_deviation()},
                     {"curve", curve}};
    printed = shell.print_document("ergon.table.relate/1", {settings.file}, body, is_simulated(read->table));
  } else {
    std::string out = fmt::format("{} against {}: {}, {} with a missing value\n\n", settings.y, x_title,
                                  counted(pairs->x.size(), "pair"), counted(pairs->dropped, "row"));
    out += fmt::format("Pearson   {}\nSpearman  {}\n", interval_text(pearson, method),
                       interval_text(spearman, method));
    if (line) {
      out += fmt::format("line      {} = {} + {} x, slope +- {}, R^2 {:.3f}\n", settings.y,
                         rounded_text(line->intercept, 5), rounded_text(line->slope, 5),
                         rounded_text(line->slope_error, 2), line->r_squared);
    }
    out +=
        fmt::format("curve     LOESS, span {}, 95 % band ('.' point, ':' several, '#' curve, '-' band)\n\n",
                    settings.span);
    const auto curve = loess->curve(200);
    out += report::scatter_plot(pairs->x, pairs->y, curve, {.x_title = x_title, .y_title = settings.y});
    printed = shell.print_report(out);
  }
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command relate_command() {
  return {
      .name = "relate",
      .summary = "relation of two columns: correlations, least-squares line, LOESS curve",
      .description = "Plots the points with a LOESS curve and its 95 % confidence band.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<RelateSettings>();
        options.argument("FILE", settings->file, "CSV file, or - for standard input");
        options.argument("X", settings->x, "independent column");
        options.argument("Y", settings->y, "dependent column");
        options.flag("--log-x", settings->log_x, "use the decimal logarithm of X");
        options.number("--span", settings->span, 0.05, 10,
                       "share of the points in each local fit (default: 0.75)");
        options.count("--seed", settings->seed, "seed of the bootstrap (default: 1)");
        settings->read.declare(options);
        return [settings](Shell& shell) { return relate(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
