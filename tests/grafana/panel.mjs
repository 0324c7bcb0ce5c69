// Gives files to the code of Grafana's flame graph panel and checks what it makes of them.
//
// Usage: panel.mjs FOLDER FILE...
//   FOLDER is what `fetch` made. A FILE is a data frame, an array of rows, or ClickHouse's JSON.
// Prints a line of JSON for each file: {rows, depth, root, right}, or {error}.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const numbers = ['level', 'value', 'self', 'valueRight', 'selfRight'];

function frameOfRows(rows) {
  const names = ['label', ...numbers].filter((name) => rows.length > 0 && name in rows[0]);
  return {
    length: rows.length,
    fields: names.map((name) => ({
      name,
      type: name === 'label' ? 'string' : 'number',
      config: {},
      values: rows.map((row) => (name === 'label' ? row[name] : Number(row[name]))),
    })),
  };
}

function frameOfJson({ schema, data }) {
  return {
    name: schema.name,
    length: data.values[0].length,
    fields: schema.fields.map((field, index) => ({
      name: field.name, type: field.type, config: field.config ?? {}, values: data.values[index],
    })),
  };
}

function frameOf(document) {
  if (document.schema) {
    return frameOfJson(document);
  }
  return frameOfRows(Array.isArray(document) ? document : document.data);
}

function column(frame, name) {
  return frame.fields.find((field) => field.name === name)?.values;
}

// The panel itself takes jumps for what they look like.
function checkLevels(levels) {
  levels.forEach((level, row) => {
    if (level === 0 ? row !== 0 : row === 0 || level > levels[row - 1] + 1) {
      throw new Error(`row ${row}: level ${level} cannot be there`);
    }
  });
}

function checkBox(container, box, depth, end) {
  const parent = box.parents?.[0];
  const last = box.start + box.value;
  const self = container.getSelf(box.itemIndexes) + container.getSelfRight(box.itemIndexes);
  const below = box.children.reduce((sum, child) => sum + child.value, 0);
  if (box.level !== depth || box.start < end) {
    throw new Error(`a box of level ${depth} overlaps the one before`);
  }
  if (parent && (box.start < parent.start || last > parent.start + parent.value)) {
    throw new Error(`a box of level ${depth} is outside of its parent`);
  }
  if (self + below !== box.value) {
    throw new Error(`a box of level ${depth} is not the sum of self and children`);
  }
  return last;
}

function check(Container, frame) {
  checkLevels(column(frame, 'level'));
  const container = new Container(frame, { collapsing: true });
  const levels = container.getLevels();
  let boxes = 0;
  levels.forEach((level, depth) => {
    let end = 0;
    for (const box of level) {
      end = checkBox(container, box, depth, end);
      boxes += 1;
    }
  });
  if (boxes !== frame.length || levels[0].length !== 1) {
    throw new Error('rows are lost, or there is more than one root');
  }
  const labels = column(frame, 'label');
  labels.forEach((label, row) => {
    if (container.getLabel(row) !== label) {
      throw new Error(`row ${row}: the panel shows another label`);
    }
  });
  container.getSandwichLevels(labels[labels.length - 1]);
  return {
    rows: boxes, depth: levels.length, root: levels[0][0].value,
    right: column(frame, 'valueRight')?.[0], unit: column(frame, 'value') && frame.fields.find(
      (field) => field.name === 'value').config.unit,
  };
}

const [folder, ...files] = process.argv.slice(2);
const { FlameGraphDataContainer } = await import(pathToFileURL(
  `${folder}/node_modules/@grafana/flamegraph/dist/esm/FlameGraph/dataTransform.mjs`));
for (const file of files) {
  let found;
  try {
    found = check(FlameGraphDataContainer, frameOf(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    found = { error: error.message };
  }
  console.log(JSON.stringify(found));
}
