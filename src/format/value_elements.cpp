#include <jfrtree/event.hpp>

#include "format/chunk_contents.hpp"
#include "format/value_reader.hpp"

namespace jfrtree {

ValueElements Value::elements() const { return ValueElements(resolve()); }

ValueElements::ValueElements(const Value& value) noexcept {
  begin_.contents_ = value.contents_;
  begin_.type_ = value.type_;
  begin_.field_ = value.kind_ == Value::Kind::array ? value.field_ : nullptr;
  begin_.bytes_ = value.bytes_;
  begin_.left_ = value.size();
}

Value ValueElements::Iterator::operator*() const {
  if (contents_ == nullptr) return {};
  const ValueReader values(*contents_);
  if (field_ != nullptr) return values.element(*field_, bytes_);
  return values.field(type_->fields[type_->fields.size() - left_], bytes_);
}

ValueElements::Iterator& ValueElements::Iterator::operator++() {
  if (contents_ != nullptr && left_ > 1) {
    internal::ByteReader reader(bytes_, contents_->has_compressed_integers());
    if (field_ == nullptr) {
      contents_->layouts().skip_field(type_->fields[type_->fields.size() - left_], reader);
    } else if (field_->is_reference) {
      reader.key();
    } else {
      contents_->layouts().skip(*type_, reader);
    }
    if (reader.failed()) contents_ = nullptr;
    bytes_ = reader.rest();
  }
  --left_;
  return *this;
}

}  // namespace jfrtree
