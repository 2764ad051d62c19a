/**
 * Runs each file of attacks/ against the built server and prints the effect on other users: `npm run drill -- attacks`.
 * SHEAF_ATTACKS=r2,r9 selects attacks. Needs an otherwise idle machine, because response times are checked.
 */
import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Attack } from './attack.ts';
import { limits, measureAttack, type AttackMeasurements } from './measure-attack.ts';

const asked = process.env['SHEAF_ATTACKS'] ?? '';
const listing = await readdir(new URL('./attacks/', import.meta.url));
const names = listing
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3))
  .sort();
const wanted = asked.split(',');
const chosen = names.filter((name) => asked === 'all' || wanted.includes(name.split('-')[0]!));

const rows: string[][] = [['attack', '/healthz', 'edit', 'note', 'memory', 'probes']];

function row(name: string, { healthMs, editMs, noteMs, memoryMb, probes }: AttackMeasurements): string[] {
  const times = [healthMs, editMs, noteMs].map((ms) => `${ms.toFixed(0)} ms`);
  return [name, ...times, memoryMb === 0 ? 'unknown' : `${memoryMb.toFixed(0)} MB`, String(probes)];
}

function overLimit(seen: AttackMeasurements): string[] {
  const kinds = Object.keys(limits) as (keyof typeof limits)[];
  const over = kinds.filter((kind) => seen[kind] > limits[kind]);
  return over.map((kind) => `${kind} ${seen[kind].toFixed(0)} is over ${limits[kind]}`);
}

describe.runIf(chosen.length > 0)('attacks', () => {
  afterAll(() => {
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
    const lines = rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
    process.stdout.write(`\n${lines.join('\n')}\n`);
  });

  test('nobody attacks: the machine is calm enough to measure', async () => {
    const calm = await measureAttack({ name: 'none', run: () => new Promise((resolve) => setTimeout(resolve, 3000)) });
    rows.push(row('none', calm));
    expect([...overLimit(calm), ...calm.failures]).toEqual([]);
  });

  for (const name of chosen) {
    test(`[finding ${name.toUpperCase()}] nobody else notices`, async () => {
      const { attack } = (await import(`./attacks/${name}.ts`)) as { attack: Attack };
      const seen = await measureAttack(attack);
      rows.push(row(attack.name, seen));
      expect([...overLimit(seen), ...seen.failures]).toEqual([]);
    });
  }
});
