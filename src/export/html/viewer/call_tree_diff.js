// The call tree of two sides. A bar is as wide as what both sides have there, in the measure in
// which they are compared, so that bars of one side alone are seen too.

class DiffTree extends CallTree {
  constructor(profile, strings, spans) {
    super(profile, strings);
    this.spans = spans;
    this.units = profile.sampleTypes.map(({unit}) => unit);
    this.rightSelf = profile.nodes.rightSelf;
    this.mode = Comparing.share;
    this.sideMeasures = this.self.map(() => null);
  }

  compareBy(mode) {
    if (mode === this.mode) return;
    this.mode = mode;
    this.measures.fill(null);
  }

  /** {self, total} of the left and of the right side, as they are. */
  sides(sampleType) {
    return this.sideMeasures[sampleType] ??= [this.self, this.rightSelf].map((columns) => {
      const self = columns[sampleType];
      return {self, total: this.totalsOf(self)};
    });
  }

  makeMeasure(sampleType) {
    const [left, right] = this.sides(sampleType);
    const wholes = [left.total[0], right.total[0]];
    const comparison = new Comparison(this.mode, this.spans, wholes, this.units[sampleType]);
    const self = left.self.map(
        (value, i) => comparison.scale(0, value) + comparison.scale(1, right.self[i]));
    return {...this.arrange(self), comparison};
  }
}
