// The header's controls: what they do, and what they show.

const TYPING_PAUSE = 120;  // milliseconds
const LEAST_TOLD_SHARE = 0.01;      // of a profile, when it was cut
const LEAST_SHOWN_SHARE = 0.00005;  // what formatShare writes as a number

function connectControls(app) {
  const on = (id, event, action) => app.element(id).addEventListener(event, action);
  on('kind', 'change', (event) => app.setProfile(event.target.selectedIndex));
  on('sample-type', 'change', (event) => app.setSampleType(event.target.selectedIndex));
  on('back', 'click', () => app.back());
  on('forward', 'click', () => app.forward());
  on('reset', 'click', () => app.reset());
  on('layout', 'click', () => app.toggleLayout());
  on('show-table', 'click', () => app.toggleTable());
  on('theme', 'click', () => app.theme.toggle());
  on('help', 'click', () => app.element('help-dialog').showModal());
  on('notes', 'click', () => app.element('notes-dialog').showModal());
  on('copy', 'click', () => app.copyName());
  on('next-hit', 'click', () => app.stepHit(1));
  on('previous-hit', 'click', () => app.stepHit(-1));
  connectSearch(app, on);
  fillFixedTexts(app);
  if (app.data.diff) connectDiff(app, on);
}

function connectSearch(app, on) {
  const field = app.element('query');
  let timer = 0;
  // A name picked from the table is no longer that name once the reader edits it.
  const typedMode = () => app.search.mode === SearchMode.regex ? SearchMode.regex : SearchMode.text;
  const searchNow = (mode) => {
    clearTimeout(timer);
    app.setQuery(field.value, mode);
  };
  const toggleMode = (mode) => searchNow(app.search.mode === mode ? SearchMode.text : mode);
  on('query', 'input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => app.setQuery(field.value, typedMode()), TYPING_PAUSE);
  });
  on('query', 'keydown', (event) => {
    if (event.key !== 'Enter') return;
    if (field.value !== app.search.query) searchNow(typedMode());
    app.stepHit(event.shiftKey ? -1 : 1);
  });
  on('regex', 'click', () => toggleMode(SearchMode.regex));
  on('whole', 'click', () => toggleMode(SearchMode.whole));
  on('clear', 'click', () => {
    app.setQuery('', SearchMode.text);
    field.focus();
  });
}

/** The line about two sides: what they are, how they are compared and coloured. */
function connectDiff(app, on) {
  app.element('diff').hidden = false;
  for (const element of document.querySelectorAll('.of-diff')) element.hidden = false;
  fillSelect(app.element('coloring'), Object.values(COLORING_TEXTS));
  on('coloring', 'change', (event) => {
    app.setColoring(Object.values(Coloring)[event.target.selectedIndex]);
  });
  on('comparing', 'change', (event) => app.setComparing(event.target.value));
}

function showDiff(app) {
  const {data, profile, state} = app;
  if (!data.diff || !profile) return;
  const sides = app.tree.sides(state.sampleType);
  ['left', 'right'].forEach((id, side) => {
    const name = app.element(`${id}-name`);
    name.textContent = displayText(data.diff.names[side]);
    name.title = name.textContent;
    const span = data.diff.spans[side];
    const value = formatValue(sides[side].total[0], app.sampleType.unit);
    app.element(`${id}-total`).textContent =
        span > 0 ? `${value} in ${formatNanoseconds(span)}` : value;
  });
  const possible = possibleComparisons(data.diff, profile, state.sampleType);
  const select = app.element('comparing');
  fillSelect(select, possible.map((mode) => COMPARING_TEXTS[mode]));
  possible.forEach((mode, i) => { select.options[i].value = mode; });
  select.value = app.comparing;
  app.element('coloring').selectedIndex = Object.values(Coloring).indexOf(state.coloring);
  app.element('change-legend').hidden = state.coloring !== Coloring.change;
}

/** What does not change while the page is open. */
function fillFixedTexts(app) {
  const {data} = app;
  app.element('title').textContent = displayText(data.title);
  app.element('title').title = displayText(data.title);
  app.element('generator').textContent = `Made by ${data.generator}.`;
  const labels = data.labels ?? [];
  app.element('labels').hidden = labels.length === 0;
  app.element('labels').textContent = labels.map(displayText).join(' \u00b7 ');
  const notes = data.notes ?? [];
  app.element('notes').hidden = notes.length === 0;
  app.element('notes').textContent = notes.length === 1 ? '1 note' : `${notes.length} notes`;
  app.element('note-list').replaceChildren(...notes.map((note) => textElement('li', note)));
  fillSelect(app.element('kind'), data.profiles.map(
      ({kind, snapshot}) => snapshot ? `${kind} (snapshot)` : kind));
}

function textElement(tag, text) {
  const element = document.createElement(tag);
  element.textContent = displayText(text);
  return element;
}

function fillSelect(select, texts) {
  const shown = [...select.options].map(({text}) => text);
  if (JSON.stringify(shown) === JSON.stringify(texts)) return;
  select.replaceChildren(...texts.map((text) => textElement('option', text)));
  select.disabled = texts.length < 2;
  select.parentElement.hidden = texts.length === 0;
}

function showControls(app) {
  const {profile, state, history, search} = app;
  app.element('kind').selectedIndex = state.profile;
  const types = profile ? profile.sampleTypes.map(({name}) => name) : [];
  fillSelect(app.element('sample-type'), types);
  app.element('sample-type').selectedIndex = state.sampleType;
  app.element('back').disabled = !history?.canGoBack;
  app.element('forward').disabled = !history?.canGoForward;
  app.element('reset').disabled = !app.scene || app.scene.zoom === 0;
  app.element('layout').setAttribute('aria-pressed', String(state.layout === Layout.icicle));
  app.element('show-table').setAttribute('aria-pressed', String(state.table));
  const field = app.element('query');
  if (field.value !== search.query) field.value = search.query;
  app.element('regex').setAttribute('aria-pressed', String(search.mode === SearchMode.regex));
  app.element('whole').setAttribute('aria-pressed', String(search.mode === SearchMode.whole));
  app.element('clear').hidden = search.query === '';
  showDiff(app);
  showCanvasLabel(app);
  showCut(app);
}

