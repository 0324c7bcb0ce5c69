// The numbers of a frame as label and text, for the tooltip, the details and the announcements.

/** [[label, text]…]: self, total, shares of the whole, the parent and the zoomed frame. */
function frameNumbers(scene, node) {
  const {tree, sampleType, unit, zoom} = scene;
  const {self, total} = tree.measure(sampleType);
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

function withShare(value, whole, unit) {
  return `${formatValue(value, unit)} (${formatShare(value, whole)})`;
}

/** Numbers with every digit, where the short form leaves some out. */
function exactNumbers(scene, node) {
  const {self, total} = scene.tree.measure(scene.sampleType);
  const unit = scene.unit === 'count' ? '' : ` ${scene.unit}`;
  return `self ${formatCount(self[node])}${unit}, total ${formatCount(total[node])}${unit}`;
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
