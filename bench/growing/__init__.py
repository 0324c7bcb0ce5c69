"""The parts of bench/growth."""
