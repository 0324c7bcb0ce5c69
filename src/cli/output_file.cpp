#include "cli/output_file.hpp"

#include <jfrtree/profile.hpp>

#include "cli/signals.hpp"

namespace jfrtree::cli {
namespace {

void check_stop() {
  if (stop_requested().load(std::memory_order_relaxed)) {
    throw Interrupted();
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : output_(open_output(path, &stop_requested())) {}

void OutputFile::write(std::string_view bytes) {
  check_stop();
  output_->write(bytes);
  bytes_written_ += bytes.size();
}

void OutputFile::commit() {
  check_stop();
  output_->commit();
}

}  // namespace jfrtree::cli
