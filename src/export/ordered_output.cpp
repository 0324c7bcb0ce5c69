#include "export/ordered_output.hpp"

#include <utility>

namespace jfrtree::internal {

bool OrderedOutput::has_turn(std::size_t part) {
  const std::lock_guard lock(mutex_);
  return turn_ == part;
}

void OrderedOutput::write(std::size_t part, std::string_view bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_failed_ || turn_ == part; });
  if (has_failed_) return;
  lock.unlock();  // nobody else writes before this part has ended
  output_.write(bytes);
}

void OrderedOutput::end(std::size_t part, std::string bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return has_failed_ || turn_ == part || waiting_ + bytes.size() <= most_waiting;
  });
  if (has_failed_) return;
  waiting_ += bytes.size();
  ended_.emplace(part, std::move(bytes));
  if (turn_ == part) end_turn(lock);
}

/// Writes the ended parts whose turn it is by now.
void OrderedOutput::end_turn(std::unique_lock<std::mutex>& lock) {
  while (!ended_.empty() && ended_.begin()->first == turn_ && !has_failed_) {
    const std::string bytes = std::move(ended_.begin()->second);
    ended_.erase(ended_.begin());
    lock.unlock();
    if (!bytes.empty()) output_.write(bytes);
    lock.lock();
    waiting_ -= bytes.size();
    ++turn_;
    changed_.notify_all();
  }
}

void OrderedOutput::fail() {
  const std::lock_guard lock(mutex_);
  has_failed_ = true;
  changed_.notify_all();
}

PartOutput::~PartOutput() {
  if (is_open_) output_.fail();
}

void PartOutput::begin_part(std::size_t part) {
  part_ = part;
  is_open_ = true;
}

void PartOutput::write(std::string_view bytes) {
  if (gathered_.empty() && output_.has_turn(part_)) {
    output_.write(part_, bytes);
    return;
  }
  gathered_ += bytes;
  if (gathered_.size() > most_gathered) {
    output_.write(part_, gathered_);
    gathered_.clear();
  }
}

void PartOutput::end_part() {
  output_.end(part_, std::exchange(gathered_, {}));
  is_open_ = false;
}

}  // namespace jfrtree::internal
