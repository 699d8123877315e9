#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "profile/composition_csv.h"
#include "profile/row_csv.h"

namespace ergon::profile {
namespace {

// Any text without line breaks, which are not preserved.
rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::arbitrary<std::string>(), [](std::string text) {
    std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
    return text;
  });
}
rc::Gen<std::string> any_name() {
  return rc::gen::map(any_text(), [](const std::string& text) { return "n" + text; });
}
rc::Gen<std::int64_t> any_count() { return rc::gen::inRange<std::int64_t>(0, INT64_MAX); }

double any_number() {
  return std::ldexp(static_cast<double>(*rc::gen::inRange<std::int64_t>(0, 1LL << 53)),
                    *rc::gen::inRange(-400, 300));
}
template <typename Quantity>
void maybe(std::optional<Quantity>& value) {
  if (*rc::gen::arbitrary<bool>()) value = Quantity{any_number()};
}
// From `lowest` to `highest`.
template <typename Quantity>
void maybe_within(std::optional<Quantity>& value, double lowest, double highest) {
  const double share = static_cast<double>(*rc::gen::inRange<std::int64_t>(0, (1LL << 53) + 1)) / 0x1p53;
  if (*rc::gen::arbitrary<bool>()) value = Quantity{lowest + share * (highest - lowest)};
}

Row any_row() {
  Row row;
  const bool network = *rc::gen::arbitrary<bool>();
  row.subject.kind = network ? Subject::Kind::network : Subject::Kind::operation;
  row.subject.id = *any_name();
  row.subject.name = network ? row.subject.id : *any_text();
  if (!network) row.subject.attributes = *any_text();
  row.subject.inputs = *any_text();
  row.condition = {
      1 + *rc::gen::inRange<std::int64_t>(0, 1 << 20),
      *rc::gen::element(graph::Mode::inference, graph::Mode::training),
      *rc::gen::elementOf(std::vector(std::begin(device::kPrecisions), std::end(device::kPrecisions))),
      *rc::gen::element(Layout::nchw, Layout::nhwc)};
  row.launch = *rc::gen::element(Launch::eager, Launch::replay);
  row.status =
      *rc::gen::element(Status::measured, Status::out_of_memory, Status::unsupported, Status::failed);
  for (std::string* text : {&row.device, &row.detail}) *text = *any_text();
  for (std::int64_t* count :
       {&row.repeat, &row.iterations, &row.instances, &row.readings, &row.readings_dropped, &row.macs,
        &row.flops, &row.bytes, &row.weight_bytes, &row.session}) {
    *count = *any_count();
  }
  for (auto* time : {&row.time, &row.time_deviation, &row.host_time}) maybe(*time);
  maybe_within(row.power, 0, 5000);
  maybe(row.power_deviation);
  for (auto* energy : {&row.energy, &row.energy_uncertainty, &row.energy_statistical}) maybe(*energy);
  for (auto* clock : {&row.requested_clock, &row.clock_min, &row.clock_max}) maybe_within(*clock, 0, 10e9);
  for (auto* temperature : {&row.temperature_before, &row.temperature_after})
    maybe_within(*temperature, -40, 150);
  maybe(row.proportion);
  row.valid = *rc::gen::arbitrary<bool>();
  row.simulated = *rc::gen::arbitrary<bool>();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) row.reasons.push_back("reason_" + std::to_string(i));
  row.at = Timestamp{*rc::gen::inRange<std::int64_t>(-9214560000'000'000'000, 9214646399'999'999'999)};
  return row;
}

double number_of(double number) { return number; }
template <typename Q>
double number_of(Q quantity) {
  return quantity.si();
}

// Nine digits are preserved.
template <typename Value>
void expect_near(const std::optional<Value>& read, const std::optional<Value>& written) {
  RC_ASSERT(read.has_value() == written.has_value());
  if (written) RC_ASSERT(std::abs(number_of(*read) - number_of(*written)) <= 1e-8 * number_of(*written));
}

