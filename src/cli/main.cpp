#include "cli/run.hpp"

int main(int argc, char** argv) { return jfrtree::cli::run(argc, argv); }
