import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { enAccount } from '../src/i18n/en-account.ts';
import { enComments } from '../src/i18n/en-comments.ts';
import { enKnowledge } from '../src/i18n/en-knowledge.ts';
import { en } from '../src/i18n/en.ts';

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join(source, file));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const read = (file: string): string => texts.get(file) ?? '';

/** Modules that a module loads before its own code runs; a type is not loaded. */
function importsOf(file: string): string[] {
  const statements = read(file).matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s+'(\.[^']+)'/gm);
  return [...statements].map(([, path]) => resolve(dirname(file), path!)).filter((path) => existsSync(path));
}

function closureOf(entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const take = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    importsOf(file).forEach(take);
  };
  entries.forEach(take);
  return found;
}

/** Modules that `import()` loads with the texts of a part, by the function that waits for these. */
function loadedWith(waits: string): string[] {
  return files.flatMap((file) =>
    [...read(file).matchAll(new RegExp(String.raw`${waits}\(import\('(\.[^']+)'\)\)`, 'g'))].map(([, path]) =>
      resolve(dirname(file), path!),
    ),
  );
}

/** Modules that may be on the screen while the texts of the part are not loaded. */
function shownWithout(waits: string): string[] {
  const withTexts = loadedWith(waits);
  expect(withTexts.length).toBeGreaterThan(0);
  // What such a module loads later is shown after it, so the texts are there already.
  const late = (file: string): string[] =>
    [...read(file).matchAll(/import\('(\.[^']+)'\)/g)].map(([, path]) => resolve(dirname(file), path!));
  const inside = closureOf(withTexts);
  for (let size = 0; size !== inside.size;) {
    size = inside.size;
    for (const file of closureOf([...inside].flatMap(late).filter((path) => existsSync(path)))) inside.add(file);
  }
  const starts = ['boot.ts', 'main.tsx', 'public/main.tsx'].map((file) => join(source, file));
  const others = files.flatMap(late).filter((file) => existsSync(file) && !inside.has(file));
  return [...closureOf([...starts, ...others])].filter((file) => !file.includes('/i18n/'));
}

describe('texts that are loaded with the part of the page that shows them', () => {
  test.each([
    ['account', enAccount, 'withAccountTexts'],
    ['knowledge bases', enKnowledge, 'withKnowledgeTexts'],
    ['comments', enComments, 'withCommentTexts'],
  ] as const)('nothing outside of it names a text of %s', (_part, dictionary, waits) => {
    const shown = shownWithout(waits);
    expect(shown.length).toBeGreaterThan(50);
    const used = Object.keys(dictionary).flatMap((key) =>
      shown
        .filter((file) =>
          new RegExp(String.raw`text\('${key}'|label: '${key}'|\? '${key}'|: '${key}'\)`).test(read(file)),
        )
        .map((file) => `${key} in ${relative(source, file)}`),
    );
    expect(used).toEqual([]);
  });

  test('a key is in one dictionary only', () => {
    const keys = [en, enAccount, enKnowledge, enComments].flatMap((one) => Object.keys(one));
    expect(keys.length).toBe(new Set(keys).size);
  });
});
