#include "fleet/summary/gpu_means.h"

#include "fleet/reading/columns.h"
#include "fleet/reading/sample_reader.h"
#include "fleet/reading/values.h"
#include "table/csv/read.h"

namespace ergon::fleet {

Result<std::vector<GpuMeans>> read_gpu_means(const std::string& file) {
  // Read identities as text, to keep leading zeros.
  table::CsvOptions csv;
  for (const char* column : {"hostname", "host", "gpuUUID", "uuid", "gpuSerial", "serial"})
    csv.types[column] = table::Type::text;
  csv.types_must_exist = false;
  const auto read = table::read_csv(file, csv);
  if (!read) return read.error();
  const auto roles = means_roles();
  const std::vector<std::string> names(read->table.names().begin(), read->table.names().end());
  const auto columns_found = find_columns(roles, names, {});
  if (!columns_found) return columns_found.error().in(file);
  const auto columns = read->table.columns();
  const auto column = [&](std::size_t role) {
    return (*columns_found)[role] == kAbsent ? nullptr : &columns[(*columns_found)[role]];
  };
  constexpr std::size_t kFirstMetric = 2, kSimulated = kFirstMetric + kMetrics;
  std::vector<GpuMeans> all(read->table.rows());
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (const auto* host = column(0)) all[row].host = host->cell(row);
    if (const auto* uuid = column(1)) all[row].uuid = uuid->cell(row);
    if (const auto* simulated = column(kSimulated))
      all[row].simulated = is_simulated_mark(simulated->cell(row));
    for (std::size_t m = 0; m < kMetrics; ++m) {
      const table::Column& values = *column(kFirstMetric + m);
      if (!values.numeric())
        return fail(Errc::invalid_input, "{}: column {} is not numeric", file, kMetricNames[m]);
      if (values.missing(row)) continue;
      const double mean = values.number_at(row);
      if (!(mean >= kPlausibleRanges[m].min && mean <= kPlausibleRanges[m].max))
        return fail(Errc::invalid_input, "{}, row {}: {}", file, row + 1,
                    out_of_range_text(kAllMetrics[m], values.cell(row)));
      all[row].mean[m] = mean;
    }
  }
  return all;
}

}  // namespace ergon::fleet
