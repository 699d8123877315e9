#include "graph/topology.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::graph {
namespace {

constexpr std::size_t kMaxLine = 65536;

std::int64_t positions_of(std::int64_t input, std::int64_t filter, std::int64_t stride) {
  return (input - filter + stride + stride - 1) / stride;
}

// Cells of a row, without the empty cells after trailing commas.
std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (const std::string_view cell : split(line, ',')) cells.push_back(trim(cell));
  while (!cells.empty() && cells.back().empty()) cells.pop_back();
  return cells;
}

struct LayerRow {
  std::string_view name;
  std::vector<std::int64_t> numbers;
};

// "1:1": SCALE-Sim v3's N:M sparsity.
Result<bool> is_dense_ratio(std::string_view cell) {
  const auto colon = cell.find(':');
  if (colon == std::string_view::npos) return false;
  const auto nonzero = parse_int64(trim(cell.substr(0, colon))),
             of = parse_int64(trim(cell.substr(colon + 1)));
  if (nonzero && of && *nonzero == *of && *nonzero > 0) return true;
  return fail(Errc::unsupported, "sparsity {} is not supported (only 1:1)", printable(cell));
}

// Name of a column, for messages.
std::string_view field_name(TopologyForm form, std::size_t field) {
  constexpr std::array<std::string_view, 8> kConvolution = {"input height", "input width", "filter height",
                                                            "filter width", "channels",    "filters",
                                                            "stride",       "stride width"};
  constexpr std::array<std::string_view, 3> kProduct = {"M", "N", "K"};
  if (form == TopologyForm::products) return field < kProduct.size() ? kProduct[field] : "the field after K";
  return field < kConvolution.size() ? kConvolution[field] : "the field after the strides";
}

Result<LayerRow> row_of(std::vector<std::string_view> cells, TopologyForm form) {
  LayerRow row{cells[0], {}};
  const auto dense = is_dense_ratio(cells.back());
  if (!dense) return dense.error().in(fmt::format("layer \"{}\"", printable(row.name)));
  if (*dense) cells.pop_back();
  if (row.name.empty()) return fail(Errc::invalid_input, "the layer has no name");
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const auto number = parse_int64(cells[i]);
    const auto wrong = [&](std::string_view what) {
      return fail(Errc::invalid_input, "layer \"{}\": {} {}", printable(row.name), field_name(form, i - 1),
                  what);
    };
    if (!number && cells[i].find_first_not_of("0123456789") == std::string_view::npos) {
      return wrong(fmt::format("{} is too large (at most 2^40)", printable(cells[i])));
    }
    if (!number) return wrong(fmt::format("\"{}\" is not a whole number", printable(cells[i])));
    if (*number < 1) return wrong(fmt::format("must be at least 1, not {}", *number));
    if (*number > std::int64_t{1} << 40) return wrong(fmt::format("{} is too large (at most 2^40)", *number));
    row.numbers.push_back(*number);
  }
  return row;
}

Error wrong_count(const LayerRow& row, std::string_view expected) {
  return fail(Errc::invalid_input, "layer \"{}\" has {} numbers; expected {}", printable(row.name),
              row.numbers.size(), expected);
}

Result<TopologyConv> conv_of(const LayerRow& row) {
  const auto& n = row.numbers;
  if (n.size() != 7 && n.size() != 8) {
    return wrong_count(row, "7: input height and width, filter height and width, channels, filters, stride");
  }
  TopologyConv conv{std::string(row.name),      n[0], n[1], n[2], n[3], n[4], n[5], n[6],
                    n.size() == 8 ? n[7] : n[6]};
  if (conv.filter_height > conv.input_height || conv.filter_width > conv.input_width) {
    return fail(Errc::invalid_input, "layer \"{}\": a filter of {} x {} does not fit in {} x {}",
                printable(row.name), conv.filter_height, conv.filter_width, conv.input_height,
                conv.input_width);
  }
  return conv;
}

Result<TopologyGemm> gemm_of(const LayerRow& row) {
  if (row.numbers.size() != 3) return wrong_count(row, "3: M, N, K");
  return TopologyGemm{std::string(row.name), row.numbers[0], row.numbers[1], row.numbers[2]};
}

bool is_layer(const std::vector<std::string_view>& cells) {
  return cells.size() >= 4 && std::all_of(cells.begin() + 1, cells.end(), [](std::string_view cell) {
           return parse_int64(cell).has_value();
         });
}

