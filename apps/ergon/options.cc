#include "options.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "help.h"

namespace ergon::app {
namespace {

// The library turns the exception back into a message; it never leaves it.
CLI::Validator validator(Options::Take check) {
  CLI::Validator result;
  result.operation([check = std::move(check)](std::string& text) {
    const auto taken = check(text);
    return taken ? std::string() : taken.error().message;
  });
  return result;
}

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
  parsed(name, placeholder, help, [name, placeholder, &target](std::string_view text) -> Result<> {
    if (text.empty()) return fail(Errc::invalid_input, "{} wants {}, not nothing", name, placeholder);
    target = std::string(text);
    return {};
  });
}

void Options::list(const std::string& name, std::vector<std::string>& target, const std::string& placeholder,
                   const std::string& help, Take check) {
  CLI::Option* const option = app_.add_option(name, target, help);
  option->type_name(placeholder)->delimiter(',')->expected(1)->allow_extra_args(false)->take_all();
  if (check) option->check(validator(std::move(check)));
}

void Options::choice(const std::string& name, std::string& target, const std::vector<std::string>& allowed,
                     const std::string& help) {
  const auto check = [name, allowed](std::string_view text) -> Result<> {
    for (const std::string& known : allowed) {
      if (text == known) return {};
    }
    return fail(Errc::invalid_input, "\"{}\" is not one of {}{}", text,
                fmt::format("{}", fmt::join(allowed, ", ")), suggestion(text, allowed));
  };
  app_.add_option(name, target, help)
      ->type_name(fmt::format("{}", fmt::join(allowed, "|")))
      ->check(validator(check));
}

void Options::word(const std::string& name, std::string& target, const std::string& placeholder,
                   const std::vector<std::string>& allowed, const std::string& help) {
  parsed(name, placeholder, help, [&target, allowed](std::string_view text) -> Result<> {
    target = std::string(text);
    if (std::find(allowed.begin(), allowed.end(), target) != allowed.end()) return {};
    return fail(Errc::invalid_input, "\"{}\" is none of {}{}", printable(text),
                fmt::format("{}", fmt::join(allowed, ", ")), suggestion(text, allowed));
  });
}

void Options::number(const std::string& name, double& target, double least, double greatest,
                     const std::string& help) {
  parsed(name, "N", help, [name, &target, least, greatest](std::string_view text) -> Result<> {
    const auto number = parse_double(text);
    if (!number || *number < least || *number > greatest) {
      return fail(Errc::invalid_input, "\"{}\" is not a number from {} to {}", text, least, greatest);
    }
    target = *number;
    return {};
  });
}

void Options::amount(const std::string& name, std::optional<double>& target, const std::string& help) {
  parsed(name, "N", help, [name, &target](std::string_view text) -> Result<> {
    const auto number = parse_double(text);
    if (!number || *number < 0)
      return fail(Errc::invalid_input, "{} wants a number from 0, got \"{}\"", name, printable(text));
    target = *number;
    return {};
  });
}

void Options::count(const std::string& name, std::uint64_t& target, const std::string& help) {
  parsed(name, "N", help, [&target](std::string_view text) -> Result<> {
    const auto number = parse_int64(text);
    if (!number || *number < 0) return fail(Errc::invalid_input, "\"{}\" is not a whole number from 0", text);
    target = static_cast<std::uint64_t>(*number);
    return {};
  });
}

void Options::share(const std::string& name, double& target, const ShareRange& range,
                    const std::string& help) {
  parsed(name, "P", help, [name, &target, range](std::string_view text) -> Result<> {
    const auto share = parse_quantity<Ratio>(text, name);
    if (!share) return share.error();
    if (!text.ends_with('%') && share->si() >= 1) {
      return fail(Errc::invalid_input, "{}: {} or {:g} percent? Write {}%", name, text, 100 * share->si(),
                  text);
    }
    const bool fits = (range.with_least ? share->si() >= range.least : share->si() > range.least) &&
                      share->si() <= range.greatest;
    if (!fits) {
      return fail(Errc::invalid_input, "{} wants a share {} {:g}% and up to {:g}%, not {}", name,
                  range.with_least ? "from" : "above", 100 * range.least, 100 * range.greatest, text);
    }
    target = share->si();
    return {};
  });
}

void Options::positive_count(const std::string& name, std::uint64_t& target, std::uint64_t greatest,
                             const std::string& help) {
  parsed(name, "N", help, [&target, greatest](std::string_view text) -> Result<> {
    const auto number = parse_int64(text);
    if (!number || *number < 1 || static_cast<std::uint64_t>(*number) > greatest) {
      return fail(Errc::invalid_input, "\"{}\" is not a whole number from 1 to {}", text, greatest);
    }
    target = static_cast<std::uint64_t>(*number);
    return {};
  });
}

void Options::parsed(const std::string& name, const std::string& placeholder, const std::string& help,
                     Take take) {
  CLI::Option* const option = app_.add_option(name, help);
  option->type_name(placeholder)->take_all()->check(validator(std::move(take)));
}

void Options::require(const std::string& name) { app_.get_option(name)->required(); }

void Options::fold(const std::string& name) { app_.get_option(name)->group(kFoldedGroup); }

std::function<bool()> Options::given(const std::string& name) const {
  const CLI::Option* const option = app_.get_option(name);
  return [option] { return option->count() > 0; };
}

}  // namespace ergon::app
