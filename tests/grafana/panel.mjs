// Gives nested-set rows to the code by which Grafana's flame graph panel makes its tree, and checks
// what comes out. Usage: node panel.mjs ROWS.json..., rows as `nested-set-json` writes them.

import {readFileSync} from 'node:fs';
import {FlameGraphDataContainer}
  from './node_modules/@grafana/flamegraph/dist/esm/FlameGraph/dataTransform.mjs';

const COLUMNS = ['label', 'level', 'value', 'self', 'valueRight', 'selfRight'];

function dataFrame(rows) {
  const fields = COLUMNS.filter((name) => name in rows[0]).map((name) => ({
    name, type: name === 'label' ? 'string' : 'number', config: {},
    values: rows.map((row) => row[name]),
  }));
  return {length: rows.length, fields};
}

function require(condition, what) {
  if (!condition) throw new Error(what);
}

// The panel draws a box per row from `start` on, as wide as both sides have there together.
function checkBox(container, box, depth) {
  require(box.level === depth, `a box of level ${box.level} at depth ${depth}`);
  const parent = box.parents?.[0];
  require(!parent || (box.start >= parent.start &&
                      box.start + box.value <= parent.start + parent.value),
          `${container.getLabel(box.itemIndexes[0])} is not inside its parent`);
  const children = box.children.reduce((sum, child) => sum + child.value, 0);
  const self = container.getSelf(box.itemIndexes) + container.getSelfRight(box.itemIndexes);
  require(children + self === box.value,
          `${container.getLabel(box.itemIndexes[0])}: ${children} below and ${self} of itself are ` +
          `not ${box.value}`);
}

function check(rows) {
  const container = new FlameGraphDataContainer(dataFrame(rows), {collapsing: true});
  const levels = container.getLevels();
  require(levels[0].length === 1, `${levels[0].length} roots`);
  levels.forEach((boxes, depth) => {
    let end = -1;
    for (const box of boxes) {
      require(box.start >= end, `boxes overlap at depth ${depth}`);
      end = box.start + box.value;
      checkBox(container, box, depth);
    }
  });
  const shown = levels.flat();
  require(shown.length === rows.length, `${shown.length} boxes of ${rows.length} rows`);
  const labels = (names) => [...names].sort().join('\n');
  require(labels(shown.map((box) => container.getLabel(box.itemIndexes[0]))) ===
          labels(rows.map(({label}) => label)), 'labels are lost');
  // The sandwich view merges all boxes of a name.
  container.getSandwichLevels(rows[rows.length - 1].label);
  return {rows: rows.length, depth: levels.length, root: levels[0][0].value};
}

let failed = false;
for (const path of process.argv.slice(2)) {
  try {
    console.log(path, JSON.stringify(check(JSON.parse(readFileSync(path, 'utf8')))));
  } catch (error) {
    console.log(`FAILED: ${path}: ${error.message}`);
    failed = true;
  }
}
process.exitCode = failed ? 1 : 0;