RC_GTEST_PROP(RowCsvProperty, ReadsBack, ()) {
  const Row row = any_row();
  const auto line = row_line(row);
  RC_ASSERT(static_cast<bool>(line));
  const auto rows = parse_rows(row_header(row.subject.kind) + *line, "", row.subject.kind);
  RC_ASSERT(static_cast<bool>(rows));
  RC_ASSERT(rows->size() == 1u);
  const Row& back = rows->front();
  RC_ASSERT(*row_line(back) == *line);
  RC_ASSERT(back.key() == row.key());
  RC_ASSERT(back.subject.name == row.subject.name);
  RC_ASSERT(back.subject.attributes == row.subject.attributes);
  RC_ASSERT(back.subject.inputs == row.subject.inputs);
  RC_ASSERT(back.status == row.status);
  RC_ASSERT(back.detail == row.detail);
  expect_near(back.time, row.time);
  expect_near(back.time_deviation, row.time_deviation);
  expect_near(back.host_time, row.host_time);
  expect_near(back.proportion, row.proportion);
  expect_near(back.power, row.power);
  expect_near(back.power_deviation, row.power_deviation);
  expect_near(back.energy, row.energy);
  expect_near(back.energy_uncertainty, row.energy_uncertainty);
  expect_near(back.energy_statistical, row.energy_statistical);
  RC_ASSERT(back.clock_min == row.clock_min);
  RC_ASSERT(back.clock_max == row.clock_max);
  RC_ASSERT(back.temperature_before == row.temperature_before);
  RC_ASSERT(back.temperature_after == row.temperature_after);
  RC_ASSERT(back.readings == row.readings);
  RC_ASSERT(back.readings_dropped == row.readings_dropped);
  RC_ASSERT(back.iterations == row.iterations);
  RC_ASSERT(back.instances == row.instances);
  RC_ASSERT(back.macs == row.macs);
  RC_ASSERT(back.flops == row.flops);
  RC_ASSERT(back.bytes == row.bytes);
  RC_ASSERT(back.weight_bytes == row.weight_bytes);
  RC_ASSERT(back.valid == row.valid);
  RC_ASSERT(back.simulated == row.simulated);
  RC_ASSERT(back.reasons == row.reasons);
  RC_ASSERT(back.at == row.at);
  RC_ASSERT(back.session == row.session);
}

Composition any_composition() {
  Composition one{*any_name(),
                  1 + *rc::gen::inRange<std::int64_t>(0, 1000),
                  *rc::gen::element(graph::Mode::inference, graph::Mode::training),
                  {}};
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) one.parts.push_back({*any_name(), *any_count()});
  return one;
}

// For any truncation, complete compositions are read, and `whole` is the end of the last.
RC_GTEST_PROP(CompositionCsvProperty, IsReadUpToTheLastCompleteOne, ()) {
  std::string text = composition_header();
  std::vector<std::string> ones;
  std::vector<std::size_t> ends{text.size()};
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    ones.push_back(composition_lines(any_composition()));
    text += ones.back();
    ends.push_back(text.size());
  }
  const auto length = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
  // Lines are complete by contract.
  const std::size_t last_line = length == 0 ? std::string::npos : text.rfind('\n', length - 1);
  const std::string_view cut =
      last_line == std::string::npos ? std::string_view() : std::string_view(text).substr(0, last_line + 1);
  const auto parsed = parse_compositions(cut, "");
  RC_ASSERT(static_cast<bool>(parsed));
  std::size_t whole = 0;
  while (whole + 1 < ends.size() && ends[whole + 1] <= cut.size()) ++whole;
  RC_ASSERT(parsed->compositions.size() == whole);
  if (!cut.empty()) RC_ASSERT(parsed->whole == ends[whole]);
  for (std::size_t i = 0; i < whole; ++i) RC_ASSERT(composition_lines(parsed->compositions[i]) == ones[i]);
}

}  // namespace
}  // namespace ergon::profile
