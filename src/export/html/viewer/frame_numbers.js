// The numbers of a frame as label and text, for the tooltip, the details and the announcements.

/** [[label, text]…]: self, total, shares of the whole, the parent and the zoomed frame. */
function frameNumbers(scene, node) {
  const {tree, sampleType, unit, zoom} = scene;
  const {self, total, comparison} = tree.measure(sampleType);
  if (comparison) return comparedNumbers(scene, node, comparison);
  const value = total[node];
  const parent = tree.parent[node];
  const numbers = [
    ['Self', withShare(self[node], total[0], unit)],
    ['Total', withShare(value, total[0], unit)],
  ];
  if (parent > 0) numbers.push(['Of parent', formatShare(value, total[parent])]);
  if (zoom > 0 && zoom !== node && tree.contains(zoom, node)) {
    numbers.push(['Of zoomed', formatShare(value, total[zoom])]);
  }
  return numbers;
}

/** The same of both sides, and what changed: "3 (1.00%) → 6 (2.00%), +1.00 pp, +100%". */
function comparedNumbers({tree, sampleType, unit}, node, comparison) {
  const [left, right] = tree.sides(sampleType);
  const numbers = [];
  for (const [label, column] of [['Self', 'self'], ['Total', 'total']]) {
    const values = [left[column][node], right[column][node]];
    const shown = values.map((value, side) => withShare(value, comparison.wholes[side], unit));
    const rates = comparison.mode === Comparing.rate ? [comparison.bothText(...values)] : [];
    numbers.push([label, [shown.join(' → '), ...rates].join(', ')]);
    const change = [comparison.differenceText(...values), comparison.relativeText(...values)];
    numbers.push([`${label} change`, change.filter((text) => text !== '').join(', ')]);
  }
  return numbers;
}

function withShare(value, whole, unit) {
  return `${formatValue(value, unit)} (${formatShare(value, whole)})`;
}

/** Numbers with every digit, where the short form leaves some out. */
function exactNumbers(scene, node) {
  const unit = scene.unit === 'count' ? '' : ` ${scene.unit}`;
  return scene.tree.sides(scene.sampleType).map(({self, total}) =>
    `self ${formatCount(self[node])}${unit}, total ${formatCount(total[node])}${unit}`).join(' → ');
}

/** Fills a description list with numbers. */
function fillNumbers(list, numbers) {
  list.replaceChildren(...numbers.map(([label, text]) => {
    const row = document.createElement('div');
    const term = document.createElement('dt');
    const value = document.createElement('dd');
    term.textContent = label;
    value.textContent = text;
    row.append(term, value);
    return row;
  }));
}

/** One sentence about a frame, for a screen reader. */
function describeFrame(scene, node) {
  const {tree} = scene;
  const parts = frameNumbers(scene, node).map(([label, text]) => `${label} ${text}`);
  const place = `level ${tree.level[node]}`;
  return `${displayText(tree.name(node))}. ${parts.join(', ')}, ${place}.`;
}
