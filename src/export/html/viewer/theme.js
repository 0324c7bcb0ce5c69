// Light or dark: the system's choice unless the reader chose another.

const THEME_KEY = 'jfrtree-theme';
const THEMES = ['auto', 'light', 'dark'];

class Theme {
  constructor(onChange) {
    this.onChange = onChange;
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.choice = this.load();
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get dark() {
    return this.choice === 'auto' ? this.system.matches : this.choice === 'dark';
  }

  /** From what is seen to its opposite, and from there back to the system's choice. */
  toggle() {
    const opposite = this.system.matches ? 'light' : 'dark';
    this.choice = this.choice === opposite ? 'auto' : opposite;
    this.save();
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    this.onChange(this.dark, this.choice);
  }

  // Pages from disk and in frames may be denied storage; the choice then lasts as long as the page.
  load() {
    try {
      const stored = localStorage.getItem(THEME_KEY);
      return THEMES.includes(stored) ? stored : 'auto';
    } catch {
      return 'auto';
    }
  }

  save() {
    try {
      localStorage.setItem(THEME_KEY, this.choice);
    } catch {
      return;
    }
  }
}
