#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units_text.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace ergon::app {

// What a command takes from the command line. Targets are filled when the line has been understood as a
// whole; what cannot be understood is a usage error that names the option and what it wants.
//
// This class hides the parsing library, whose header is heavy: only options.cc and main's shell know it.
class Options {
 public:
  using Take = std::function<Result<>(std::string_view)>;

  explicit Options(CLI::App& app) : app_(app) {}

  // A word at a fixed place, such as FILE; required.
  void argument(const std::string& name, std::string& target, const std::string& help);
  // The same where it may be left out.
  void optional_argument(const std::string& name, std::string& target, const std::string& help);
  // One or more words to the end of the line.
  void arguments(const std::string& name, std::vector<std::string>& target, const std::string& help);

  void flag(const std::string& name, bool& target, const std::string& help);
  void text(const std::string& name, std::string& target, const std::string& placeholder,
            const std::string& help);
  void text(const std::string& name, std::optional<std::string>& target, const std::string& placeholder,
            const std::string& help);
  // "a,b,c"; may be repeated. `check` sees each part.
  void list(const std::string& name, std::vector<std::string>& target, const std::string& placeholder,
            const std::string& help, Take check = {});
  void choice(const std::string& name, std::string& target, const std::vector<std::string>& allowed,
              const std::string& help);
  // The same where the allowed words stand in `help`, and a placeholder on the left.
  void word(const std::string& name, std::string& target, const std::string& placeholder,
            const std::vector<std::string>& allowed, const std::string& help);
  // A plain number without a unit, in [least, greatest].
  void number(const std::string& name, double& target, double least, double greatest,
              const std::string& help);
  void count(const std::string& name, std::uint64_t& target, const std::string& help);
  // A plain number from 0, where it may be left out, such as a price.
  void amount(const std::string& name, std::optional<double>& target, const std::string& help);

  // Anything else: `take` reads the text and says what is wrong with it.
  void parsed(const std::string& name, const std::string& placeholder, const std::string& help, Take take);

  template <typename Q>
  void quantity(const std::string& name, std::optional<Q>& target, const std::string& help) {
    parsed(name, "Q", help, [name, &target](std::string_view text) -> Result<> {
      const auto value = parse_quantity<Q>(text, name);
      if (!value) return value.error();
      target = *value;
      return {};
    });
  }

  // The same above 0.
  template <typename Q>
  void positive_quantity(const std::string& name, std::optional<Q>& target, const std::string& help) {
    parsed(name, "Q", help, [name, &target](std::string_view text) -> Result<> {
      const auto value = parse_quantity<Q>(text, name);
      if (!value) return value.error();
      if (!(*value > Q{0})) return fail(Errc::invalid_input, "{} wants more than 0, not {}", name, text);
      target = *value;
      return {};
    });
  }

  // A share such as 2%, above or from `least` to `greatest`. A bare number is one below 1: is 2 meant as 2 %
  // or 200 %?
  struct ShareRange {
    double least = 0, greatest = 1;
    bool with_least = true;
  };
  void share(const std::string& name, double& target, const ShareRange& range, const std::string& help);

  // A whole number, at least 1.
  void positive_count(const std::string& name, std::uint64_t& target, std::uint64_t greatest,
                      const std::string& help);

  // Makes an option required.
  void require(const std::string& name);

  // Leaves an option out of the command's help, where it would not fit a screen; another command's help has
  // to name it.
  void fold(const std::string& name);

  // Whether an option stands on the line, to be asked once the line has been understood.
  std::function<bool()> given(const std::string& name) const;

 private:
  CLI::App& app_;
};

}  // namespace ergon::app
