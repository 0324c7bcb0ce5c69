#include <jfrtree/output.hpp>

namespace jfrtree {
namespace {

class StringOutput final : public Output {
 public:
  explicit StringOutput(std::string& text) : text_(text) {}

  void write(std::string_view bytes) override { text_ += bytes; }
  void commit() override {}

 private:
  std::string& text_;
};

}  // namespace

std::unique_ptr<Output> string_output(std::string& text) {
  return std::make_unique<StringOutput>(text);
}

}  // namespace jfrtree
