export function groupBy(values, keyOf) {
  const groups = {};
  for (const value of values) {
    (groups[keyOf(value)] ??= []).push(value);
  }
  return groups;
}
