#include "table/number_pairs.h"

#include <cmath>

namespace ergon::table {

Result<NumberPairs> number_pairs(const Table& table, const std::string& x, const std::string& y, bool log_x) {
  const auto x_column = table.number_column(x);
  if (!x_column) return x_column.error();
  const auto y_column = table.number_column(y);
  if (!y_column) return y_column.error();
  NumberPairs pairs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if ((*x_column)->missing(row) || (*y_column)->missing(row)) {
      ++pairs.dropped;
      continue;
    }
    const double at = (*x_column)->number_at(row);
    if (log_x && !(at > 0))
      return fail(Errc::invalid_input, "--log-x needs positive values; \"{}\" contains {}", x, at);
    pairs.x.push_back(log_x ? std::log10(at) : at);
    pairs.y.push_back((*y_column)->number_at(row));
  }
  return pairs;
}

}  // namespace ergon::table
