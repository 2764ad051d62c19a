import { Setting, useSetting } from '../lib/browser-storage.ts';
import type { en } from './en.ts';
import type { enAccount } from './en-account.ts';
import type { enComments } from './en-comments.ts';
import type { enKnowledge } from './en-knowledge.ts';
import type { enSheets } from './en-sheets.ts';

type PartKey = keyof typeof enSheets | keyof typeof enAccount | keyof typeof enKnowledge | keyof typeof enComments;
export type MessageKey = keyof typeof en | PartKey;
export type Language = 'en' | 'zh';
export type Dictionary = Record<MessageKey, string>;

/** A group of texts that only some pages and dialogs need. It is loaded with their code. */
type Part = 'sheets' | 'account' | 'knowledge' | 'comments';

const parts: Record<Part, Record<Language, () => Promise<Partial<Dictionary>>>> = {
  sheets: {
    en: async () => (await import('./en-sheets.ts')).enSheets,
    zh: async () => (await import('./zh-sheets.ts')).zhSheets,
  },
  account: {
    en: async () => (await import('./en-account.ts')).enAccount,
    zh: async () => (await import('./zh-account.ts')).zhAccount,
  },
  knowledge: {
    en: async () => (await import('./en-knowledge.ts')).enKnowledge,
    zh: async () => (await import('./zh-knowledge.ts')).zhKnowledge,
  },
  comments: {
    en: async () => (await import('./en-comments.ts')).enComments,
    zh: async () => (await import('./zh-comments.ts')).zhComments,
  },
};

/**
 * The loaded texts by language: `dictionaries` for every page, `partTexts` for the pages opened so far. Only the
 * languages in use are loaded.
 */
const dictionaries: Partial<Record<Language, Partial<Dictionary>>> = {};
const partTexts: Partial<Record<Language, Partial<Record<Part, Partial<Dictionary>>>>> = {};

export const language = new Setting<Language>(
  'language',
  ['en', 'zh'],
  navigator.language.startsWith('zh') ? 'zh' : 'en',
);

/** Loads the translations of a language. The page is first rendered after its initial language is loaded. */
export async function loadLanguage(value: Language = language.get()): Promise<void> {
  dictionaries[value] ??= value === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en;
}

async function loadPart(part: Part, value: Language = language.get()): Promise<void> {
  const loaded = (partTexts[value] ??= {});
  loaded[part] ??= await parts[part][value]();
}

export const loadSheetTexts = (): Promise<void> => loadPart('sheets');

/** Resolves to the module once the module and the translations that it uses are loaded. */
async function withPart<T>(part: Part, module: Promise<T>): Promise<T> {
  await loadPart(part);
  return module;
}

export const withSheetTexts = <T>(module: Promise<T>): Promise<T> => withPart('sheets', module);
export const withAccountTexts = <T>(module: Promise<T>): Promise<T> => withPart('account', module);
export const withKnowledgeTexts = <T>(module: Promise<T>): Promise<T> => withPart('knowledge', module);
export const withCommentTexts = <T>(module: Promise<T>): Promise<T> => withPart('comments', module);

export async function setLanguage(value: Language): Promise<void> {
  const used = Object.keys(partTexts[language.get()] ?? {}) as Part[];
  await Promise.all([loadLanguage(value), ...used.map((part) => loadPart(part, value))]);
  document.documentElement.lang = value === 'zh' ? 'zh-CN' : 'en';
  language.set(value);
}

export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string;

function partText(chosen: Language, key: MessageKey): string | undefined {
  return Object.values(partTexts[chosen] ?? {}).find((texts) => texts[key] !== undefined)?.[key];
}

const translators = new Map<Language, Translate>();

export function translatorFor(chosen: Language): Translate {
  let text = translators.get(chosen);
  if (!text) {
    text = (key, values) =>
      // In a worker no texts are loaded, so `text` returns the key itself. The placeholder `{count|row|rows}` selects
      // singular or plural by `count`.
      (dictionaries[chosen]?.[key] ?? partText(chosen, key) ?? key).replace(
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
