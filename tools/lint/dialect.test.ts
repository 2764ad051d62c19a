import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Checks code conventions that the formatter and the linter cannot express. [finding A3] [finding A4] */
const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const longestLine = 160;

/** Generated and binary files, which are not checked. */
const data = /(^|\/)package-lock\.json$|^packages\/server\/test\/fixtures\/|\.(png|woff2?)$/;

interface Rule {
  readonly in: RegExp;
  readonly breaks: (line: string) => boolean;
}

const code = /\.(ts|tsx|mjs)$/;
const rules = {
  'no line over 160 characters (node tools/wrap-strings.mjs breaks strings)': {
    in: /./,
    breaks: (line) => line.length > longestLine,
  },
  '#name instead of private and protected; only a constructor can be private in no other way': {
    in: code,
    breaks: (line) => /^\s*(?:static\s+)?(?:private|protected)\s+(?!constructor\()/.test(line),
  },
  'constants are camelCase': {
    in: code,
    breaks: (line) => /^\s*(?:export\s+)?(?:static\s+(?:readonly\s+)?|const\s+)[A-Z][A-Z0-9_]+\s*[:=]/.test(line),
  },
  'a limit is called max, as everywhere, not most [finding A4]': {
    in: code,
    breaks: (line) => /\b(?:const|let)\s+most[A-Z]/.test(line),
  },
} satisfies Record<string, Rule>;

function brokenLines(rule: Rule, files: Iterable<readonly [path: string, text: string]>): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    if (!rule.in.test(path)) continue;
    text.split('\n').forEach((line, at) => {
      if (rule.breaks(line)) found.push(`${path}:${at + 1}: ${line.trim().slice(0, 100)}`);
    });
  }
  return found;
}

const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
const files = listed
  .split('\0')
  .filter((path) => path !== '' && !data.test(path) && existsSync(join(root, path)))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

describe('one dialect', () => {
  test.each(Object.entries<Rule>(rules))('%s', (_, rule) => {
    expect(brokenLines(rule, files)).toEqual([]);
  });

  test('each rule is broken by a line against it', () => {
    const against = [
      `const text = '${'x'.repeat(longestLine)}';`,
      '  private size = 0;',
      'const MAX_SIZE = 10;',
      // The text is split, because the checks also read this file and would report the line.
      ['const most', 'Rows = 10;'].join(''),
    ];
    expect(
      Object.values<Rule>(rules).map((rule, at) => brokenLines(rule, [['src/a.ts', against[at]!]]).length),
    ).toEqual([1, 1, 1, 1]);
    expect(
      brokenLines(rules[Object.keys(rules)[1] as keyof typeof rules], [['src/a.ts', '  private constructor() {']]),
    ).toEqual([]);
  });
});