function showCanvasLabel(app) {
  const {scene} = app;
  app.element('canvas').setAttribute('aria-label', scene
      ? `Flame graph, ${app.summary()}. ${formatCount(scene.tree.count)} nodes. `
        + 'Arrow keys go from frame to frame, Enter zooms, Escape goes back.'
      : 'Flame graph, empty');
}

/** Says what was cut from the tree shown where that is enough to matter. */
function showCut(app) {
  const line = app.element('cut');
  const {profile, scene} = app;
  const {total, folded} = scene ? scene.tree.measure(scene.sampleType) : {total: [0], folded: 0};
  line.hidden = !(folded > 0 && folded >= LEAST_TOLD_SHARE * total[0]);
  if (line.hidden) return;
  const options = [];
  if (profile.cut.maxNodes > 0) options.push(`--max-nodes ${profile.cut.maxNodes}`);
  if (profile.cut.minWidth > 0) options.push(`--min-width ${profile.cut.minWidth}`);
  const reason = options.length > 0 ? `, cut by ${options.join(' and ')} (0 keeps all)` : '';
  line.textContent = `${formatShare(folded, total[0])} of ${app.sampleType.name} is in (other)`
      + `${reason}. The table has all stacks.`;
}

/** "12.34% matched", or what is known of it. In full it has both bounds, else the lower one. */
function boundsText({low, high}, whole, inFull) {
  const [least, most] = [formatShare(low, whole), formatShare(high, whole)];
  if (least === most) return most;
  if (low < LEAST_SHOWN_SHARE * whole) return high < whole ? `at most ${most}` : '0–100%';
  return inFull && high < whole ? `at least ${least}, at most ${most}` : `at least ${least}`;
}

function boundsValue({low, high}, whole, unit) {
  const [least, most] = [formatValue(low, unit), formatValue(high, unit)];
  const value = least === most ? least : `${least} to ${most}`;
  return `${value} of ${formatValue(whole, unit)}`;
}

/** The share of the profile that matches, of the zoomed part too, and which hit is shown. */
function showMatched(app) {
  const {search, scene, hits, hit} = app;
  const output = app.element('matched');
  app.element('hits').hidden = search.query === '';
  output.classList.toggle('error', search.error !== '');
  output.textContent = search.error;
  output.title = '';
  app.element('next-hit').disabled = app.element('previous-hit').disabled = hits.length === 0;
  if (!search.active || !scene) return;
  const {tree, sampleType, zoom, unit} = scene;
  const sides = tree.sides(sampleType).map(({total}, side) => ({
    total,
    matched: search.matchedTotal(tree, sampleType, app.profile.top, side),
    within: search.matchedWithin(tree, total, zoom),
  }));
  const both = (text) => sides.map(text).join(' → ');
  const shares = (inFull) => {
    const texts = [`${both((side) => boundsText(side.matched, side.total[0], inFull))} matched`];
    if (zoom > 0) {
      texts.push(
          `${both((side) => boundsText(side.within, side.total[zoom], inFull))} of zoomed`);
    }
    return texts;
  };
  const texts = shares(false);
  if (hits.length > 0) {
    const count = formatCount(hits.length);
    const all = `${count} ${hits.length === 1 ? 'hit' : 'hits'}`;
    texts.push(hit < 0 ? all : `${formatCount(hit + 1)} of ${count}`);
  } else if (sides.some(({matched}) => matched.low > 0)) {
    texts.push('all in (other)');
  }
  const isExact = sides.every(({matched, within}) =>
    matched.low === matched.high && (zoom === 0 || within.low === within.high));
  output.textContent = texts.join(' · ');
  const values = both(({matched, total}) => boundsValue(matched, total[0], unit));
  output.title = `${values}, each stack counted once`
      + (isExact ? '' : `: ${shares(true).join(', ')}. What was cut into (other) is known by the `
        + 'totals of methods alone.');
  app.matchedInFull = [...shares(true), ...texts.slice(shares(true).length)].join(', ');
}

/** Says why there is nothing to see. */
function showMessage(app) {
  const message = app.element('message');
  message.hidden = app.scene !== null;
  if (app.scene) return;
  const {profile} = app;
  if (!profile) {
    message.textContent = 'There is no profile in this page.';
  } else if ([...profile.nodes.self, ...(profile.nodes.rightSelf ?? [])].some(
      (self) => self.some((value) => value > 0))) {
    message.textContent = `No ${app.sampleType.name} in this profile.\n`
        + 'Another value has some: choose it above.';
  } else {
    message.textContent = `No ${profile.kind} samples here.\n`
        + 'The recording has none in this time range, or filters left them all out.';
  }
}

/** One colour of each kind of frame, by names that are of that kind. */
function fillLegend(list, colors) {
  const examples = [
    ['java.util.HashMap.get', FrameKind.java], ['java.lang.String', FrameKind.type],
    ['JavaThread::run', FrameKind.native], ['do_syscall_64_[k]', FrameKind.kernel],
    ['[main tid=1]', FrameKind.marker], [OTHER_NAME, FrameKind.other],
  ];
  list.replaceChildren(...examples.map(
      ([name, kind]) => legendItem(kind, colors.fillOfName(name))));
}

/** Copies a text; pages that may not use the clipboard interface select and copy. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}
