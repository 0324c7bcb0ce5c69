#include "profile/frame_names.hpp"

#include "format/value_reader.hpp"
#include "profile/class_names.hpp"
#include "profile/signatures.hpp"
#include "profile/thread_name.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::string_view unknown = "?";
/// Of the variant of a frame: the kind, and the line above it.
constexpr std::uint64_t line_bits = ~std::uint32_t{0};

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
      kinds_(contents),
      tells_kinds_(options.frame_types || options.bci || kinds_.has_native_frames()) {}

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
    return add(method_text(method, false));
  }
  if (options_.hide_hidden && method["hidden"].integer() != 0) return hidden;
  const auto kind = static_cast<FrameKind>(variant & ((1U << frame_kind_bits) - 1));
  const std::uint64_t line = (variant & line_bits) >> frame_kind_bits;
  const std::uint64_t bytecode_index = variant >> bytecode_index_shift;
  std::string text = method_text(method, kinds_.has_native_frames() && is_native_kind(kind));
  if (text.size() >= contents_.limits.string_bytes) ++cut_names_;
  if (line > 0) text += ":" + std::to_string(line);
  if (bytecode_index > 0) text += "@" + std::to_string(bytecode_index - 1);
  if (options_.frame_types) text += frame_kind_suffix(kind);
  return add(text);
}

std::string FrameNames::method_text(const Value& method, bool is_native) {
  if (method.is_null()) return std::string(unknown);
  return is_native ? native_text(method) : java_text(method);
}

std::string FrameNames::native_text(const Value& method) {
  std::string text;
  if (options_.libraries) {
    const std::string library = method["type"]["name"].text();
    text = options_.normalize ? normalized_library_name(library) : library;
    if (!text.empty()) text += '!';
  }
  const Value name = method["name"].resolve();
  if (name.is_null()) {
    ++missing_names_;
    return text += unknown;
  }
  // A function without a symbol is called by its library.
  const std::string symbol = name.text();
  const bool is_library = symbol.starts_with('/') || symbol.find(".so") != std::string::npos;
  return text += options_.normalize && is_library ? normalized_library_name(symbol) : symbol;
}

std::string FrameNames::java_text(const Value& method) {
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

std::string FrameNames::signature_text(const Value& method) {
  const Value descriptor = method["descriptor"].resolve();
  if (descriptor.is_null()) {
    ++missing_names_;
    return "(?)";
  }
  const std::string text =
      options_.normalize ? normalized_descriptor(descriptor.text()) : descriptor.text();
  return options_.slashes ? text : java_signature(text);
}

std::string FrameNames::class_text(const Value& type) {
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

std::uint32_t FrameNames::class_leaf(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = class_leaves_.find(key);
  if (found != class_leaves_.end()) return found->second;
  const std::uint32_t text =
      add(is_full() ? std::string(unknown) : leaf_text(constant(contents_, class_type_, key), key));
  class_leaves_.emplace(key, text);
  return text;
}

std::uint32_t FrameNames::thread(std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = threads_.find(key);
  if (found != threads_.end()) return found->second;
  const std::uint32_t text = add(
      is_full() ? std::string(unknown) : thread_text(constant(contents_, thread_type_, key), key));
  threads_.emplace(key, text);
  return text;
}

std::string FrameNames::leaf_text(const Value& type, std::uint64_t key) {
  // A null class is nothing that the chunk lacks.
  return key == 0 ? std::string(unknown) : class_text(type);
}

std::string FrameNames::thread_text(const Value& thread, std::uint64_t key) {
  const ThreadName name = read_thread_name(thread);
  if (!name.is_known && key != 0) ++missing_names_;
  return thread_frame_text(name, options_, thread_groups_);
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
