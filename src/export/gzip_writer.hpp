#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace jfrtree::internal {

/// Compresses bytes to one gzip member and hands it on in pieces. The result depends on the bytes
/// alone: the header holds no time and no name.
class GzipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit GzipWriter(Sink sink);
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;
  ~GzipWriter();

  void append(std::string_view bytes);

  /// Ends the member. Call once, after the last bytes; never from a destructor, so that errors of
  /// the sink are seen.
  void finish();

 private:
  struct Stream;

  void deflate_input(std::string_view bytes, int flush);

  Sink sink_;
  std::unique_ptr<Stream> stream_;
};

}  // namespace jfrtree::internal
