#include "control/caps/reread_cap.h"

namespace ergon::control {
namespace {

class RereadCap final : public CapSource {
 public:
  RereadCap(std::unique_ptr<FileCap> file, std::function<bool()> requested)
      : file_(std::move(file)), requested_(std::move(requested)) {}

  Result<std::optional<CapChange>> poll(Seconds now) override {
    if (requested_()) file_->reread();
    return file_->poll(now);
  }
  void acknowledge(Watts cap, Seconds took) override { file_->acknowledge(cap, took); }
  void refuse(const std::string& why) override { file_->refuse(why); }

 private:
  std::unique_ptr<FileCap> file_;
  std::function<bool()> requested_;
};

}  // namespace

std::unique_ptr<CapSource> reread_cap(std::unique_ptr<FileCap> file, std::function<bool()> requested) {
  return std::make_unique<RereadCap>(std::move(file), std::move(requested));
}

}  // namespace ergon::control