// The header tells the form. SCALE-Sim releases differ in wording, not in columns.
Result<TopologyForm> form_of(const std::vector<std::string_view>& header) {
  if (header.size() == 4 && lower(header[1]) == "m") return TopologyForm::products;
  const bool conv =
      header.size() >= 8 && std::any_of(header.begin() + 1, header.end(), [](std::string_view cell) {
        return lower(cell).find("filter") != std::string::npos;
      });
  if (conv) return TopologyForm::convolutions;
  return fail(Errc::invalid_input,
              "unknown header: expected \"Layer, M, N, K\" or \"Layer name, IFMAP Height, IFMAP Width, "
              "Filter Height, Filter Width, Channels, Num Filter, Strides\"");
}

Result<> add_row(Topology& topology, TopologyForm form, const std::vector<std::string_view>& cells) {
  const auto row = row_of(cells, form);
  if (!row) return row.error();
  if (form == TopologyForm::products) {
    auto gemm = gemm_of(*row);
    if (!gemm) return gemm.error();
    topology.products.push_back(std::move(*gemm));
    return {};
  }
  auto conv = conv_of(*row);
  if (!conv) return conv.error();
  topology.convolutions.push_back(std::move(*conv));
  return {};
}

}  // namespace

std::string_view name_of(TopologyForm form) { return form == TopologyForm::products ? "gemm" : "conv"; }

std::int64_t TopologyConv::output_height() const {
  return positions_of(input_height, filter_height, stride_height);
}

std::int64_t TopologyConv::output_width() const {
  return positions_of(input_width, filter_width, stride_width);
}

Result<Topology> parse_topology(std::string_view text, std::string_view source,
                                const TopologyParseOptions& options) {
  Topology topology;
  std::optional<TopologyForm> form;
  std::size_t columns = 0;
  std::set<std::string, std::less<>> names;
  std::size_t line_number = 0;
  const auto at_line = [&](const Error& error) {
    return error.in(fmt::format("{}:{}", source, line_number));
  };
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    ++line_number;
    if (line.size() > kMaxLine)
      return at_line(fail(Errc::invalid_input, "the line is longer than {} bytes", kMaxLine));
    const auto cells = cells_of(line);
    if (cells.empty()) continue;
    if (!form) {
      columns = cells.size();
      if (is_layer(cells)) {
        return at_line(
            fail(Errc::invalid_input, "a layer instead of a header; SCALE-Sim would skip this line"));
      }
      const auto found = form_of(cells);
      if (!found && !options.form && !options.fallback) return at_line(found.error());
      form = options.form ? options.form : found ? std::optional(*found) : options.fallback;
      columns = std::max<std::size_t>(columns, *form == TopologyForm::products ? 4 : 8);
      continue;
    }
    if (cells.size() > columns + 1 ||
        (cells.size() > columns && cells.back().find(':') == std::string_view::npos)) {
      return at_line(fail(Errc::invalid_input,
                          "{} fields for {} columns of the header (names cannot contain commas)",
                          cells.size(), columns));
    }
    if (topology.convolutions.size() + topology.products.size() >= options.limits.layers)
      return at_line(fail(Errc::invalid_input, "more than {} layers; {}", options.limits.layers,
                          how_to_raise("layers", "N")));
    if (const auto added = add_row(topology, *form, cells); !added) return at_line(added.error());
    if (!options.repeated_names && !names.emplace(cells[0]).second) {
      return at_line(fail(Errc::invalid_input, "duplicate layer \"{}\"", printable(cells[0])));
    }
  }
  if (topology.convolutions.empty() && topology.products.empty()) {
    return fail(Errc::invalid_input, "{}: the file has no layers", source);
  }
  return topology;
}

std::string to_csv(const Topology& topology) {
  std::string text;
  if (!topology.products.empty()) {
    text = "Layer, M, N, K,\n";
    for (const TopologyGemm& row : topology.products) {
      text += fmt::format("{}, {}, {}, {},\n", row.name, row.m, row.n, row.k);
    }
    return text;
  }
  const bool square =
      std::all_of(topology.convolutions.begin(), topology.convolutions.end(),
                  [](const TopologyConv& row) { return row.stride_height == row.stride_width; });
  text = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, ";
  text += square ? "Strides,\n" : "Stride Height, Stride Width,\n";
  for (const TopologyConv& row : topology.convolutions) {
    text += fmt::format("{}, {}, {}, {}, {}, {}, {}, {},", row.name, row.input_height, row.input_width,
                        row.filter_height, row.filter_width, row.channels, row.filters, row.stride_height);
    text += square ? "\n" : fmt::format(" {},\n", row.stride_width);
  }
  return text;
}

}  // namespace ergon::graph
