#include "profile/jfrconv_names.hpp"

#include "profile/class_names.hpp"

namespace jfrtree::internal {

namespace {

/// Frames have no parts that could be chosen.
const FrameOptions plain_frames;

}  // namespace

JfrconvNames::JfrconvNames(const ChunkContents& contents, TextTable& texts)
    : FrameNames(contents, plain_frames, texts) {}

std::string JfrconvNames::method_text(const Value& method, bool is_native) {
  if (method.is_null()) return "unknown";
  const std::string name = method["name"].text();
  const std::string type = is_native ? std::string() : method["type"]["name"].text();
  if (type.empty()) return name;
  return name.empty() ? type : type + '.' + name;
}

std::string JfrconvNames::leaf_text(const Value& type, std::uint64_t) {
  return type.is_null() ? "null" : java_class_name(type["name"].text());
}

std::string JfrconvNames::thread_text(const Value& thread, std::uint64_t key) {
  const Value java_name = thread["javaName"];
  const Value name = java_name.is_null() ? thread["osName"] : java_name;
  const std::string number = std::to_string(static_cast<std::int32_t>(key));
  if (name.is_null()) return "[tid=" + number + "]";
  const std::string text = name.text();
  return text.starts_with("[tid=") ? text : "[" + text + " tid=" + number + "]";
}

}  // namespace jfrtree::internal
