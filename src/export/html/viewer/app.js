// The page: what is shown, and everything that changes it. Every change ends in refresh().

class App {
  constructor(data) {
    this.data = data;
    this.trees = data.profiles.map(() => null);
    this.histories = data.profiles.map(() => new ZoomHistory());
    this.view = new FlameView(
        this.element('canvas'), this.element('scroller'), this.element('spacer'));
    const Table = data.diff ? DiffTable : MethodTable;
    this.table = new Table(this.element('methods'), (name) => this.chooseMethod(name));
    this.tooltip = new Tooltip(this.element('tooltip'));
    this.state = {
      profile: 0, sampleType: 0, layout: Layout.flame, table: true, selected: -1,
      comparing: data.diff?.comparison ?? '', coloring: Coloring.change,
    };
    this.search = new Search(data, '', SearchMode.text);
    this.hits = [];
    this.hit = -1;
    this.scene = null;
    this.input = new FlameInput(this, this.tooltip);
    this.theme = new Theme((dark, choice) => this.recolor(dark, choice));
    connectControls(this);
    this.restore(location.hash);
    addEventListener('hashchange', () => this.restore(location.hash));
  }

  element(id) {
    return document.getElementById(id);
  }

  get profile() {
    return this.data.profiles[this.state.profile];
  }

  get history() {
    return this.histories[this.state.profile];
  }

  get tree() {
    const index = this.state.profile;
    const {diff, strings, profiles} = this.data;
    return this.trees[index] ??= diff
        ? new DiffTree(profiles[index], strings, diff.spans)
        : new CallTree(profiles[index], strings);
  }

  get sampleType() {
    return this.profile?.sampleTypes[this.state.sampleType];
  }

  // Changes

  setProfile(index) {
    this.state.profile = index;
    this.state.sampleType = this.profile.defaultSampleType;
    this.state.selected = -1;
    this.refresh();
    this.announce(this.summary());
  }

  setComparing(mode) {
    this.state.comparing = mode;
    this.refresh();
    this.announce(`Compared by ${COMPARING_TEXTS[this.comparing]}`);
  }

  /** The comparison asked for, or the first one where the profile has no such. */
  get comparing() {
    if (!this.data.diff || !this.profile) return '';
    const possible = possibleComparisons(this.data.diff, this.profile, this.state.sampleType);
    return possible.includes(this.state.comparing) ? this.state.comparing : possible[0];
  }

  setColoring(coloring) {
    this.state.coloring = coloring;
    this.refresh();
  }

  toggleColoring() {
    if (!this.data.diff) return;
    const {coloring} = this.state;
    this.setColoring(coloring === Coloring.change ? Coloring.package : Coloring.change);
  }

  setSampleType(index) {
    this.state.sampleType = index;
    this.refresh();
    this.announce(this.summary());
  }

  zoomTo(node) {
    if (!this.scene || !(node >= 0 && node < this.tree.count)) return;
    this.history.visit(this.tree.nearestWithTotal(node, this.state.sampleType));
    this.arriveAt(this.history.current);
  }

  back() {
    if (this.scene && this.history.canGoBack) this.arriveAt(this.history.back());
  }

  forward() {
    if (this.scene && this.history.canGoForward) this.arriveAt(this.history.forward());
  }

  reset() {
    this.zoomTo(0);
  }

  arriveAt(node) {
    this.state.selected = node;
    this.refresh(true);
    if (!this.scene) return;
    this.view.scrollToRow(this.tree.level[node]);
    this.announce(`Zoomed to ${describeFrame(this.scene, node)}`);
  }

  select(node) {
    if (!this.scene) return;
    const {zoom} = this.scene;
    if (!this.tree.contains(zoom, node) && !this.tree.contains(node, zoom)) return;
    this.state.selected = node;
    this.scene.selected = node;
    this.view.scrollToRow(this.tree.level[node]);
    this.view.requestDraw();
    this.showDetails(node);
    this.announce(describeFrame(this.scene, node));
  }

  hover(node) {
    this.view.hover(node);
    this.showDetails(node >= 0 ? node : this.restingNode());
  }

  setQuery(query, mode = this.search.mode) {
    this.search = new Search(this.data, query, mode);
    this.hit = -1;
    this.refresh();
    if (this.search.active && this.scene) this.announce(this.matchedInFull);
  }

  /** A method picked in the table is searched by its whole name; picked again, it is let go. */
  chooseMethod(name) {
    const again = this.search.mode === SearchMode.whole && this.search.query === name;
    if (again) this.setQuery('', SearchMode.text);
    else this.setQuery(name, SearchMode.whole);
  }

  stepHit(step) {
    if (this.hits.length === 0) return;
    const from = this.hit < 0 && step < 0 ? 0 : this.hit;
    this.hit = (from + step + this.hits.length) % this.hits.length;
    const node = this.hits[this.hit];
    const zoom = zoomThatShows(this.scene, node, this.view.width);
    if (zoom !== this.scene.zoom) {
      this.history.visit(zoom);
      this.refresh(true);
    }
    this.select(node);
    showMatched(this);
  }

  toggleLayout() {
    this.state.layout = this.state.layout === Layout.flame ? Layout.icicle : Layout.flame;
    this.refresh();
  }

  toggleTable() {
    this.state.table = !this.state.table;
    this.refresh();
  }

