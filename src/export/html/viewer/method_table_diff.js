// The table of methods of two sides: what changed most comes first.

const ChangeFilter = Object.freeze({
  all: 'all methods', changed: 'changed', new: 'new', gone: 'gone', grown: 'grown',
  shrunk: 'shrunk',
});

class DiffTable extends MethodTable {
  constructor(section, onChoose) {
    super(section, onChoose);
    this.filter = 'all';
    const select = section.querySelector('#changes');
    fillSelect(select, Object.values(ChangeFilter));
    select.addEventListener('change', () => {
      this.filter = Object.keys(ChangeFilter)[select.selectedIndex];
      this.limit = ROWS_AT_FIRST;
      this.sorted = null;
      this.render();
    });
    section.querySelector('.table-tools').hidden = false;
  }

  /** [left, right] of a column, 'self' or 'total', at a position. */
  numbers(column, position) {
    const {sampleType} = this.view;
    return [this.top[column][sampleType][position], this.top.right[column][sampleType][position]];
  }

  has(position) {
    const [left, right] = this.numbers('total', position);
    if (left === 0 && right === 0) return false;
    const {comparison} = this.view;
    const presence = comparison.presence(left, right);
    const self = comparison.difference(...this.numbers('self', position));
    const total = comparison.difference(left, right);
    switch (this.filter) {
      case 'changed': return self !== 0 || total !== 0;
      case 'grown': return self > 0 || total > 0;
      case 'shrunk': return self < 0 || total < 0;
      case 'all': return true;
      default: return presence === this.filter;
    }
  }

  /** Orders by the extent of the change, then by the larger number. */
  weight(column) {
    const {comparison} = this.view;
    return (position) => Math.abs(comparison.difference(...this.numbers(column, position)));
  }

  rowClass(position) {
    return this.view.comparison.presence(...this.numbers('total', position));
  }

  numberCells(column, position) {
    const {comparison} = this.view;
    const [left, right] = this.numbers(column, position);
    const change = comparison.difference(left, right);
    const difference = textElement('span', comparison.differenceText(left, right));
    difference.className = change > 0 ? 'grown' : change < 0 ? 'shrunk' : 'muted';
    const both = textElement('span', comparison.bothText(left, right));
    both.className = 'both muted';
    const cell = document.createElement('td');
    cell.className = 'number';
    cell.colSpan = 2;
    cell.append(difference, ' ', both);
    return [cell];
  }

  captionText() {
    return `Methods by change of self and total, ${this.view.sampleName}, `
        + COMPARING_TEXTS[this.view.comparison.mode];
  }
}
