#include <algorithm>
#include <set>
#include <utility>

#include <jfrtree/event_rows.hpp>

#include "format/record_walk.hpp"
#include "profile/chunk_pipeline.hpp"
#include "profile/event_columns.hpp"
#include "profile/event_decoder.hpp"
#include "profile/scan_findings.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::EventTypePlan;
using internal::ProblemLog;

namespace {

/// Events that are walked before the wish to stop is asked again.
constexpr std::uint64_t stop_interval = 4096;

/// As many rows were read as were asked for: nothing more is to be read.
struct EnoughRows {};

/// The types of a request in one chunk.
struct ChunkTypes {
  std::vector<EventTypePlan> plans;
  std::vector<EventSchema> schemas;
  std::vector<std::vector<std::uint32_t>> chosen;  ///< cells of each plan that make a row
  internal::SeededMap<std::uint64_t, std::uint32_t> by_id;
  std::uint32_t caches = 0;
};

/// Positions of the wanted columns; columns that this chunk does not have are passed over.
[[nodiscard]] std::vector<std::uint32_t> choose_cells(const std::vector<EventColumn>& columns,
                                                      const std::vector<std::string>& wanted) {
  std::vector<std::uint32_t> cells;
  std::vector<bool> is_taken(columns.size(), false);
  for (const std::string& name : wanted) {
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
      if (is_taken[i] || !internal::names_column(name, columns[i].name)) continue;
      is_taken[i] = true;
      cells.push_back(i);
    }
  }
  return cells;
}

/// Hands the rows of one chunk after the other to the sink.
class RowHandler final : public internal::ChunkHandler {
 public:
  RowHandler(const EventRequest& request, EventSink& sink, const ReadOptions& options)
      : request_(request), sink_(sink), stop_(options.stop) {}

  void chunk(std::size_t, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& log) override {
    if (contents == nullptr) return;
    ++result_.statistics.chunks;
    result_.statistics.bytes += info.bytes;
    const ChunkTypes types = plan_types(*contents, log);
    if (result_.rows == request_.max_rows) throw EnoughRows();
    if (!types.schemas.empty()) sink_.begin_chunk(types.schemas);
    read_rows(*contents, types, log);
  }

  void collapsed(std::size_t, Input&, ProblemLog& log) override {
    log.problem(ErrorCode::not_a_recording, no_position, "collapsed stacks have no events");
  }

  [[nodiscard]] EventReadResult finish() {
    result_.declared_types.assign(declared_.begin(), declared_.end());
    return std::move(result_);
  }

 private:
  [[nodiscard]] ChunkTypes plan_types(const ChunkContents& contents, ProblemLog& log);
  [[nodiscard]] bool is_wanted(const Type& type) const;
  void read_rows(const ChunkContents& contents, const ChunkTypes& types, ProblemLog& log);
  void hand_out(const ChunkTypes& types, std::uint32_t number, internal::EventDecoder& decoder,
                const ChunkInfo& info);

  const EventRequest& request_;
  EventSink& sink_;
  internal::StopFlag stop_;
  EventReadResult result_;
  std::set<std::string, std::less<>> declared_;
  std::vector<EventCell> cells_;
  std::vector<EventCell> row_;
};

bool RowHandler::is_wanted(const Type& type) const {
  return std::any_of(
      request_.types.begin(), request_.types.end(),
      [&type](const std::string& name) { return matches_event_type(name, type.name); });
}