  recolor(dark, choice) {
    this.colors = new FrameColors(this.data.strings, dark);
    this.changeColors = this.data.diff ? new ChangeColors(dark) : null;
    this.view.readScheme();
    fillLegend(this.element('legend'), this.colors);
    if (this.data.diff) fillChangeLegend(this.element('change-legend'), this.changeColors);
    this.element('theme').title = `Colour scheme: ${choice}`;
    if (this.scene) this.refresh();
  }

  async copyName() {
    const node = this.view.hovered >= 0 ? this.view.hovered : this.restingNode();
    if (!this.scene || node < 0) return;
    await copyText(this.tree.name(node));
    this.element('copy').textContent = 'Copied';
    setTimeout(() => { this.element('copy').textContent = 'Copy name'; }, 1200);
    this.announce('Name copied');
  }

  // Showing

  refresh(moving = false) {
    this.tooltip.hide();
    this.scene = this.makeScene();
    this.hits = this.scene && this.search.active
        ? this.search.hits(this.tree, this.state.sampleType) : [];
    this.view.show(this.scene, moving);
    showControls(this);
    showMatched(this);
    showMessage(this);
    this.showTable();
    this.showDetails(this.restingNode());
    storeFragment(encodeState(this.describeState()));
  }

  /** What the view needs to draw; null where there is nothing to draw. */
  makeScene() {
    if (!this.profile || this.profile.nodes.level.length === 0) return null;
    const {sampleType, layout, selected} = this.state;
    const {tree, search, colors} = this;
    tree.compareBy?.(this.comparing);
    const changeColors = this.state.coloring === Coloring.change ? this.changeColors : null;
    if (!(tree.measure(sampleType).total[0] > 0)) return null;
    const zoom = tree.nearestWithTotal(this.history.current, sampleType);
    const {unit} = this.sampleType;
    return {tree, sampleType, unit, zoom, layout, search, colors, changeColors, selected};
  }

  showTable() {
    this.element('methods').hidden = !this.state.table;
    if (!this.profile || !this.state.table) return;
    this.table.show(this.profile.top, {
      strings: this.data.strings,
      sampleType: this.state.sampleType,
      sampleName: this.sampleType.name,
      unit: this.sampleType.unit,
      whole: this.scene ? this.tree.measure(this.state.sampleType).total[0] : 0,
      search: this.search,
      comparison: this.tree.measure(this.state.sampleType).comparison,
    });
  }

  restingNode() {
    if (!this.scene) return -1;
    return this.state.selected >= 0 ? this.state.selected : this.scene.zoom;
  }

  showDetails(node) {
    const name = this.element('detail-name');
    const numbers = this.element('detail-numbers');
    this.element('details').hidden = !this.scene;
    if (!this.scene || node < 0) return;
    name.textContent = displayText(this.tree.name(node));
    name.title = name.textContent;
    numbers.title = exactNumbers(this.scene, node);
    fillNumbers(numbers, frameNumbers(this.scene, node));
  }

  summary() {
    if (!this.scene) return this.element('message').textContent;
    const values = this.tree.sides(this.state.sampleType).map(
        ({total}) => formatValue(total[0], this.scene.unit));
    return `${this.profile.kind}, ${this.sampleType.name}: total ${values.join(' → ')}`;
  }

  announce(text) {
    this.element('announcer').textContent = text;
  }

  // State in the URL

  describeState() {
    const {profile, scene, search, state} = this;
    return {
      kind: this.data.profiles.length > 1 && state.profile > 0 ? profile.kind : '',
      type: state.sampleType === profile?.defaultSampleType ? '' : this.sampleType?.name,
      query: search.query,
      mode: search.mode,
      zoom: scene ? encodeZoom(this.tree, scene.zoom) : '',
      layout: state.layout,
      table: state.table,
      comparing: state.comparing === this.data.diff?.comparison ? '' : state.comparing,
      coloring: state.coloring,
    };
  }

  restore(fragment) {
    const wanted = decodeState(fragment);
    const index = this.data.profiles.findIndex(({kind}) => kind === wanted.kind);
    this.state.profile = Math.max(0, index);
    if (this.profile) {
      const type = this.profile.sampleTypes.findIndex(({name}) => name === wanted.type);
      this.state.sampleType = type >= 0 ? type : this.profile.defaultSampleType;
      if (this.profile.nodes.level.length > 0) {
        this.history.visit(decodeZoom(this.tree, wanted.zoom));
      }
    }
    this.state.layout = wanted.layout;
    this.state.table = wanted.table;
    if (this.data.diff) {
      this.state.comparing = wanted.comparing || this.data.diff.comparison;
      this.state.coloring = wanted.coloring;
    }
    this.state.selected = -1;
    this.search = new Search(this.data, wanted.query, wanted.mode);
    this.hit = -1;
    this.refresh();
    if (this.scene) this.view.scrollToRow(this.tree.level[this.scene.zoom]);
  }
}

const NARROWEST_HIT = 12;  // pixels

/** The zoom nearest to the present one in which a node can be seen. */
function zoomThatShows(scene, node, width) {
  const {tree, zoom, sampleType} = scene;
  const {total} = tree.measure(sampleType);
  let common = zoom;
  while (!tree.contains(common, node) && !tree.contains(node, common)) common = tree.parent[common];
  const wide = (i) => total[node] / total[i] * width >= NARROWEST_HIT;
  if (tree.contains(node, common) || wide(common)) return common;
  let nearest = node;
  for (const ancestor of tree.pathUp(node)) {
    if (!wide(ancestor)) break;
    nearest = ancestor;
  }
  return nearest;
}
