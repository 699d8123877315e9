#include "fleet/synthetic/row_file.h"

#include <array>
#include <charconv>

namespace ergon::fleet::synthetic {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::int64_t kNsPerMillisecond = 1'000'000, kMsPerSecond = 1000, kNsPerSecond = 1'000'000'000;
constexpr std::size_t kToTheSecond = std::string_view("2018-11-08T07:41:30").size();

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

Result<RowFile> RowFile::create(const std::filesystem::path& path, std::string_view header) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  RowFile rows(std::move(*file));
  rows.text_.reserve(kBuffer + kBuffer / 8);
  rows.text_ = header;
  return rows;
}

Result<> RowFile::end_row() {
  text_ += '\n';
  ++rows_;
  if (text_.size() < kBuffer) return {};
  return flush();
}

Result<> RowFile::flush() {
  bytes_ += text_.size();
  auto written = file_.write(text_);
  text_.clear();
  return written;
}

Result<> RowFile::commit() {
  if (auto written = flush(); !written) return written;
  return file_.commit();
}

TimestampText::TimestampText(Timestamp start) : start_ms_(floor_divided(start.ns, kNsPerMillisecond)) {}

void TimestampText::append(Instant moment, std::string& to) {
  const std::int64_t ms = start_ms_ + floor_divided(moment.ns, kNsPerMillisecond);
  const std::int64_t second = floor_divided(ms, kMsPerSecond);
  if (second != second_) {
    second_ = second;
    text_ = '"' + to_text(Timestamp{second * kNsPerSecond}).substr(0, kToTheSecond) + ".000Z\"";
  }
  const auto digit = [](std::int64_t value) { return static_cast<char>('0' + value % 10); };
  const std::int64_t fraction = ms - second * kMsPerSecond;
  char* digits = text_.data() + 1 + kToTheSecond + 1;
  digits[0] = digit(fraction / 100);
  digits[1] = digit(fraction / 10);
  digits[2] = digit(fraction);
  to += text_;
}

void append_number(std::int64_t number, std::string& to) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  to.append(digits.data(), end);
}

void append_hundredths(std::int64_t hundredths, std::string& to) {
  append_number(hundredths / 100, to);
  const auto fraction = static_cast<int>(hundredths % 100);
  if (fraction == 0) return;
  to += '.';
  to += static_cast<char>('0' + fraction / 10);
  if (fraction % 10 != 0) to += static_cast<char>('0' + fraction % 10);
}

}  // namespace ergon::fleet::synthetic
