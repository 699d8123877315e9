#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace ergon::app {

// Where a command's words go: data to one side, messages and progress to the other.
class Streams {
 public:
  virtual ~Streams() = default;

  // Fails when the other side does, as on a full disk.
  virtual Result<> out(std::string_view text) = 0;
  virtual Result<> flush() = 0;
  virtual void err(std::string_view text) = 0;

  virtual bool colour() const = 0;  // of what goes out
  virtual ProgressStyle progress_style() const = 0;
  virtual int columns() const = 0;  // for a bar
};

// Those of the program. ERGON_PROGRESS=records makes progress readable for programs.
class StandardStreams final : public Streams {
 public:
  StandardStreams();

  Result<> out(std::string_view text) override;
  Result<> flush() override;
  void err(std::string_view text) override;
  bool colour() const override { return colour_; }
  ProgressStyle progress_style() const override;
  int columns() const override;

 private:
  bool colour_;
  std::optional<Error> failure_;  // the first; everything printed after it is lost as well
};

// Memory, for a command that runs inside another program.
class CapturedStreams final : public Streams {
 public:
  Result<> out(std::string_view text) override;
  Result<> flush() override { return {}; }
  void err(std::string_view text) override { messages_ += text; }
  bool colour() const override { return false; }
  ProgressStyle progress_style() const override { return ProgressStyle::silent; }
  int columns() const override { return 80; }

  std::string& data() { return data_; }
  const std::string& messages() const { return messages_; }

 private:
  std::string data_, messages_;
};

}  // namespace ergon::app
