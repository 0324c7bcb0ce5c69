// The table of methods: self and total of each frame text, computed before the tree was cut.

const ROWS_AT_FIRST = 50;
const ROWS_MORE = 200;

class MethodTable {
  /** onChoose(name) is called when a reader picks a method. */
  constructor(section, onChoose) {
    this.section = section;
    this.onChoose = onChoose;
    this.body = section.querySelector('tbody');
    this.caption = section.querySelector('caption');
    this.count = section.querySelector('#table-count');
    this.more = section.querySelector('#more');
    this.sort = {column: 'self', ascending: false};
    this.limit = ROWS_AT_FIRST;
    this.headers = [...section.querySelectorAll('th')];
    for (const header of this.headers) {
      const button = header.querySelector('button');
      button.addEventListener('click', () => this.sortBy(header.dataset.column));
    }
    this.more.addEventListener('click', () => {
      this.limit += ROWS_MORE;
      this.render();
    });
    this.body.addEventListener('click', (event) => {
      const row = event.target.closest('tr');
      if (row && getSelection().isCollapsed) this.onChoose(this.strings[Number(row.dataset.frame)]);
    });
  }

  /** top: the columns; view: {strings, sampleType, sampleName, unit, whole, search}. */
  show(top, view) {
    // Moving about in the graph changes nothing here.
    if (this.top === top && this.view.sampleType === view.sampleType
        && this.view.search === view.search && this.view.comparison === view.comparison) return;
    if (this.top !== top) this.limit = ROWS_AT_FIRST;
    this.top = top;
    this.view = view;
    this.strings = view.strings;
    this.render();
  }

  sortBy(column) {
    const ascending = this.sort.column === column ? !this.sort.ascending : column === 'name';
    this.sort = {column, ascending};
    this.limit = ROWS_AT_FIRST;
    this.render();
  }

  /** Positions in the columns, in the order of the table; a search by text keeps what it finds. */
  shownRows() {
    const {top, view} = this;
    const rows = this.sortedRows();
    const filtering = view.search.active && view.search.mode !== SearchMode.whole;
    return filtering ? rows.filter((i) => view.search.matchesFrame[top.frame[i]] === 1) : rows;
  }

  /** All positions in their order, which typing a query does not change. */
  sortedRows() {
    const {top, strings, sort, sorted} = this;
    const {sampleType, comparison} = this.view;
    if (sorted?.top === top && sorted.sampleType === sampleType && sorted.sort === sort
        && sorted.comparison === comparison) {
      return sorted.rows;
    }
    const [self, total] = ['self', 'total'].map((column) => {
      const weight = this.weight(column);
      return Float64Array.from(top.frame, (_, i) => weight(i));
    });
    const positions = Int32Array.from(top.frame.keys()).filter((i) => this.has(i));
    const byName = (a, b) => {
      const [left, right] = [strings[top.frame[a]], strings[top.frame[b]]];
      return left < right ? -1 : left > right ? 1 : 0;
    };
    const compare = {
      name: byName,
      self: (a, b) => self[a] - self[b] || total[a] - total[b] || byName(b, a),
      total: (a, b) => total[a] - total[b] || self[a] - self[b] || byName(b, a),
    }[sort.column];
    const rows = positions.sort(sort.ascending ? compare : (a, b) => compare(b, a));
    this.sorted = {top, sampleType, sort, comparison, rows};
    return rows;
  }

  /** Whether the table has a row for a position. */
  has(position) {
    return this.top.total[this.view.sampleType][position] > 0;
  }

  /** What a column, 'self' or 'total', is ordered by. */
  weight(column) {
    const values = this.top[column][this.view.sampleType];
    return (position) => values[position];
  }

  /** Set apart by style, and said behind the name: 'new', 'gone' or nothing. */
  rowClass() {
    return '';
  }

  captionText() {
    return `Methods by self and total, ${this.view.sampleName}`;
  }

  render() {
    for (const header of this.headers) {
      if (header.dataset.column === this.sort.column) {
        header.setAttribute('aria-sort', this.sort.ascending ? 'ascending' : 'descending');
      } else {
        header.removeAttribute('aria-sort');
      }
    }
    const rows = this.shownRows();
    const shownRows = Array.from(rows.subarray(0, this.limit), (row) => this.makeRow(row));
    this.body.replaceChildren(...shownRows);
    this.caption.textContent = this.captionText();
    const shown = Math.min(rows.length, this.limit);
    this.count.textContent = shown < rows.length
        ? `${formatCount(shown)} of ${formatCount(rows.length)} methods`
        : `${formatCount(rows.length)} ${rows.length === 1 ? 'method' : 'methods'}`;
    this.more.hidden = shown === rows.length;
  }

  makeRow(position) {
    const {top, view} = this;
    const frame = top.frame[position];
    const row = document.createElement('tr');
    const chosen = view.search.active && view.search.mode === SearchMode.whole
        && view.search.matchesFrame[frame] === 1;
    row.dataset.frame = frame;
    row.classList.toggle('chosen', chosen);
    row.append(
        this.nameCell(this.strings[frame], chosen, this.rowClass(position)),
        ...this.numberCells('self', position), ...this.numberCells('total', position));
    return row;
  }

  nameCell(name, chosen, mark) {
    const cell = document.createElement('td');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'method';
    button.setAttribute('aria-pressed', String(chosen));
    const kind = frameKind(name);
    const {packageName, classAndMember} = kind === FrameKind.java || kind === FrameKind.type
        ? splitJavaName(name, kind === FrameKind.type) : {packageName: '', classAndMember: name};
    const muted = document.createElement('span');
    muted.className = 'package';
    muted.append(...breakable(displayText(packageName)));
    button.append(muted, ...breakable(displayText(classAndMember)));
    cell.append(button);
    if (mark !== '') {
      const badge = textElement('span', mark);
      badge.className = `badge ${mark}`;
      cell.append(' ', badge);
    }
    return cell;
  }

  numberCells(column, position) {
    const {sampleType, unit, whole} = this.view;
    const value = this.top[column][sampleType][position];
    const number = document.createElement('td');
    number.className = 'number';
    number.textContent = formatValue(value, unit);
    number.classList.toggle('muted', value === 0);
    const share = document.createElement('td');
    share.className = 'number share';
    share.textContent = formatShare(value, whole);
    share.classList.toggle('muted', value === 0);
    share.style.setProperty('--part', String(whole > 0 ? 100 * value / whole : 0));
    return [number, share];
  }
}

/** A name as nodes that a line may break behind its dots. */
function breakable(name) {
  return name.split(/(?<=[./])/).flatMap(
      (part, i) => i === 0 ? [part] : [document.createElement('wbr'), part]);
}
