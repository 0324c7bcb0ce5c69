#include "profile/frame_names.hpp"

#include <algorithm>

#include "format/value_reader.hpp"
#include "profile/class_names.hpp"
#include "profile/thread_name.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::string_view unknown = "?";

[[nodiscard]] Value constant(const ChunkContents& contents, const Type* type, std::uint64_t key) {
  return type == nullptr ? Value() : ValueReader(contents).constant(*type, ConstantKey{key});
}

}  // namespace

std::vector<std::string> pool_texts(const ChunkContents& contents, std::string_view type_name) {
  std::vector<std::string> texts;
  const Type* type = contents.metadata().find(type_name);
  if (type == nullptr) return texts;
  const PoolIndex& index = contents.pools.index(type->id);
  const ValueReader values(contents);
  for (std::uint32_t i = 0; i < index.size(); ++i) {
    texts.push_back(
        values.inline_value(*type, nullptr, contents.bytes.subspan(index.offset(i))).text());
  }
  return texts;
}

FrameNames::FrameNames(const ChunkContents& contents, const FrameOptions& options, TextTable& texts)
    : contents_(contents),
      options_(options),
      texts_(texts),
      thread_groups_("--thread-group", options.thread_groups),
      method_type_(contents.metadata().find("jdk.types.Method")),
      class_type_(contents.metadata().find("java.lang.Class")),
      thread_type_(contents.metadata().find("java.lang.Thread")),
      frame_type_type_(contents.metadata().find("jdk.types.FrameType")) {
  const auto frame_types = pool_texts(contents, "jdk.types.FrameType");
  has_native_frames_ =
      std::find(frame_types.begin(), frame_types.end(), "Kernel") != frame_types.end();
}

bool FrameNames::is_native_type(std::uint64_t frame_type) const {
  const std::string text = constant(contents_, frame_type_type_, frame_type).text();
  return text == "Native" || text == "C++" || text == "Kernel";
}

std::uint32_t FrameNames::method(std::uint64_t key, std::uint64_t variant) {
  const std::lock_guard lock(mutex_);
  const std::pair<std::uint64_t, std::uint64_t> both(key, variant);
  const auto found = methods_.find(both);
  if (found != methods_.end()) return found->second;
  const std::uint32_t text = name_method(key, variant);
  methods_.emplace(both, text);
  return text;
}

/// Counts all texts, new or not: each was made from names that may be long.
std::uint32_t FrameNames::add(std::string_view text) {
  named_bytes_ += text.size();
  return fixed(text);
}

std::uint32_t FrameNames::name_method(std::uint64_t key, std::uint64_t variant) {
  if (is_full()) return fixed(unknown);
  const Value method = constant(contents_, method_type_, key);
  if (method.is_null()) {
    ++missing_methods_;
    return fixed(unknown);
  }
  if (options_.hide_hidden && method["hidden"].integer() != 0) return hidden;
  const Value name = method["name"].resolve();
  if (name.is_null()) ++missing_names_;
  const Value type = method["type"].resolve();
  const bool is_native_frame = (variant & 1) != 0;
  std::string text;
  if (is_native_frame) {
    if (options_.libraries && !type.is_null()) {
      const std::string library = type["name"].text();
      text = options_.normalize ? normalized_library_name(library) : library;
      if (!text.empty()) text += '!';
    }
  } else {
    text = class_text(type);
    if (!text.empty()) text += '.';
  }
  if (name.is_null()) {
    text += unknown;
  } else {
    text += name.text();
  }
  if (text.size() >= contents_.limits.string_bytes) ++cut_names_;
  if (const std::uint64_t line = variant >> 1; line > 0) text += ":" + std::to_string(line);
  return add(text);
}

std::string FrameNames::class_text(const Value& type) {
  const Value name = type["name"].resolve();
  if (name.is_null()) {
    ++missing_names_;
    return std::string(unknown);
  }
  std::string text = name.text();
  if (options_.normalize) text = normalized_class_name(text);
  text = java_class_name(text);
  return options_.simple ? std::string(without_package(text)) : text;
}

std::uint32_t FrameNames::class_leaf(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = class_leaves_.find(key);
  if (found != class_leaves_.end()) return found->second;
  // A null class is nothing that the chunk lacks.
  const std::uint32_t text =
      add(key == 0 || is_full() ? std::string(unknown)
                                : class_text(constant(contents_, class_type_, key)));
  class_leaves_.emplace(key, text);
  return text;
}

std::uint32_t FrameNames::thread(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = threads_.find(key);
  if (found != threads_.end()) return found->second;
  const std::uint32_t text = add(is_full() ? std::string(unknown) : thread_text(key));
  threads_.emplace(key, text);
  return text;
}

std::string FrameNames::thread_text(std::uint64_t key) {
  const ThreadName thread = read_thread_name(constant(contents_, thread_type_, key));
  if (!thread.is_known && key != 0) ++missing_names_;
  return thread_frame_text(thread, options_, thread_groups_);
}

void FrameNames::report(ProblemLog& log) const {
  if (cut_names_ > 0) {
    log.problem(ErrorCode::limit_exceeded, contents_.info.offset,
                "names longer than the limit string_bytes; they were cut; raise it with --limit "
                "string_bytes=N",
                cut_names_);
  }
  if (missing_methods_ > 0) {
    log.note(ErrorCode::missing_constant, contents_.info.offset,
             "methods that the chunk does not define; they read ?", missing_methods_);
  }
  if (missing_names_ > 0) {
    log.note(ErrorCode::missing_constant, contents_.info.offset,
             "names of methods, classes or threads that the chunk does not define; they read ?",
             missing_names_);
  }
}

}  // namespace jfrtree::internal
