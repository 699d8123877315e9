#include "service/api/answer_cache.h"

namespace ergon::service {

std::optional<std::string> AnswerCache::find(const std::string& question) {
  const std::lock_guard lock(mutex_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) return std::nullopt;
  kept_.splice(kept_.begin(), kept_, found->second);
  return found->second->answer;
}

void AnswerCache::keep(const std::string& question, const std::string& answer) {
  const std::lock_guard lock(mutex_);
  if (question.size() + answer.size() > most_bytes_ || by_question_.contains(question)) return;
  kept_.push_front({question, answer});
  by_question_[question] = kept_.begin();
  bytes_ += kept_.front().bytes();
  while (bytes_ > most_bytes_) {
    bytes_ -= kept_.back().bytes();
    by_question_.erase(kept_.back().question);
    kept_.pop_back();
  }
}

std::size_t AnswerCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace ergon::service
