import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

/** The displayed theme: the chosen one, otherwise the system's. */
function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return system.matches ? 'dark' : 'light';
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  system.addEventListener('change', changed);
  return () => {
    listeners.delete(changed);
    system.removeEventListener('change', changed);
  };
}

/** Keeps the choice where `theme.js` finds it before the next page is drawn. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be closed to pages; the choice then holds until the next load.
  }
  for (const changed of listeners) changed();
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);
