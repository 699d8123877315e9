#include "service/http/workers.h"

#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace ergon::service {

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  threads_.clear();  // joins
}

bool Workers::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (idle_ <= tasks_.size()) {
      if (threads_.size() < limits_.threads) {
        try {
          threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
          if (threads_.empty()) return false;  // the system has no more threads
        }
      } else if (tasks_.size() >= limits_.waiting + idle_) {
        return false;
      }
    }
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

void Workers::work() {
  // On Linux the priority belongs to the thread.
  if (limits_.nice != 0) ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), limits_.nice);
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace ergon::service
