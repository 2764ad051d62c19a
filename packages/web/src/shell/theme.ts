import { Setting } from '../lib/browser-storage.ts';

export type Theme = 'system' | 'light' | 'dark';

export const theme = new Setting<Theme>('theme', ['system', 'light', 'dark'], 'system');

export function setTheme(value: Theme): void {
  if (value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = value;
  theme.set(value);
}

export function nextTheme(): void {
  const dark = theme.get() === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme.get() === 'dark';
  setTheme(dark ? 'light' : 'dark');
}
