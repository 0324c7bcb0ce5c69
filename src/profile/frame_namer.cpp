#include "profile/frame_namer.hpp"

#include "format/value_reader.hpp"
#include "profile/class_names.hpp"
#include "profile/signatures.hpp"

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

FrameNamer::FrameNamer(const ChunkContents& contents, const FrameOptions& options)
    : contents_(contents),
      options_(options),
      method_type_(contents.metadata().find("jdk.types.Method")),
      class_type_(contents.metadata().find("java.lang.Class")),
      thread_type_(contents.metadata().find("java.lang.Thread")),
      kinds_(contents),
      tells_kinds_(options.frame_types || options.bci || kinds_.has_native_frames()) {}

std::uint32_t FrameNamer::frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type,
                                std::uint64_t bytecode_index) {
  constexpr std::uint64_t max_index = 0x7FFF'FFFF;
  std::uint64_t variant = variant_of(line, frame_type);
  // Native methods have no bytecode; recorders write 0 for them.
  if (bytecode_index < max_index && !is_native_kind(kinds_[frame_type])) {
    variant |= (bytecode_index + 1) << bytecode_index_shift;
  }
  return look_up(method, variant);
}

std::uint32_t FrameNamer::look_up(std::uint64_t method, std::uint64_t variant) {
  const std::pair<std::uint64_t, std::uint64_t> key(method, variant);
  const auto found = frames_.find(key);
  if (found != frames_.end()) return found->second;
  const std::uint32_t text = name_method(method, variant);
  frames_.emplace(key, text);
  return text;
}

/// Counts all texts, new or not: each was made from names that may be long.
std::uint32_t FrameNamer::add(std::string_view text) {
  named_bytes_ += text.size();
  return texts_.add(text);
}

std::uint32_t FrameNamer::name_method(std::uint64_t key, std::uint64_t variant) {
  if (is_full()) return texts_.add(unknown);
  const Value method = constant(contents_, method_type_, key);
  if (method.is_null()) {
    ++missing_methods_;
    return add(method_text(method, false));
  }
  if (options_.hide_hidden && method["hidden"].integer() != 0) return hidden;
  const auto kind = static_cast<FrameKind>(variant & ((1U << frame_kind_bits) - 1));
  const std::uint64_t line = (variant & no_variant) >> frame_kind_bits;
  const std::uint64_t bytecode_index = variant >> bytecode_index_shift;
  std::string text = method_text(method, has_native_frames() && is_native_kind(kind));
  if (text.size() >= contents_.limits.string_bytes) ++cut_names_;
  if (line > 0) text += ":" + std::to_string(line);
  if (bytecode_index > 0) text += "@" + std::to_string(bytecode_index - 1);
  if (options_.frame_types) text += frame_kind_suffix(kind);
  return add(text);
}

std::string FrameNamer::method_text(const Value& method, bool is_native) {
  if (method.is_null()) return std::string(unknown);
  return is_native ? native_text(method) : java_text(method);
}

std::string FrameNamer::native_text(const Value& method) {
  std::string text;
  if (options_.libraries) {
    const std::string library = method["type"]["name"].text();
    text = options_.normalize ? normalized_library_name(library) : library;
    if (!text.empty()) text += '!';
  }
  const Value name = method["name"].resolve();
  if (name.is_null()) ++missing_names_;
  return text += name.is_null() ? std::string(unknown) : name.text();
}

std::string FrameNamer::java_text(const Value& method) {
  std::string text = class_text(method["type"].resolve());
  const Value name = method["name"].resolve();
  if (name.is_null()) ++missing_names_;
  const std::string name_text = name.is_null() ? std::string(unknown) : name.text();
  // A class alone is how async-profiler writes a call through its table of methods.
  if (name_text.empty()) return text;
  if (!text.empty()) text += '.';
  text += name_text;
  return options_.signatures ? text += signature_text(method) : text;
}

std::string FrameNamer::signature_text(const Value& method) {
  const Value descriptor = method["descriptor"].resolve();
  if (descriptor.is_null()) {
    ++missing_names_;
    return "(?)";
  }
  const std::string text =
      options_.normalize ? normalized_descriptor(descriptor.text()) : descriptor.text();
  return options_.slashes ? text : java_signature(text);
}

std::string FrameNamer::class_text(const Value& type) {
  const Value name = type["name"].resolve();
  if (name.is_null()) {
    ++missing_names_;
    return std::string(unknown);
  }
  std::string text = name.text();
  if (options_.normalize) text = normalized_class_name(text);
  text = options_.slashes ? slashed_class_name(text) : java_class_name(text);
  if (options_.simple) text = std::string(without_package(text));
  if (!options_.modules) return text;
  std::string module = type["package"]["module"]["name"].text();
  if (options_.normalize) module = normalized_module_name(module);
  return module.empty() ? text : module + '/' + text;
}

std::uint32_t FrameNamer::class_leaf(std::uint64_t key) {
  const auto found = class_leaves_.find(key);
  if (found != class_leaves_.end()) return found->second;
  const std::uint32_t text =
      add(is_full() ? std::string(unknown) : leaf_text(constant(contents_, class_type_, key), key));
  class_leaves_.emplace(key, text);
  return text;
}

std::string FrameNamer::leaf_text(const Value& type, std::uint64_t key) {
  // A null class is nothing that the chunk lacks.
  return key == 0 ? std::string(unknown) : class_text(type);
}

std::uint32_t FrameNamer::thread(std::uint64_t key) {
  const auto found = threads_.find(key);
  if (found != threads_.end()) return found->second;
  const std::uint32_t text = add(
      is_full() ? std::string(unknown) : thread_text(constant(contents_, thread_type_, key), key));
  threads_.emplace(key, text);
  return text;
}

std::string FrameNamer::thread_text(const Value& thread, std::uint64_t key) {
  if (thread.is_null()) {
    if (key != 0) ++missing_names_;
    return "[unknown thread]";
  }
  const bool is_virtual = thread["virtual"].integer() != 0;
  std::string name = thread["javaName"].text();
  if (name.empty()) name = is_virtual ? "virtual-thread" : thread["osName"].text();
  std::int64_t id = thread["osThreadId"].integer();
  if (id <= 0) id = thread["javaThreadId"].integer();
  if (name.empty()) return "[tid=" + std::to_string(id) + "]";
  return "[" + name + " tid=" + std::to_string(id) + "]";
}

void FrameNamer::report(ProblemLog& log) const {
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
