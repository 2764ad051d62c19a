import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decode, FormatError, formatKinds, checkFormat, type FormatKind } from '../../src/index.ts';

/**
 * Measures which share of the words that other programs find in files is found here:
 *   npm run conformance -- words FILES TEXTS [--misses N]
 * FILES is a folder of documents, TEXTS a folder with the text of each as `<file name>.txt`, made by pdftotext, or by
 * LibreOffice converting to PDF and pdftotext.
 *
 * A word is a run of two or more letters and combining marks, in lower case and NFKC. Digits end a word, because numbers of
 * notes and lists, which programs compute, stand right beside words; Roman numerals are left out for the same reason.
 * Han, Kana, Hangul and Thai are compared character by character, because those scripts do not separate words. A word
 * counts once a file, however often it occurs. It is found if our text has it as a word, or if our text without white
 * space and hyphens contains it: PDF separates words by position only, and breaks them at line ends. A file's share is
 * found words by all words; a format's share is the mean over the files in which the other program found a word. A file
 * that fails here has the share 0; one that the other program could not open, or that is not of the format its name says,
 * is left out.
 */
export async function main(args: string[]): Promise<number> {
  const [files = '', texts = ''] = args;
  const misses = Number(args[args.indexOf('--misses') + 1]) || 0;
  const shares = new Map<string, { file: string; share: number; missing: string[]; error: string }[]>();
  for (const name of readdirSync(files).toSorted()) {
    const kind = kindOf(name);
    const text = readIfThere(join(texts, `${name}.txt`));
    const wanted = text === undefined ? new Set<string>() : wordsOf(text);
    if (kind === undefined || wanted.size === 0) continue;
    const bytes = new Uint8Array(readFileSync(join(files, name)));
    if (!(await isOf(bytes, kind))) continue;
    const { text: own, error } = await textOf(bytes, kind);
    const has = wordsOf(own);
    const packed = own
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s\u00ad\u2010-]+/g, '');
    const missing = [...wanted].filter((word) => !has.has(word) && !packed.includes(word));
    const list = shares.get(kind) ?? [];
    list.push({ file: name, share: 1 - missing.length / wanted.size, missing, error });
    shares.set(kind, list);
  }
  for (const [kind, list] of shares) {
    const mean = list.reduce((sum, { share }) => sum + share, 0) / list.length;
    console.log(`${kind}\t${list.length} files\t${mean.toFixed(4)}`);
    for (const { file, share, missing, error } of list.toSorted((a, b) => a.share - b.share).slice(0, misses))
      if (share < 1) console.log(`  ${share.toFixed(3)} ${file} ${error} ${missing.slice(0, 12).join(' ')}`);
  }
  return 0;
}

const kindsOfExtensions: Readonly<Record<string, FormatKind>> = {
  docm: 'docx',
  dotx: 'docx',
  pptm: 'pptx',
  dot: 'doc',
  pps: 'ppt',
};

function kindOf(name: string): FormatKind | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return kindsOfExtensions[extension] ?? formatKinds.find((kind) => kind === extension);
}

function readIfThere(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : undefined;
}

const single = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

function wordsOf(text: string): Set<string> {
  const plain = text.normalize('NFKC').toLowerCase();
  const words = new Set(plain.match(single) ?? []);
  for (const [word] of plain.replace(single, ' ').matchAll(/[\p{L}\p{M}]{2,}/gu))
    if (!/^[ivxlc]+$/.test(word)) words.add(word);
  return words;
}

async function isOf(bytes: Uint8Array, kind: FormatKind): Promise<boolean> {
  try {
    return (await checkFormat(bytes, kind, { whole: true })).ok;
  } catch (error) {
    // A damaged file of the format is one that is not read.
    if (error instanceof FormatError) return true;
    throw error;
  }
}

async function textOf(bytes: Uint8Array, kind: FormatKind): Promise<{ text: string; error: string }> {
  try {
    return { text: (await decode(bytes, { kind })).text, error: '' };
  } catch (error) {
    return { text: '', error: error instanceof Error ? `(${error.message.slice(0, 80)})` : '' };
  }
}
