import { Setting, useSetting } from '../lib/settings.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type TextKey = keyof typeof en;
export type Language = 'en' | 'zh';

const dictionaries: Record<Language, Record<TextKey, string>> = { en, zh };

export const language = new Setting<Language>('language', ['en', 'zh'], navigator.language.startsWith('zh') ? 'zh' : 'en');

export function setLanguage(value: Language): void {
  document.documentElement.lang = value === 'zh' ? 'zh-CN' : 'en';
  language.set(value);
}

export type Text = (key: TextKey, values?: Record<string, string | number>) => string;

const inLanguage = new Map<Language, Text>();

export function textIn(chosen: Language): Text {
  let text = inLanguage.get(chosen);
  if (!text) {
    text = (key, values) => dictionaries[chosen][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole));
    inLanguage.set(chosen, text);
  }
  return text;
}

export function useText(): Text {
  return textIn(useSetting(language));
}

export function useLanguage(): Language {
  return useSetting(language);
}
