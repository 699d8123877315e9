#pragma once

// Calls that wait: the GIL is released, and Ctrl-C ends the wait.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <stop_token>
#include <thread>
#include <utility>

namespace ergon::python {

// Runs `work(stop_token)`, which returns a Result, on a thread and handles signals of Python meanwhile. After
// an exception of a signal handler, such as KeyboardInterrupt, a stop is requested and waited for. `work`
// must not use Python.
template <typename Work>
auto interruptible(Work&& work) -> std::invoke_result_t<Work, std::stop_token> {
  constexpr std::chrono::milliseconds kSignalInterval{50};
  std::optional<std::invoke_result_t<Work, std::stop_token>> result;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  {
    std::jthread worker([&](const std::stop_token& stop) {
      try {
        auto value = work(stop);
        result.emplace(std::move(value));
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_all();
    });
    const pybind11::gil_scoped_release unlocked;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kSignalInterval, [&] { return done; })) {
      lock.unlock();
      {
        const pybind11::gil_scoped_acquire locked;
        if (PyErr_CheckSignals() != 0) {
          const pybind11::gil_scoped_release again;
          worker.request_stop();
          worker.join();
          break;
        }
      }
      lock.lock();
    }
  }
  if (PyErr_Occurred() != nullptr) throw pybind11::error_already_set();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

}  // namespace ergon::python