ChunkTypes RowHandler::plan_types(const ChunkContents& contents, ProblemLog& log) {
  ChunkTypes types;
  for (const Type& type : contents.metadata().types()) {
    // Of several types with one id the first counts.
    if (!type.is_event() || contents.metadata().find(type.id) != &type) continue;
    if (!declared_.contains(type.name)) declared_.insert(type.name);
    if (!is_wanted(type)) continue;
    if (!type.is_decodable) {
      log.problem(ErrorCode::bad_metadata, contents.info.offset,
                  "the event type " + type.name + " cannot be decoded; its events are left out");
      continue;
    }
    EventTypePlan plan = internal::plan_columns(contents.metadata(), type, request_.stacks,
                                                request_.columns, types.caches);
    if (plan.has_cut_columns) {
      log.problem(ErrorCode::limit_exceeded, contents.info.offset,
                  "the event type " + type.name + " has too many columns; some are left out");
    }
    types.caches += plan.caches;
    EventSchema schema{type.name, std::string(type.label()), {}};
    std::vector<std::uint32_t> chosen;
    if (request_.columns.empty()) {
      schema.columns = plan.plan.columns;
    } else {
      chosen = choose_cells(plan.plan.columns, request_.columns);
      for (const std::uint32_t cell : chosen) schema.columns.push_back(plan.plan.columns[cell]);
    }
    types.by_id.emplace(raw(type.id), static_cast<std::uint32_t>(types.plans.size()));
    types.plans.push_back(std::move(plan));
    types.schemas.push_back(std::move(schema));
    types.chosen.push_back(std::move(chosen));
  }
  return types;
}

void RowHandler::read_rows(const ChunkContents& contents, const ChunkTypes& types,
                           ProblemLog& log) {
  internal::EventDecoder decoder(contents, request_.frames, types.caches);
  internal::ScanFindings findings;
  std::uint64_t last_type = ~std::uint64_t{0};
  std::uint32_t number = 0;
  bool is_wanted = false;
  std::uint64_t walked = 0;
  const auto visit = [&](const internal::Record& record) {
    if (++walked % stop_interval == 0) stop_.check();
    if (record.type == internal::metadata_record || record.type == internal::checkpoint_record) {
      return;
    }
    ++result_.statistics.events;
    if (record.type != last_type) {
      last_type = record.type;
      const auto found = types.by_id.find(record.type);
      is_wanted = found != types.by_id.end();
      if (is_wanted) number = found->second;
    }
    if (!is_wanted) return;
    const internal::StructPlan& plan = types.plans[number].plan;
    cells_.resize(plan.columns.size());
    if (decoder.decode(plan, record.payload, cells_.data())) {
      hand_out(types, number, decoder, contents.info);
    } else {
      findings.overruns.add(record.offset);
    }
  };
  const std::uint64_t end =
      internal::walk_records(contents.bytes, contents.has_compressed_integers(), visit);
  internal::report_lost_rest(contents.info, contents.bytes.size(), end, log);
  findings.report(contents.info, log);
  decoder.report(log);
}

void RowHandler::hand_out(const ChunkTypes& types, std::uint32_t number,
                          internal::EventDecoder& decoder, const ChunkInfo& info) {
  const int start_cell = types.plans[number].start_cell;
  const EventCell* const start =
      start_cell < 0 ? nullptr : &cells_[static_cast<std::size_t>(start_cell)];
  const bool has_start = start != nullptr && start->kind == EventCell::Kind::integer;
  if (!request_.time.contains(has_start ? start->integer : info.header.start_ns)) return;
  EventValues values;
  values.schema = number;
  values.frame_texts = &decoder.frame_texts();
  values.cells = cells_;
  if (!request_.columns.empty()) {
    row_.clear();
    for (const std::uint32_t cell : types.chosen[number]) row_.push_back(cells_[cell]);
    values.cells = row_;
  }
  sink_.row(values);
  if (++result_.rows == request_.max_rows) throw EnoughRows();
}

}  // namespace

EventReadResult read_events(std::vector<Source> sources, const EventRequest& request,
                            EventSink& sink, const ReadOptions& options) {
  // Rows come in the order of the file: one chunk after the other.
  ReadOptions in_order = options;
  in_order.threads = 1;
  internal::ThreadTeam team(in_order.threads, internal::StopFlag(options.stop));
  RowHandler handler(request, sink, in_order);
  internal::ChunkPipeline pipeline(sources, in_order, {true, {}}, handler, team);
  try {
    pipeline.run();
  } catch (const EnoughRows&) {
    // The rest is not read.
  }
  EventReadResult result = handler.finish();
  result.problems = pipeline.problems();
  if (options.strict) internal::throw_first_problem(result.problems);
  return result;
}

}  // namespace jfrtree
