// The page's state in the URL fragment, so that a link or a reload shows the same picture:
// kind, type (sample type), q and mode (search), zoom (node.hash of its path), layout, table; of two
// sides also by (how they are compared) and colors.

function encodeState(state) {
  const fields = new URLSearchParams();
  if (state.kind) fields.set('kind', state.kind);
  if (state.type) fields.set('type', state.type);
  if (state.query) fields.set('q', state.query);
  if (state.query && state.mode !== SearchMode.text) fields.set('mode', state.mode);
  if (state.zoom) fields.set('zoom', state.zoom);
  if (state.layout !== Layout.flame) fields.set('layout', state.layout);
  if (!state.table) fields.set('table', 'off');
  if (state.comparing) fields.set('by', state.comparing);
  if (state.coloring !== Coloring.change) fields.set('colors', state.coloring);
  return fields.toString();
}

function decodeState(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const mode = fields.get('mode');
  return {
    kind: fields.get('kind') ?? '',
    type: fields.get('type') ?? '',
    query: fields.get('q') ?? '',
    mode: Object.hasOwn(SearchMode, mode ?? '') ? mode : SearchMode.text,
    zoom: fields.get('zoom') ?? '',
    layout: fields.get('layout') === Layout.icicle ? Layout.icicle : Layout.flame,
    table: fields.get('table') !== 'off',
    comparing: Object.hasOwn(Comparing, fields.get('by') ?? '') ? fields.get('by') : '',
    coloring: fields.get('colors') === Coloring.package ? Coloring.package : Coloring.change,
  };
}

function encodeZoom(tree, node) {
  return node === 0 ? '' : `${node}.${tree.pathHashes()[node].toString(16)}`;
}

/** The node of a zoom field, also in a page made anew where the same path has another number. */
function decodeZoom(tree, text) {
  const [, digits, hex] = /^(\d{1,9})\.([0-9a-f]{1,8})$/.exec(text) ?? [];
  if (digits === undefined) return 0;
  const node = Number(digits);
  const hash = parseInt(hex, 16);
  const hashes = tree.pathHashes();
  if (hashes[node] === hash) return node;
  return Math.max(0, hashes.indexOf(hash));
}

/** Replaces the fragment; embedded pages (about:srcdoc) may not have one, which is no fault. */
function storeFragment(fragment) {
  try {
    history.replaceState(null, '', fragment === '' ? location.href.split('#')[0] : `#${fragment}`);
  } catch (fault) {
    if (!(fault instanceof DOMException)) throw fault;
  }
}
