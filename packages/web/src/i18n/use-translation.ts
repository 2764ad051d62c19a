import { Setting, useSetting } from '../lib/browser-storage.ts';
import type { en } from './en.ts';
import type { enAccount } from './en-account.ts';
import type { enSheets } from './en-sheets.ts';

export type MessageKey = keyof typeof en | keyof typeof enSheets | keyof typeof enAccount;
export type Language = 'en' | 'zh';
export type Dictionary = Record<MessageKey, string>;

/** The loaded texts by language. Only languages in use are loaded, and texts of spreadsheets only with their page. */
const dictionaries: Partial<Record<Language, Partial<Dictionary>>> = {};
const sheetTexts: Partial<Record<Language, Partial<Dictionary>>> = {};
/** Texts of the account pages, which are loaded with them. */
const accountTexts: Partial<Record<Language, Partial<Dictionary>>> = {};

export const language = new Setting<Language>(
  'language',
  ['en', 'zh'],
  navigator.language.startsWith('zh') ? 'zh' : 'en',
);

/** Loads the texts of a language. The page first renders after the initial language is loaded. */
export async function loadLanguage(value: Language = language.get()): Promise<void> {
  dictionaries[value] ??= value === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en;
}

export async function loadSheetTexts(value: Language = language.get()): Promise<void> {
  sheetTexts[value] ??=
    value === 'zh' ? (await import('./zh-sheets.ts')).zhSheets : (await import('./en-sheets.ts')).enSheets;
}

async function loadAccountTexts(value: Language = language.get()): Promise<void> {
  accountTexts[value] ??=
    value === 'zh' ? (await import('./zh-account.ts')).zhAccount : (await import('./en-account.ts')).enAccount;
}

/** Resolves to the account pages, once their texts are loaded too. */
export async function withAccountTexts<T>(module: Promise<T>): Promise<T> {
  await loadAccountTexts();
  return module;
}

/** Resolves to a module that shows spreadsheets, once the texts of spreadsheets are loaded too. */
export async function withSheetTexts<T>(module: Promise<T>): Promise<T> {
  await loadSheetTexts();
  return module;
}

export async function setLanguage(value: Language): Promise<void> {
  const hasSheets = sheetTexts[language.get()] !== undefined;
  const hasAccount = accountTexts[language.get()] !== undefined;
  await Promise.all([loadLanguage(value), hasSheets && loadSheetTexts(value), hasAccount && loadAccountTexts(value)]);
  document.documentElement.lang = value === 'zh' ? 'zh-CN' : 'en';
  language.set(value);
}

export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string;

const translators = new Map<Language, Translate>();

export function translatorFor(chosen: Language): Translate {
  let text = translators.get(chosen);
  if (!text) {
    text = (key, values) =>
      // Falls back to the key in a worker, which has no dictionary and shows no text. `{count|row|rows}` selects the
      // singular or plural form by `count`.
      (dictionaries[chosen]?.[key] ?? sheetTexts[chosen]?.[key] ?? accountTexts[chosen]?.[key] ?? key).replace(
        /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g,
        (whole, name: string, one?: string, many?: string) =>
          one === undefined ? String(values?.[name] ?? whole) : Number(values?.[name]) === 1 ? one : many!,
      );
    translators.set(chosen, text);
  }
  return text;
}

export function useTranslation(): Translate {
  return translatorFor(useSetting(language));
}

export function useLanguage(): Language {
  return useSetting(language);
}
