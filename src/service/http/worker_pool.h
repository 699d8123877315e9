#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <httplib.h>
#include <mutex>
#include <thread>
#include <vector>

namespace ergon::service {

// Threads for connections: one more whenever all are busy, up to a number. A connection holds its thread as
// long as it is open, so there have to be more than processors.
class WorkerPool final : public httplib::TaskQueue {
 public:
  explicit WorkerPool(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      if (idle_ < tasks_.size() && threads_.size() < most_) threads_.emplace_back([this] { work(); });
    }
    woken_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    woken_.notify_all();
    threads_.clear();  // joins
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      woken_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<std::function<void()>> tasks_;
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::jthread> threads_;  // the last, so that it ends before what it uses
};

}  // namespace ergon::service
