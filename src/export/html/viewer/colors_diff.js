// Colours of a change: red for more, blue for less, which most people with a colour vision
// deficiency tell apart, and grey for the same.

const Coloring = Object.freeze({change: 'change', package: 'package'});
const COLORING_TEXTS = Object.freeze({change: 'change', package: 'package'});

const STEPS = 24;  // shades on either side of grey

class ChangeColors {
  constructor(dark) {
    this.dark = dark;
    this.fills = Array.from({length: 2 * STEPS + 1}, (_, i) => this.shade((i - STEPS) / STEPS));
  }

  /** change: from -1 (gone) to 1 (new). Small ones are made visible. */
  fill(change) {
    const strength = Math.sign(change) * Math.sqrt(Math.min(1, Math.abs(change)));
    return this.fills[Math.round(strength * STEPS) + STEPS];
  }

  shade(strength) {
    const part = Math.abs(strength);
    const hue = strength > 0 ? 8 : 212;
    const mix = (from, to) => (from + (to - from) * part).toFixed(1);
    return this.dark
        ? `hsl(${hue} ${mix(0, 62)}% ${mix(31, strength > 0 ? 38 : 40)}%)`
        : `hsl(${hue} ${mix(0, 86)}% ${mix(86, strength > 0 ? 70 : 71)}%)`;
  }
}

/** One colour for each extent of a change, from gone to new. */
function fillChangeLegend(list, colors) {
  const examples = [
    [-1, 'gone'], [-0.25, 'less'], [0, 'the same'], [0.25, 'more'], [1, 'new'],
  ];
  list.replaceChildren(...examples.map(
      ([change, text]) => legendItem(text, colors.fill(change))));
}
