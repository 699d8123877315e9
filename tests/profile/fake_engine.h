#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "profile/engine.h"

namespace ergon::profile {

// An engine whose work takes a fixed time on a manual clock.
class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(ManualClock& clock) : clock_(clock) {
    facts_.engine = "fake";
    facts_.uuid = "FAKE-1";
  }

  Seconds each{1e-3};
  Seconds besides;                        // constant overhead per run
  std::map<std::string, Error> broken;    // error of prepare(), by network name
  std::map<std::string, Error> breaking;  // error of run()
  std::function<void(std::int64_t)> ran;  // called at every run
  std::vector<std::string> prepared;      // network names, in order

  void set_uuid(const std::string& uuid) { facts_.uuid = uuid; }

  const EngineFacts& facts() const override { return facts_; }
  Result<> check(const graph::Network&, const graph::Content*, const RunCondition&) override { return {}; }
  Result<std::unique_ptr<PreparedWork>> prepare(const graph::Network& network, const RunCondition&,
                                                const PrepareOptions&) override {
    prepared.push_back(network.name);
    if (const auto found = broken.find(network.name); found != broken.end()) return found->second;
    return std::unique_ptr<PreparedWork>(std::make_unique<Work>(*this, network.name));
  }

 private:
  class Work final : public PreparedWork {
   public:
    Work(FakeEngine& engine, std::string name) : engine_(engine), name_(std::move(name)) {}
    Result<TimedRun> run(std::int64_t iterations) override {
      if (const auto found = engine_.breaking.find(name_); found != engine_.breaking.end())
        return found->second;
      const Seconds time = engine_.each * static_cast<double>(iterations) + engine_.besides;
      engine_.clock_.advance(time);
      if (engine_.ran) engine_.ran(iterations);
      return TimedRun{iterations, time};
    }
    Result<std::optional<Seconds>> host_time() override { return std::optional(Seconds{1e-5}); }
    std::int64_t instances() const override { return 3; }

   private:
    FakeEngine& engine_;
    std::string name_;
  };

  ManualClock& clock_;
  EngineFacts facts_;
};

}  // namespace ergon::profile
