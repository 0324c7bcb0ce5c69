#include "cli/frame_arguments.hpp"

#include <array>

#include <jfrtree/error.hpp>

#include "cli/filter_arguments.hpp"

namespace jfrtree::cli {
namespace {

/// A part of a frame's text that is there when it is asked for.
struct TextOption {
  const char* name;
  bool FrameOptions::*member;
  const char* description;
};

constexpr std::array<TextOption, 8> text_options = {{
    {"--lines", &FrameOptions::lines, "line numbers behind methods, run:12"},
    {"--bci", &FrameOptions::bci, "indexes of bytecodes behind methods, run@34"},
    {"--signatures", &FrameOptions::signatures, "parameters behind methods, run(int, String)"},
    {"--simple", &FrameOptions::simple, "classes without their package"},
    {"--slashes", &FrameOptions::slashes,
     "classes as the JVM writes them, pkg/Main.run; not with --simple"},
    {"--modules", &FrameOptions::modules, "modules before classes, java.base/java.lang.Thread.run"},
    {"--frame-types", &FrameOptions::frame_types,
     "how frames were executed, run_[j]: 0 interpreted, 1 C1, j JIT, i inlined, n native, c C++, k "
     "kernel"},
    {"--libraries", &FrameOptions::libraries, "libraries before native symbols"},
}};

}  // namespace

void add_frame_options(CommandLine& line, FrameOptions& frames) {
  line.begin_group("Frames");
  line.add_switch("class-leaf",
                  "the class of the object as the last frame; default: kinds that have one",
                  [&frames](bool value) { frames.class_leaf = value; });
  line.add_switch("truncated-frame", "[truncated] as the first frame of cut stacks; default: on",
                  [&frames](bool value) { frames.truncated_frame = value; });
  line.add_flag("--by-thread", "the thread as the first frame", frames.by_thread);
  add_thread_options(line, frames);
  for (const TextOption& option : text_options) {
    line.add_flag(option.name, option.description, frames.*option.member);
  }
  line.add_switch(
      "normalize",
      std::string("names of generated classes in a form equal in every run; default: ") +
          (frames.normalize ? "on" : "off"),
      [&frames](bool value) { frames.normalize = value; });
  line.add_flag("--hide-hidden", "leave out methods that are marked as hidden", frames.hide_hidden);
}

void check_frame_arguments(const FrameOptions& frames) {
  if (frames.simple && frames.slashes) {
    throw UsageError(
        "--simple and --slashes contradict each other: without packages there is nothing to write "
        "with slashes");
  }
}

std::vector<std::string> given_frame_options(const FrameOptions& frames) {
  std::vector<std::string> names;
  const auto add = [&names](bool is_given, const char* name) {
    if (is_given) {
      names.emplace_back(name);
    }
  };
  add(frames.class_leaf == true, "--class-leaf");
  add(frames.class_leaf == false, "--no-class-leaf");
  add(!frames.truncated_frame, "--no-truncated-frame");
  add(frames.by_thread, "--by-thread");
  add(frames.fold_thread_names, "--fold-thread-names");
  add(!frames.thread_groups.empty(), "--thread-group");
  for (const TextOption& option : text_options) {
    add(frames.*option.member, option.name);
  }
  add(frames.normalize, "--normalize");
  add(frames.hide_hidden, "--hide-hidden");
  return names;
}

}  // namespace jfrtree::cli
