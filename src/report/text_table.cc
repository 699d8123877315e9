#include "report/text_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/contract.h"
#include "base/text.h"
#include "report/wrapped_text.h"

namespace ergon::report {
namespace {

constexpr std::size_t kGap = 2;               // blanks between columns
constexpr std::size_t kMinWrappedWidth = 14;  // narrower columns are hard to read

std::vector<std::string> wrapped_cell(const std::string& cell, std::size_t width) {
  if (display_width(cell) <= width) return {cell};
  const std::string text = wrapped_words(cell, width);
  std::vector<std::string> lines;
  for (const std::string_view line : split(trim(text), '\n')) lines.emplace_back(line);
  return lines;
}

template <typename Columns>
std::size_t total_width(const Columns& columns) {
  std::size_t width = kGap * (columns.size() - 1);
  for (const auto& column : columns) width += column.width;
  return width;
}

}  // namespace

TextTable::TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

void TextTable::row(std::vector<std::string> cells) {
  ERGON_EXPECTS(cells.size() == headings_.size());
  rows_.push_back(std::move(cells));
}

std::vector<TextTable::Column> TextTable::all_columns() const {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    std::size_t width = display_width(headings_[i].text), word = longest_word(headings_[i].text);
    for (const auto& row : rows_) {
      width = std::max(width, display_width(row[i]));
      word = std::max(word, longest_word(row[i]));
    }
    const bool may_wrap = headings_[i].align == Align::left;
    columns.push_back({i, width, may_wrap ? std::min(width, std::max(word, kMinWrappedWidth)) : width});
  }
  return columns;
}

std::vector<TextTable::Column> TextTable::fitting_columns(const TableStyle& style) const {
  std::vector<Column> columns = all_columns();
  if (!style.width) return columns;
  const auto min_total = [&] {
    std::size_t width = kGap * (columns.size() - 1);
    for (const Column& column : columns) width += column.min_width;
    return width;
  };
  // Ranked columns are dropped before anything is wrapped, essential columns only if wrapping is not enough.
  for (;;) {
    auto dropped = columns.begin();
    for (auto it = columns.begin() + 1; it < columns.end(); ++it) {
      if (dropped == columns.begin() || headings_[it->index].rank >= headings_[dropped->index].rank)
        dropped = it;
    }
    if (dropped == columns.begin()) break;
    const bool ranked = headings_[dropped->index].rank > 0;
    if ((ranked ? total_width(columns) : min_total()) <= *style.width) break;
    columns.erase(dropped);
  }
  // The widest text gives way first.
  while (total_width(columns) > *style.width) {
    Column* widest = nullptr;
    for (Column& column : columns) {
      const bool shrinks = column.width > column.min_width;
      if (shrinks && (widest == nullptr || column.width > widest->width)) widest = &column;
    }
    if (widest == nullptr) break;
    --widest->width;
  }
  return columns;
}

std::string TextTable::row_text(const std::vector<Column>& columns,
                                const std::vector<std::string>& cells) const {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t lines = 1;
  for (const Column& column : columns) {
    wrapped.push_back(wrapped_cell(cells[column.index], column.width));
    lines = std::max(lines, wrapped.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < lines; ++line) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string cell = line < wrapped[i].size() ? wrapped[i][line] : "";
      const std::string padding(columns[i].width - std::min(columns[i].width, display_width(cell)), ' ');
      if (i > 0) text += std::string(kGap, ' ');
      text += headings_[columns[i].index].align == Align::left ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string TextTable::dropped_columns_text(const std::vector<Column>& shown, const TableStyle& style) const {
  std::vector<std::string> dropped;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    const auto is_shown = [i](const Column& column) { return column.index == i; };
    if (std::none_of(shown.begin(), shown.end(), is_shown)) dropped.push_back(headings_[i].text);
  }
  if (dropped.empty()) return "";
  const std::string words =
      fmt::format("(not shown: {}; --wide shows all columns)", fmt::join(dropped, ", "));
  return wrapped_words(words, *style.width, "", 1);
}

std::string TextTable::text(const TableStyle& style) const {
  const std::vector<Column> columns = fitting_columns(style);
  std::vector<std::string> heading_cells, dashes(headings_.size());
  for (const Heading& heading : headings_) heading_cells.push_back(heading.text);
  for (const Column& column : columns) dashes[column.index] = std::string(column.width, '-');
  const std::string heading = row_text(columns, heading_cells);
  std::string out;
  if (style.bold) {
    out += "\x1b[1m" + heading.substr(0, heading.size() - 1) + "\x1b[0m\n";
  } else {
    out += heading + row_text(columns, dashes);
  }
  for (const auto& row : rows_) out += row_text(columns, row);
  return out + dropped_columns_text(columns, style);
}

}  // namespace ergon::report
