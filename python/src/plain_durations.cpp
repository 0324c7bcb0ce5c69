#include "plain_durations.hpp"

#include <cstring>
#include <utility>

#include <jfrtree/arrow_c_data.hpp>

#include "arrow_capsules.hpp"

namespace jfrtree::python {
namespace {

// Both are 64 bit integers: only the name of the type differs.
void make_plain(ArrowSchema& schema) {
  if (std::strcmp(schema.format, "tDn") == 0) schema.format = "l";
  for (std::int64_t i = 0; i < schema.n_children; ++i) make_plain(*schema.children[i]);
  if (schema.dictionary != nullptr) make_plain(*schema.dictionary);
}

ArrowArrayStream& inner(ArrowArrayStream* stream) {
  return *static_cast<ArrowArrayStream*>(stream->private_data);
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  const int error = inner(stream).get_schema(&inner(stream), schema);
  if (error == 0) make_plain(*schema);
  return error;
}

int get_next(ArrowArrayStream* stream, ArrowArray* batch) {
  return inner(stream).get_next(&inner(stream), batch);
}

const char* get_last_error(ArrowArrayStream* stream) {
  return inner(stream).get_last_error(&inner(stream));
}

void release(ArrowArrayStream* stream) {
  ArrowArrayStream* const taken = &inner(stream);
  taken->release(taken);
  delete taken;  // NOLINT(*-owning-memory)
  stream->release = nullptr;
}

}  // namespace

py::capsule plain_durations(const py::capsule& stream) {
  auto* const given =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(stream.ptr(), "arrow_array_stream"));
  if (given == nullptr) throw py::error_already_set();
  if (given->release == nullptr) throw py::value_error("the stream is used up");
  return stream_capsule([given](ArrowArrayStream* made) {
    auto* const taken = new ArrowArrayStream(*given);  // NOLINT(*-owning-memory)
    given->release = nullptr;
    *made = {get_schema, get_next, get_last_error, release, taken};
  });
}

}  // namespace jfrtree::python
