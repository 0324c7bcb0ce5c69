#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <jfrtree/arrow.hpp>
#include <jfrtree/spool.hpp>

#include "export/arrow/event_batches.hpp"
#include "io/background_thread.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree {

using internal::arrow::ColumnPointer;
using internal::arrow::EventBatchBuilder;

namespace {

/// How often the caller's wish to stop is looked at while a batch is awaited.
constexpr std::chrono::milliseconds stop_interval{20};

/// Inputs that may have to be read twice: pipes and the like are kept in a temporary file.
class RepeatedSources {
 public:
  RepeatedSources(std::vector<Source> sources, bool is_repeated, const ReadOptions& options)
      : sources_(std::move(sources)), spools_(sources_.size()) {
    for (std::size_t i = 0; is_repeated && i < sources_.size(); ++i) {
      Source& source = sources_[i];
      std::error_code error;
      const bool is_open = source.input != nullptr;
      if (is_open ? source.input->size().has_value()
                  : std::filesystem::is_regular_file(source.path, error)) {
        continue;
      }
      const std::shared_ptr<Input> input =
          is_open ? std::exchange(source.input, nullptr)
                  : std::shared_ptr<Input>(open_input(source.path, options.limits, options.stop));
      spools_[i].emplace(*input, options.stop);
      if (const auto& problem = spools_[i]->problem()) problems_.push_back(*problem);
    }
  }

  [[nodiscard]] std::vector<Source> open() const {
    std::vector<Source> sources = sources_;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (spools_[i]) sources[i].input = spools_[i]->open();
    }
    return sources;
  }
  /// Why inputs ended before their end.
  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Source> sources_;
  std::vector<std::optional<Spool>> spools_;
  std::vector<Problem> problems_;
};

[[nodiscard]] std::vector<EventColumn> find_columns(const RepeatedSources& sources,
                                                    const EventRequest& request,
                                                    const ReadOptions& options) {
  const std::vector<EventSchema> schemas =
      read_event_schemas(sources.open(), request.types, request.stacks, options);
  return choose_columns(unite_columns(schemas), request.columns);
}

}  // namespace

/// The reading thread puts batches into a queue of bounded length, the owner takes them out.
class EventStream::Reader final : public EventSink {
 public:
  Reader(std::vector<Source> sources, EventRequest request, ReadOptions read,
         EventStreamOptions options)
      : request_(std::move(request)),
        read_(std::move(read)),
        caller_stop_(read_.stop),
        sources_(std::move(sources), options.columns.empty(), read_),
        batches_(options.columns.empty() ? find_columns(sources_, request_, read_)
                                         : choose_columns(options.columns, request_.columns),
                 options.with_type, options.batch_rows, read_.limits.frame_bytes),
        most_waiting_(options.waiting_batches == 0 ? 1 : options.waiting_batches) {
    read_.stop = &stop_;
  }
  ~Reader() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  [[nodiscard]] const internal::arrow::Field& schema() const noexcept { return batches_.schema(); }
  [[nodiscard]] ColumnPointer next();
  [[nodiscard]] EventReadResult& result() noexcept { return result_; }

  void begin_chunk(std::span<const EventSchema> schemas) override { batches_.begin_chunk(schemas); }
  void row(const EventValues& values) override {
    if (batches_.is_full()) hand_over();
    batches_.append(values);
  }

 private:
  void work() noexcept;
  void hand_over();

  EventRequest request_;
  ReadOptions read_;
  internal::StopFlag caller_stop_;
  RepeatedSources sources_;
  EventBatchBuilder batches_;  // of the reading thread, once it is started
  std::size_t most_waiting_;
  EventReadResult result_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ColumnPointer> waiting_;
  bool is_done_ = false;
  std::exception_ptr error_;
  std::atomic<bool> stop_{false};

  internal::BackgroundThread thread_;
};

ColumnPointer EventStream::Reader::next() {
  if (!thread_.is_started()) thread_.start([this] { work(); });
  std::unique_lock lock(mutex_);
  while (waiting_.empty() && !is_done_) {
    if (caller_stop_.is_set()) {
      stop_ = true;
      changed_.notify_all();
      throw Interrupted();
    }
    changed_.wait_for(lock, stop_interval);
  }
  if (!waiting_.empty()) {
    ColumnPointer batch = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return batch;
  }
  if (error_) std::rethrow_exception(error_);
  return nullptr;
}

void EventStream::Reader::work() noexcept {
  std::exception_ptr error;
  try {
    result_ = read_events(sources_.open(), request_, *this, read_);
    const std::vector<Problem>& spooled = sources_.problems();
    result_.problems.insert(result_.problems.begin(), spooled.begin(), spooled.end());
    if (batches_.rows() > 0) hand_over();
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  error_ = error;
  is_done_ = true;
  changed_.notify_all();
}

void EventStream::Reader::hand_over() {
  ColumnPointer batch = batches_.finish();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stop_ || waiting_.size() < most_waiting_; });
  if (stop_) throw Interrupted();
  waiting_.push_back(std::move(batch));
  changed_.notify_all();
}

EventStream::EventStream(std::vector<Source> sources, EventRequest request, ReadOptions read,
                         EventStreamOptions options)
    : reader_(std::make_unique<Reader>(std::move(sources), std::move(request), std::move(read),
                                       std::move(options))) {}

EventStream::~EventStream() = default;

void EventStream::export_schema(ArrowSchema* schema) const {
  internal::arrow::export_field(reader_->schema(), schema);
}

bool EventStream::next(ArrowArray* batch) {
  *batch = {};
  const ColumnPointer column = reader_->next();
  if (!column) return false;
  internal::arrow::export_column(column, batch);
  return true;
}

const EventReadResult& EventStream::result() const noexcept { return reader_->result(); }

namespace {

/// What a C stream over an event stream holds.
struct CStream {
  std::shared_ptr<EventStream> events;
  std::string error;
};

[[nodiscard]] CStream& state_of(ArrowArrayStream* stream) noexcept {
  return *static_cast<CStream*>(stream->private_data);
}

/// Runs `work`; C code must not see exceptions.
template <typename Work>
[[nodiscard]] int run(ArrowArrayStream* stream, Work work) noexcept {
  CStream& state = state_of(stream);
  state.error.clear();
  const auto fail = [&state](const char* message, int code) {
    try {
      state.error = message;
    } catch (const std::exception&) {
      return ENOMEM;
    }
    return code;
  };
  try {
    work(*state.events);
    return 0;
  } catch (const std::bad_alloc&) {
    return fail("out of memory", ENOMEM);
  } catch (const Interrupted& interrupted) {
    return fail(interrupted.what(), EINTR);
  } catch (const std::exception& error) {
    return fail(error.what(), EIO);
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  return run(stream, [schema](EventStream& events) { events.export_schema(schema); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* array) {
  return run(stream, [array](EventStream& events) { (void)events.next(array); });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const std::string& error = state_of(stream).error;
  return error.empty() ? nullptr : error.c_str();
}

void release(ArrowArrayStream* stream) {
  delete &state_of(stream);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

}  // namespace

void export_stream(std::shared_ptr<EventStream> events, ArrowArrayStream* stream) {
  auto state = std::make_unique<CStream>();
  state->events = std::move(events);
  *stream = {get_schema, get_next, get_last_error, release, state.release()};
}

}  // namespace jfrtree
