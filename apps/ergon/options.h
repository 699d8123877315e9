#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units_text.h"

namespace CLI {  // NOLINT(readability-identifier-naming): name of the library
class App;
}

namespace ergon::app {

// Declares the options and arguments of a command. Targets are set after the whole command line was parsed.
// A value that cannot be parsed is a usage error "OPTION: MESSAGE"; the message does not repeat the option.
//
// Hides the parsing library (CLI11), whose header is slow to compile: only options.cc, help.cc and
// command_line.cc include it.
class Options {
 public:
  // Parses a value and stores it, or returns what is wrong with it.
  using Parser = std::function<Result<>(std::string_view)>;

  // An old spelling that is no longer accepted.
  struct Renamed {
    std::string old_name, new_name;
  };

  explicit Options(CLI::App& app) : app_(app) {}

  // A positional argument such as FILE.
  void argument(const std::string& name, std::string& target, const std::string& help);
  void optional_argument(const std::string& name, std::string& target, const std::string& help);
  // One or more positional arguments; the last of the command.
  void arguments(const std::string& name, std::vector<std::string>& target, const std::string& help);

  void flag(const std::string& name, bool& target, const std::string& help);
  void text(const std::string& name, std::string& target, const std::string& placeholder,
            const std::string& help);
  // The same, but not empty.
  void text(const std::string& name, std::optional<std::string>& target, const std::string& placeholder,
            const std::string& help);
  // "a,b,c"; may be repeated. `check` is called with each element.
  void list(const std::string& name, std::vector<std::string>& target, const std::string& placeholder,
            const std::string& help, Parser check = {});

  // One of the allowed words, in any letter case; the target gets the allowed spelling.
  // Without a placeholder the help shows "a|b|c" beside the option.
  void choice(const std::string& name, std::string& target, const std::vector<std::string>& allowed,
              const std::string& help);
  void choice(const std::string& name, std::string& target, const std::string& placeholder,
              const std::vector<std::string>& allowed, const std::string& help);
  // "a,b"; may be repeated.
  void choice_list(const std::string& name, std::vector<std::string>& target, const std::string& placeholder,
                   const std::vector<std::string>& allowed, const std::string& help);

  // A number without a unit, in [min, max].
  void number(const std::string& name, double& target, double min, double max, const std::string& help);
  // A number without a unit, 0 or more, such as a price.
  void non_negative_number(const std::string& name, std::optional<double>& target, const std::string& help);
  // A whole number, 0 or more.
  void count(const std::string& name, std::uint64_t& target, const std::string& help);
  // A whole number from 1 to max.
  void positive_count(const std::string& name, std::uint64_t& target, std::uint64_t max,
                      const std::string& help);

  // A percentage such as 2%, stored as a fraction (0.02). A number without "%" must be below 1, because 2
  // could mean 2 % or 200 %.
  struct PercentageRange {
    double min = 0, max = 1;
    bool includes_min = true;
  };
  void percentage(const std::string& name, double& target, const PercentageRange& range,
                  const std::string& help);

  // A number with a unit. The placeholder follows from its kind: W for a power, F for a frequency, ...
  template <typename Q>
  void quantity(const std::string& name, std::optional<Q>& target, const std::string& help) {
    parsed(name, placeholder_of(kind_of(Q{})), help, [name, &target](std::string_view text) -> Result<> {
      const auto value = parse_quantity<Q>(text, name);
      if (!value) return value.error();
      target = *value;
      return {};
    });
  }
  // The same, above 0.
  template <typename Q>
  void positive_quantity(const std::string& name, std::optional<Q>& target, const std::string& help) {
    parsed(name, placeholder_of(kind_of(Q{})), help, [name, &target](std::string_view text) -> Result<> {
      const auto value = parse_quantity<Q>(text, name);
      if (!value) return value.error();
      if (!(*value > Q{0})) return fail(Errc::invalid_input, "\"{}\" is not above 0", text);
      target = *value;
      return {};
    });
  }

  // Any other value.
  void parsed(const std::string& name, const std::string& placeholder, const std::string& help,
              Parser parser);

  void require(const std::string& name);

  // Excludes an option from the command's help. The help of another command has to describe it.
  void hide(const std::string& name);

  // Accepts `other_name` as another spelling of the option `name`. The help does not show it.
  void alias(const std::string& name, const std::string& other_name);

  // Rejects `old_name` with the error "OLD was renamed to NEW". `new_name` must be declared before.
  void renamed(const std::string& old_name, const std::string& new_name);
  const std::vector<Renamed>& renamed_options() const { return renamed_; }

  // Whether an option is on the command line. Call the result after parsing, in the command's action.
  std::function<bool()> given(const std::string& name) const;

 private:
  static std::string placeholder_of(QuantityKind kind);

  CLI::App& app_;
  std::vector<Renamed> renamed_;
};

}  // namespace ergon::app
