import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

/** Kinds of changes, in the order of Keep a Changelog. */
const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const versions = changelog
  .split(/^## /m)
  .slice(1)
  .map((section) => [section.split('\n')[0]!, section] as const);

describe('the changelog', () => {
  test('has versions', () => {
    expect(versions.length).toBeGreaterThan(3);
  });

  test.each(versions)('%s names each kind of change once, in order', (_, section) => {
    const used = [...section.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind!);
    expect(used).toEqual(kinds.filter((kind) => used.includes(kind)));
  });

  test.each(versions)('%s tells each change once', (_, section) => {
    const changes = [...section.matchAll(/^- (?:.*\n)(?: {2}.*\n)*/gm)].map(([change]) => change);
    expect(changes.filter((change, at) => changes.indexOf(change) !== at)).toEqual([]);
  });
});
