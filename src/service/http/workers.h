#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ergon::service {

// Threads that run tasks in the order in which they were submitted. Threads are started on demand.
class Workers {
 public:
  struct Limits {
    std::size_t threads = 1;
    std::size_t waiting = 64;  // tasks that no thread has started
    int nice = 0;              // of the threads, as in nice(1)
  };

  explicit Workers(Limits limits) : limits_(limits) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();  // runs the waiting tasks and waits for all

  // Returns false, without taking the task, if too many tasks wait. Tasks must not throw.
  bool submit(std::function<void()> task);

 private:
  void work();

  Limits limits_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::jthread> threads_;  // last: joined before the members they use
};

}  // namespace ergon::service
