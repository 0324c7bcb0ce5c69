#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/event.hpp>
#include <jfrtree/export.hpp>

// Level 1: chunks, their metadata, and events as bytes.
void count_events(const jfrtree::Chunk& chunk) {
  std::uint64_t events = 0;
  for ([[maybe_unused]] const jfrtree::RawEvent& raw : chunk) ++events;
  std::cout << "chunk " << chunk.info().number << ": " << events << " events\n";
}

// Level 2: fields of events by name, also through references to constants.
void print_longest_wait(const jfrtree::Chunk& chunk) {
  const jfrtree::Type* type = chunk.metadata().find("jdk.JavaMonitorEnter");
  std::uint64_t longest = 0;
  std::string where;
  for (const jfrtree::RawEvent& raw : chunk) {
    if (type == nullptr || raw.type != type->id) continue;
    const jfrtree::Event event(chunk, raw);
    if (event.duration_ns() <= longest) continue;
    longest = event.duration_ns();
    where = event.at("stackTrace.frames.0.method.name").text() + " on " +
            event.at("monitorClass.name").text();
  }
  if (longest > 0) std::cout << "longest wait: " << longest << " ns in " << where << '\n';
}

// Level 3: all samples of a kind, summed by stack; methods, call tree, output formats.
void write_flame_graph(const std::vector<std::string>& paths, const std::string& target) {
  jfrtree::ProfileRequest request;
  request.kinds = {"cpu"};
  const jfrtree::ProfileSet set = jfrtree::read_profiles(paths, request);
  const jfrtree::Profile& cpu = set.profiles.front();
  const jfrtree::MethodSums hottest = jfrtree::method_sums(cpu, 0).front();
  std::cout << "cpu: " << cpu.count << " samples, " << hottest.self[0] << " of them in "
            << cpu.frame_table->text(hottest.frame) << '\n';
  const jfrtree::CallTree tree = jfrtree::build_call_tree(cpu);
  const auto output = jfrtree::open_output(target);
  jfrtree::write_flamebearer(*output, tree, 0);
  output->commit();
}

int main(int argc, char** argv) try {
  if (argc != 3) throw jfrtree::UsageError("usage: consumer RECORDING OUT.flamebearer.json");
  const auto input = jfrtree::open_input(argv[1]);
  jfrtree::ChunkReader reader(*input);
  while (const auto chunk = reader.next()) {
    count_events(*chunk);
    print_longest_wait(*chunk);
  }
  write_flame_graph({argv[1]}, argv[2]);
} catch (const jfrtree::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
