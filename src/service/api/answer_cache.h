#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace ergon::service {

// Answers by question, the last used ones that fit. Any thread.
class AnswerCache {
 public:
  explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  std::optional<std::string> find(const std::string& question);
  void keep(const std::string& question, const std::string& answer);
  std::size_t bytes() const;

 private:
  struct Kept {
    std::string question, answer;
    std::size_t bytes() const { return question.size() + answer.size(); }
  };

  std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::list<Kept> kept_;  // the last used first
  std::unordered_map<std::string, std::list<Kept>::iterator> by_question_;
};

}  // namespace ergon::service
