// How the numbers of two sides are compared: as shares, as they are, or as rates.

const Comparing = Object.freeze({share: 'share', absolute: 'absolute', rate: 'per-second'});

const COMPARING_TEXTS = Object.freeze({
  share: 'share of the total', absolute: 'value as it is', 'per-second': 'value per second',
});

const ROUNDING = 1e-9;  // smaller relative changes come from dividing doubles

/** The ways in which a profile of a page with two sides can be compared. */
function possibleComparisons(diff, profile, sampleType) {
  const isEstimate = profile.sampleTypes[sampleType].name.startsWith('estimated_');
  const hasRate = diff.spans.every((span) => span > 0) && !profile.snapshot && !isEstimate;
  return hasRate ? Object.values(Comparing) : [Comparing.share, Comparing.absolute];
}

class Comparison {
  /** spans: nanoseconds of both sides; wholes: their totals in `unit`. */
  constructor(mode, spans, wholes, unit) {
    this.mode = mode;
    this.unit = unit;
    this.wholes = wholes;
    this.factors = wholes.map((whole, side) => {
      if (mode === Comparing.share) return whole > 0 ? 1 / whole : 0;
      return mode === Comparing.rate ? 1e9 / spans[side] : 1;
    });
  }

  /** A value of a side (0: left) in the measure in which both are compared. */
  scale(side, value) {
    return value * this.factors[side];
  }

  /** By how much the right value is more than the left one; exactly 0 where they are equal. */
  difference(left, right) {
    const [from, to] = [this.scale(0, left), this.scale(1, right)];
    return Math.abs(to - from) <= ROUNDING * Math.max(from, to) ? 0 : to - from;
  }

  /** The difference as a part of the larger value, from -1 (gone) to 1 (new). */
  change(left, right) {
    const difference = this.difference(left, right);
    return difference === 0
        ? 0 : difference / Math.max(this.scale(0, left), this.scale(1, right));
  }

  /** "new" or "gone" for what one side alone has, else empty. */
  presence(left, right) {
    if (left === 0) return right === 0 ? '' : 'new';
    return right === 0 ? 'gone' : '';
  }

  valueText(side, value) {
    if (this.mode === Comparing.share) return formatShare(value, this.wholes[side]);
    return this.amountText(this.scale(side, value));
  }

  /** "12.00% → 15.00%" */
  bothText(left, right) {
    return `${this.valueText(0, left)} → ${this.valueText(1, right)}`;
  }

  /** "+3.00 pp", "−12 ms", "0": the right value less the left one. */
  differenceText(left, right) {
    const difference = this.difference(left, right);
    if (difference === 0) return '0';
    const sign = difference < 0 ? '−' : '+';
    const size = Math.abs(difference);
    if (this.mode !== Comparing.share) return sign + this.amountText(size);
    return `${sign}${size < 0.00005 ? '<0.01' : (100 * size).toFixed(2)} pp`;
  }

  /** "+25%" of the left value; empty where there is none. */
  relativeText(left, right) {
    const from = this.scale(0, left);
    const difference = this.difference(left, right);
    if (from === 0 || right === 0 || difference === 0) return this.presence(left, right);
    const percent = 100 * difference / from;
    const digits = Math.abs(percent) < 10 ? 1 : 0;
    const text = Math.abs(percent).toLocaleString(
        'en-US', {minimumFractionDigits: digits, maximumFractionDigits: digits});
    return `${percent < 0 ? '−' : '+'}${text}%`;
  }

  amountText(amount) {
    if (this.mode !== Comparing.rate) return formatValue(amount, this.unit);
    if (this.unit === 'bytes') return `${formatBytes(amount)}/s`;
    if (this.unit === 'nanoseconds') return `${formatNanoseconds(amount)}/s`;
    return `${formatShort(amount)}${this.unit === 'count' ? '' : ` ${this.unit}`}/s`;
  }
}
