type Theme = 'light' | 'dark' | 'system';

const KEY = 'carepost-theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

// A cookie, since signing out clears everything else that this site keeps in the browser.
function read(): Theme {
  const kept = new RegExp(`(?:^|; )${KEY}=(\\w+)`).exec(document.cookie)?.[1];
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

function apply(): void {
  const theme = read();
  document.documentElement.dataset.theme = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
}

/** Shows the dashboard light or dark, and keeps to what the device does where nothing was chosen. */
export function startTheme(): void {
  dark.addEventListener('change', apply);
  apply();
}

/** Chooses an appearance for this browser. */
export function chooseTheme(theme: Theme): void {
  const age = theme === 'system' ? 0 : 365 * 24 * 3600;
  document.cookie = `${KEY}=${theme}; path=/app; max-age=${age}; samesite=strict`;
  apply();
}
