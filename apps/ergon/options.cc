#include "options.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "graph/cost.h"
#include "help.h"

namespace ergon::app {
namespace {

// The library prefixes the message with "OPTION: ".
CLI::Validator validator(Options::Parser check) {
  CLI::Validator result;
  result.operation([check = std::move(check)](std::string& text) {
    const auto checked = check(text);
    return checked ? std::string() : checked.error().message;
  });
  return result;
}

// The position of a word in the allowed ones, in any letter case.
Result<std::size_t> index_of_choice(std::string_view text, const std::vector<std::string>& allowed) {
  if (const auto found = find_ignoring_case(text, allowed))
    return static_cast<std::size_t>(std::find(allowed.begin(), allowed.end(), *found) - allowed.begin());
  return fail(Errc::invalid_input, "\"{}\" is not one of {}{}", printable(text), fmt::join(allowed, ", "),
              suggestion(text, allowed));
}

void make_list(CLI::Option& option, const std::string& placeholder) {
  option.type_name(placeholder)->delimiter(',')->expected(1)->allow_extra_args(false)->take_all();
}

Result<std::int64_t> parse_positive(std::string_view text, std::int64_t max) {
  const auto number = parse_int64(text);
  if (number && *number >= 1 && *number <= max) return *number;
  return fail(Errc::invalid_input, "\"{}\" is not a whole number from 1 to {}", printable(text), max);
}

Result<double> parse_percentage(std::string_view text, const std::string& name,
                                const Options::PercentageRange& range) {
  const auto fraction = parse_quantity<Ratio>(text, name);
  if (!fraction) return fraction.error();
  const double value = fraction->si();
  if (!text.ends_with('%') && value >= 1)
    return fail(Errc::invalid_input, "\"{}\" is ambiguous; write {:g}% or {:g}%", text, value, 100 * value);
  const bool above_min = range.includes_min ? value >= range.min : value > range.min;
  if (!above_min || value > range.max) {
    return fail(Errc::invalid_input, "\"{}\" is not {} {:g}% and at most {:g}%", text,
                range.includes_min ? "at least" : "above", 100 * range.min, 100 * range.max);
  }
  return value;
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

}  // namespace

void Options::argument(const std::string& name, std::string& target, const std::string& help) {
  app_.add_option(name, target, help)->required()->type_name("");
}

void Options::optional_argument(const std::string& name, std::string& target, const std::string& help) {
  app_.add_option(name, target, help)->type_name("");
}

void Options::arguments(const std::string& name, std::vector<std::string>& target, const std::string& help) {
  app_.add_option(name, target, help)->required()->type_name("");
}

void Options::flag(const std::string& name, bool& target, const std::string& help) {
  app_.add_flag(name, target, help);
}

void Options::text(const std::string& name, std::string& target, const std::string& placeholder,
                   const std::string& help) {
  app_.add_option(name, target, help)->type_name(placeholder);
}

void Options::text(const std::string& name, std::optional<std::string>& target,
                   const std::string& placeholder, const std::string& help) {
  parsed(name, placeholder, help, [placeholder, &target](std::string_view text) -> Result<> {
    if (text.empty()) return fail(Errc::invalid_input, "\"\" is empty; expected {}", placeholder);
    target = std::string(text);
    return {};
  });
}

void Options::list(const std::string& name, std::vector<std::string>& target, const std::string& placeholder,
                   const std::string& help, Parser check) {
  CLI::Option* const option = app_.add_option(name, target, help);
  make_list(*option, placeholder);
  if (check) option->check(validator(std::move(check)));
}

void Options::choice_of(const std::string& name, const std::vector<std::string>& allowed,
                        const std::string& help, Choose choose) {
  choice_of(name, fmt::format("{}", fmt::join(allowed, "|")), allowed, help, std::move(choose));
}

void Options::choice_of(const std::string& name, const std::string& placeholder,
                        const std::vector<std::string>& allowed, const std::string& help, Choose choose) {
  allowed_values_[name] = allowed;
  parsed(name, placeholder, help, [allowed, choose = std::move(choose)](std::string_view text) -> Result<> {
    const auto index = index_of_choice(text, allowed);
    if (!index) return index.error();
    choose(*index);
    return {};
  });
}

void Options::choice_list_of(const std::string& name, const std::string& placeholder,
                             const std::vector<std::string>& allowed, const std::string& help,
                             Choose choose) {
  allowed_values_[name] = allowed;
  parsed_list(name, placeholder, help,
              [allowed, choose = std::move(choose)](std::string_view text) -> Result<> {
                const auto index = index_of_choice(text, allowed);
                if (!index) return index.error();
                choose(*index);
                return {};
              });
}

void Options::number(const std::string& name, double& target, double min, double max,
                     const std::string& help) {
  parsed(name, "N", help, [&target, min, max](std::string_view text) -> Result<> {
    const auto number = parse_double(text);
    if (!number || *number < min || *number > max)
      return fail(Errc::invalid_input, "\"{}\" is not a number from {} to {}", printable(text), min, max);
    target = *number;
    return {};
  });
}

void Options::non_negative_number(const std::string& name, std::optional<double>& target,
                                  const std::string& help) {
  parsed(name, "N", help, [&target](std::string_view text) -> Result<> {
    const auto number = parse_double(text);
    if (!number || *number < 0)
      return fail(Errc::invalid_input, "\"{}\" is not a number of 0 or more", printable(text));
    target = *number;
    return {};
  });
}

void Options::count(const std::string& name, std::uint64_t& target, const std::string& help) {
  parsed(name, "N", help, [&target](std::string_view text) -> Result<> {
    const auto number = parse_int64(text);
    if (!number || *number < 0)
      return fail(Errc::invalid_input, "\"{}\" is not a whole number of 0 or more", printable(text));
    target = static_cast<std::uint64_t>(*number);
    return {};
  });
}

void Options::positive_count(const std::string& name, std::uint64_t& target, std::uint64_t max,
                             const std::string& help) {
  parsed(name, "N", help, [&target, max](std::string_view text) -> Result<> {
    const auto number = parse_positive(text, static_cast<std::int64_t>(max));
    if (!number) return number.error();
    target = static_cast<std::uint64_t>(*number);
    return {};
  });
}

void Options::positive_count(const std::string& name, std::optional<std::int64_t>& target, std::int64_t max,
                             const std::string& help) {
  parsed(name, "N", help, [&target, max](std::string_view text) -> Result<> {
    const auto number = parse_positive(text, max);
    if (!number) return number.error();
    target = *number;
    return {};
  });
}

void Options::batch(const std::string& name, std::optional<std::int64_t>& target, const std::string& help) {
  positive_count(name, target, graph::kMaxExtent, help);
}

void Options::batch(const std::string& name, std::int64_t& target, const std::string& help) {
  parsed(name, "N", help, [&target](std::string_view text) -> Result<> {
    const auto number = parse_positive(text, graph::kMaxExtent);
    if (!number) return number.error();
    target = *number;
    return {};
  });
}

void Options::batch_list(const std::string& name, std::vector<std::int64_t>& target,
                         const std::string& help) {
  parsed_list(name, "N,...", help, [append = appender_to(target)](std::string_view text) mutable {
    const auto number = parse_positive(text, graph::kMaxExtent);
    if (!number) return Result<>(number.error());
    append(*number);
    return Result<>();
  });
}

void Options::percentage(const std::string& name, double& target, const PercentageRange& range,
                         const std::string& help) {
  parsed(name, "P", help, [name, &target, range](std::string_view text) -> Result<> {
    const auto fraction = parse_percentage(text, name, range);
    if (!fraction) return fraction.error();
    target = *fraction;
    return {};
  });
}

void Options::percentage(const std::string& name, std::optional<double>& target, const PercentageRange& range,
                         const std::string& help) {
  parsed(name, "P", help, [name, &target, range](std::string_view text) -> Result<> {
    const auto fraction = parse_percentage(text, name, range);
    if (!fraction) return fraction.error();
    target = *fraction;
    return {};
  });
}

void Options::parsed(const std::string& name, const std::string& placeholder, const std::string& help,
                     Parser parser) {
  CLI::Option* const option = app_.add_option(name, help);
  option->type_name(placeholder)->check(validator(std::move(parser)));
}

void Options::parsed_list(const std::string& name, const std::string& placeholder, const std::string& help,
                          Parser parser) {
  CLI::Option* const option = app_.add_option(name, help);
  make_list(*option, placeholder);
  option->check(validator(std::move(parser)));
}

void Options::require(const std::string& name) { app_.get_option(name)->required(); }

void Options::section(const std::string& title, const std::vector<std::string>& names) {
  for (const std::string& name : names) app_.get_option(name)->group(title);
}

void Options::alias(const std::string& name, const std::string& other_name) {
  CLI::Option* const option = app_.get_option(name);
  const CLI::callback_t forward = [option](const CLI::results_t& values) {
    for (const std::string& value : values) option->add_result(value);
    return true;
  };
  // While the line is parsed, before the values of `option` are processed.
  CLI::Option* const other = app_.add_option(other_name, forward)->trigger_on_parse();
  other->type_name(option->get_type_name())->group(kHiddenGroup)->expected(takes_value(*option) ? 1 : 0);
}

void Options::renamed(const std::string& old_name, const std::string& new_name) {
  renamed_.push_back({old_name, new_name});
  // The value is optional: "--old" at the end of the line is an old name, not a missing value.
  CLI::Option* const old = app_.add_option(old_name)->group(kHiddenGroup);
  if (takes_value(*app_.get_option(new_name)))
    old->expected(0, 1);
  else
    old->expected(0);
}

std::function<bool()> Options::given(const std::string& name) const {
  const CLI::Option* const option = app_.get_option(name);
  return [option] { return option->count() > 0; };
}

std::string Options::placeholder_of(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::power:
      return "W";
    case QuantityKind::energy:
      return "J";
    case QuantityKind::time:
      return "T";
    case QuantityKind::frequency:
      return "F";
    case QuantityKind::cycles:
      return "N";
    case QuantityKind::data:
      return "BYTES";
    case QuantityKind::data_rate:
      return "RATE";
    case QuantityKind::voltage:
      return "V";
    case QuantityKind::temperature:
      return "C";
    case QuantityKind::temperature_difference:
      return "K";
    case QuantityKind::ratio:
      return "P";
  }
  return "Q";
}

}  // namespace ergon::app
