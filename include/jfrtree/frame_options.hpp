#pragma once

#include <optional>
#include <string>
#include <vector>

namespace jfrtree {

/// How frames read, and which synthetic frames a stack has. A Java frame is
/// `module/pkg.Class.method(int, String):line@bci_[j]`, of which package, class and method are
/// there by default. What the recording does not say is left out, or reads `?` where a part is
/// missing that every frame has.
struct FrameOptions {
  /// Default: on for kinds that have one, off for `event`.
  std::optional<bool> class_leaf = std::nullopt;
  bool truncated_frame = true;  ///< `[truncated]` at the root of cut stacks
  bool by_thread = false;       ///< `[name tid=N]` as the first frame
  /// Runs of digits in thread names read `*`, and `tid=N` is left out. Means `by_thread`.
  bool fold_thread_names = false;
  /// Patterns (see FilterOptions) with a part in parentheses: the thread frame is `[part]`, that of
  /// threads that none fits `[name]`. Folding comes after. Means `by_thread`.
  std::vector<std::string> thread_groups{};
  bool lines = false;        ///< `:N` behind a method whose line is known
  bool bci = false;          ///< `@N` behind a method: the index of its bytecode
  bool signatures = false;   ///< `(int, String)`; with `slashes` the descriptor
  bool simple = false;       ///< classes without package
  bool slashes = false;      ///< `pkg/Class.method`, the JVM's own form; not with `simple`
  bool modules = false;      ///< `java.base/` before classes of a named module
  bool frame_types = false;  ///< `_[j]`: how the frame was executed
  bool libraries = false;    ///< `library!symbol` for native frames
  bool normalize = false;    ///< generated class names in a form that is equal in every run
  bool hide_hidden = false;  ///< drop methods marked as hidden
};

/// Throws UsageError for options that contradict each other, naming them.
void check_frame_options(const FrameOptions& options);

}  // namespace jfrtree
