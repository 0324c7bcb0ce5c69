#include <memory>

#include <fcntl.h>

#include <jfrtree/clickhouse_tree.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/output.hpp>

#include "clickhouse/tree/tree_input.hpp"
#include "clickhouse/tree/tree_result.hpp"
#include "clickhouse/tree/tree_rows.hpp"
#include "clickhouse/tree/tree_shape.hpp"
#include "clickhouse/tree/tree_stacks.hpp"
#include "export/text_writer.hpp"
#include "io/descriptor.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree {
namespace {

using internal::Descriptor;
using internal::RowBlocks;
using internal::StopFlag;
using internal::StreamBuffer;

/// Writes what it gets at once: the reader waits for it.
class DirectOutput final : public Output {
 public:
  DirectOutput(int descriptor, StopFlag stop) : descriptor_(descriptor, false), stop_(stop) {
    internal::widen_pipe(descriptor);
  }

  void write(std::string_view bytes) override {
    internal::write_all(descriptor_, bytes, "-", stop_);
  }
  void commit() override {}

 private:
  Descriptor descriptor_;
  StopFlag stop_;
};

/// The second input, which is read whenever it has bytes.
class DictionaryInput {
 public:
  DictionaryInput(int descriptor, internal::TreeStacks& stacks, const TreeFilterOptions& options)
      : buffer_(descriptor, "fd 3", options.limits.frame_bytes, StopFlag(options.stop)),
        parser_(internal::make_dictionary_parser(stacks, options)),
        blocks_(buffer_, *parser_, options.protocol == RowProtocol::chunks) {}

  [[nodiscard]] StreamBuffer& buffer() noexcept { return buffer_; }

  void read() {
    if (!buffer_.read()) {
      blocks_.finish();
      return;
    }
    while (blocks_.advance() == RowBlocks::Event::block_end) {
    }
  }

 private:
  StreamBuffer buffer_;
  std::unique_ptr<internal::RowParser> parser_;
  RowBlocks blocks_;
};

bool is_function(RowProtocol protocol) noexcept {
  return protocol == RowProtocol::function || protocol == RowProtocol::function_chunks;
}

bool has_headers(RowProtocol protocol) noexcept {
  return protocol == RowProtocol::chunks || protocol == RowProtocol::pool ||
         protocol == RowProtocol::function_chunks;
}

bool is_open(int descriptor) noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): that is how POSIX declares it
  return descriptor >= 0 && ::fcntl(descriptor, F_GETFD) >= 0;
}

void check(int dictionary, const TreeFilterOptions& options) {
  if (options.values != 1 && options.values != 2) {
    throw UsageError("a row has one value, or two to compare");
  }
  if (options.frames == FrameColumn::strings) {
    return;
  }
  if (options.protocol != RowProtocol::stream && options.protocol != RowProtocol::chunks) {
    throw UsageError("ids of frames need a second input, which pools and functions do not have");
  }
  if (!is_open(dictionary)) {
    throw UsageError(
        "ids of frames need a dictionary (id, text) on file descriptor 3, which is not open: give "
        "executable() a second query");
  }
}

class TreeFilter {
 public:
  TreeFilter(int rows, int dictionary, int output, const TreeFilterOptions& options)
      : options_(options),
        stop_(options.stop),
        stacks_(options),
        buffer_(rows, "-", options.limits.frame_bytes, stop_),
        parser_(internal::make_row_parser(stacks_, options)),
        blocks_(buffer_, *parser_, has_headers(options.protocol)),
        output_(output, stop_),
        writer_(output_),
        result_(writer_, options) {
    if (options.frames != FrameColumn::strings) {
      dictionary_ = std::make_unique<DictionaryInput>(dictionary, stacks_, options);
    }
  }

  TreeFilterSummary run() {
    if (options_.protocol == RowProtocol::pool) {
      answer_blocks();
    } else if (is_function(options_.protocol)) {
      answer_rows();
    } else {
      answer_once();
    }
    summary_.rows = parser_->rows();
    summary_.frames = parser_->frames();
    summary_.nodes = result_.nodes();
    summary_.repaired_texts = stacks_.repaired_texts();
    return summary_;
  }

 private:
  void answer_once() {
    try {
      read_all();
    } catch (const Interrupted&) {
      throw;
    } catch (...) {
      // The server would see its own write fail, not what is wrong.
      drain();
      throw;
    }
    result_.write_rows(take_tree(), false);
    writer_.flush();
  }

  /// Without a dictionary of its own, since pools have one input.
  void answer_blocks() {
    for (;;) {
      if (blocks_.advance() == RowBlocks::Event::block_end) {
        result_.write_rows(take_tree(), true);
        writer_.flush();
      } else if (!buffer_.read()) {
        blocks_.finish();
        return;
      }
    }
  }

  void answer_rows() {
    for (;;) {
      const RowBlocks::Event event = blocks_.advance(true);
      if (event == RowBlocks::Event::row) {
        result_.write_row(take_tree());
      } else if (event == RowBlocks::Event::needs_bytes) {
        // The server may wait for the answers before it sends more.
        writer_.flush();
        if (!buffer_.read()) {
          blocks_.finish();
          return;
        }
      }
    }
  }

  void read_all() {
    for (;;) {
      if (blocks_.advance() == RowBlocks::Event::needs_bytes && !read_more()) {
        break;
      }
    }
    blocks_.finish();
    while (has_more_dictionary()) {
      dictionary_->read();
    }
  }

  /// Reads bytes of rows, and until there are some those of the dictionary: the server writes both
  /// at the same time and gives up where one is not taken.
  bool read_more() {
    while (has_more_dictionary()) {
      const unsigned ready = internal::wait_for_either(buffer_.descriptor(),
                                                       dictionary_->buffer().descriptor(), stop_);
      if ((ready & 2U) != 0) {
        dictionary_->read();
      }
      if ((ready & 1U) != 0) {
        break;
      }
    }
    return buffer_.read();
  }

  [[nodiscard]] bool has_more_dictionary() const noexcept {
    return dictionary_ && !dictionary_->buffer().is_at_end();
  }

  /// Takes turns as reading does: each may be what the server waits to get rid of.
  void drain() {
    while (has_more_dictionary() && !buffer_.is_at_end()) {
      const unsigned ready = internal::wait_for_either(buffer_.descriptor(),
                                                       dictionary_->buffer().descriptor(), stop_);
      if ((ready & 1U) != 0) {
        buffer_.drop();
      }
      if ((ready & 2U) != 0) {
        dictionary_->buffer().drop();
      }
    }
    buffer_.drain();
    if (dictionary_) {
      dictionary_->buffer().drain();
    }
  }

  CallTree take_tree() {
    const Profile profile = stacks_.take_profile();
    ++summary_.trees;
    summary_.stacks += profile.stacks.size();
    return internal::shape_tree(profile, options_);
  }

  const TreeFilterOptions& options_;
  StopFlag stop_;
  internal::TreeStacks stacks_;
  StreamBuffer buffer_;
  std::unique_ptr<internal::RowParser> parser_;
  RowBlocks blocks_;
  std::unique_ptr<DictionaryInput> dictionary_;
  DirectOutput output_;
  internal::TextWriter writer_;
  internal::TreeResultWriter result_;
  TreeFilterSummary summary_;
};

}  // namespace

TreeFilterSummary filter_stack_rows(int rows, int dictionary, int output,
                                    const TreeFilterOptions& options) {
  check(dictionary, options);
  return TreeFilter(rows, dictionary, output, options).run();
}

}  // namespace jfrtree
