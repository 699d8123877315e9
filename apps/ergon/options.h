#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
// Hides the parsing library (CLI11), whose header is slow to compile: only options.cc, help,
// command_tree and command_line.cc include it.
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

  // A value of an enumeration, spelled as name_of() spells it, in any letter case. The target keeps its value
  // if the option is not given. Without a placeholder the help shows "a|b|c" beside the option.
  template <typename E, typename Values>
  void enumeration(const std::string& name, E& target, const Values& values, const std::string& help) {
    const EnumerationNames<value_of<E>> names(values);
    choice_of(name, names.spelled, help, names.setter(target));
  }
  template <typename E, typename Values>
  void enumeration(const std::string& name, E& target, const std::string& placeholder, const Values& values,
                   const std::string& help) {
    const EnumerationNames<value_of<E>> names(values);
    choice_of(name, placeholder, names.spelled, help, names.setter(target));
  }
  // "a,b"; may be repeated.
  template <typename E, typename Values>
  void enumeration_list(const std::string& name, std::vector<E>& target, const std::string& placeholder,
                        const Values& values, const std::string& help) {
    const EnumerationNames<E> names(values);
    choice_list_of(name, placeholder, names.spelled, help, names.appender(target));
  }

  // A number without a unit, in [min, max].
  void number(const std::string& name, double& target, double min, double max, const std::string& help);
  // A number without a unit, 0 or more, such as a price.
  void non_negative_number(const std::string& name, std::optional<double>& target, const std::string& help);
  // A whole number, 0 or more.
  void count(const std::string& name, std::uint64_t& target, const std::string& help);
  // A whole number from 1 to max.
  void positive_count(const std::string& name, std::uint64_t& target, std::uint64_t max,
                      const std::string& help);
  void positive_count(const std::string& name, std::optional<std::int64_t>& target, std::int64_t max,
                      const std::string& help);
  // A batch size: from 1 to graph::kMaxExtent.
  void batch(const std::string& name, std::optional<std::int64_t>& target, const std::string& help);
  void batch(const std::string& name, std::int64_t& target, const std::string& help);
  // "1,8,64"; may be repeated.
  void batch_list(const std::string& name, std::vector<std::int64_t>& target, const std::string& help);

  // A percentage such as 2%, stored as a fraction (0.02). A number without "%" must be below 1, because 2
  // could mean 2 % or 200 %.
  struct PercentageRange {
    double min = 0, max = 1;
    bool includes_min = true;
  };
  void percentage(const std::string& name, double& target, const PercentageRange& range,
                  const std::string& help);
  void percentage(const std::string& name, std::optional<double>& target, const PercentageRange& range,
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

  // "900MHz,1.2GHz"; may be repeated.
  template <typename Q>
  void quantity_list(const std::string& name, std::vector<Q>& target, const std::string& placeholder,
                     const std::string& help) {
    parsed_list(name, placeholder, help, [name, append = appender_to(target)](std::string_view text) mutable {
      const auto value = parse_quantity<Q>(text, name);
      if (!value) return Result<>(value.error());
      append(*value);
      return Result<>();
    });
  }

  // Any other value; may be given once.
  void parsed(const std::string& name, const std::string& placeholder, const std::string& help,
              Parser parser);
  // Any other list, "a,b,c"; may be repeated. `parser` is called with each element, in order.
  void parsed_list(const std::string& name, const std::string& placeholder, const std::string& help,
                   Parser parser);

  void require(const std::string& name);

  // Shows options in a section of the help with this title, after the other options.
  void section(const std::string& title, const std::vector<std::string>& names);

  // Accepts `other_name` as another spelling of the option `name`. The help does not show it.
  void alias(const std::string& name, const std::string& other_name);

  // Rejects `old_name` with the error "OLD was renamed to NEW". `new_name` must be declared before.
  void renamed(const std::string& old_name, const std::string& new_name);
  const std::vector<Renamed>& renamed_options() const { return renamed_; }

  // The options that accept only some words, with these words.
  const std::map<std::string, std::vector<std::string>>& allowed_values() const { return allowed_values_; }

  // Whether an option is on the command line. Call the result after parsing, in the command's action.
  std::function<bool()> given(const std::string& name) const;

 private:
  static std::string placeholder_of(QuantityKind kind);

  // Appends to a list; the first element replaces the defaults.
  template <typename T>
  static auto appender_to(std::vector<T>& target) {
    return [&target, first = true](const T& value) mutable {
      if (std::exchange(first, false)) target.clear();
      target.push_back(value);
    };
  }

  using Choose = std::function<void(std::size_t index)>;

  template <typename E>
  struct ValueOf {
    using type = E;
  };
  template <typename E>
  struct ValueOf<std::optional<E>> {
    using type = E;
  };
  template <typename E>
  using value_of = typename ValueOf<E>::type;

  // The values of an enumeration and their names, at the same index.
  template <typename E>
  struct EnumerationNames {
    template <typename Values>
    explicit EnumerationNames(const Values& all) {
      for (const E value : all) {
        values.push_back(value);
        spelled.emplace_back(name_of(value));
      }
    }
    template <typename Target>
    Choose setter(Target& target) const {
      return [all = values, &target](std::size_t index) { target = all[index]; };
    }
    Choose appender(std::vector<E>& target) const {
      return [all = values, append = appender_to(target)](std::size_t index) mutable { append(all[index]); };
    }
    std::vector<E> values;
    std::vector<std::string> spelled;
  };

  void choice_of(const std::string& name, const std::vector<std::string>& allowed, const std::string& help,
                 Choose choose);
  void choice_of(const std::string& name, const std::string& placeholder,
                 const std::vector<std::string>& allowed, const std::string& help, Choose choose);
  void choice_list_of(const std::string& name, const std::string& placeholder,
                      const std::vector<std::string>& allowed, const std::string& help, Choose choose);

  CLI::App& app_;
  std::vector<Renamed> renamed_;
  std::map<std::string, std::vector<std::string>> allowed_values_;
};

}  // namespace ergon::app
