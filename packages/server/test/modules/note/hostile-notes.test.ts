import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callable, type Callable } from '@sheaf/tools/testing/call-client.ts';
import { killServer, startKillableServer, type KillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { attackWithNotes, hostileMarkdown } from '@sheaf/tools/testing/hostile-notes.ts';

/** Generous: on a quiet machine the slowest takes some milliseconds. Unmended, each of these is as long as the attack, 20 s and more. */
const limitMs = 5000;
const kinds = [
  'lazy continuation of a list',
  'quotes continued in turns',
  'one long mail address',
  'unclosed emphasis',
];

describe('[finding R3] hostile notes on the built server', () => {
  let running: KillableServer;
  let server: Callable;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    running = await startKillableServer(folder);
    const first = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Record<string, string>;
    server = callable(running.url, {
      userId: first['user_id']!,
      clientId: first['client_id']!,
      apiKey: first['api_key']!,
    });
    await attackWithNotes(server, '# Warm up', 1);
  });
  afterAll(() => killServer(running));

  for (const name of kinds) {
    test(`[finding R3] ${name}: nobody else waits, and the notes are stored`, { timeout: 120_000 }, async () => {
      const felt = await attackWithNotes(server, hostileMarkdown[name]!());
      if (process.env['SHEAF_DRILL_PRINT']) process.stdout.write(`${name}: ${JSON.stringify(felt)}\n`);
      expect(felt.failures).toEqual([]);
      for (const part of ['healthz', 'cell', 'note'] as const)
        expect([part, felt[part] < limitMs, felt[part]]).toEqual([part, true, felt[part]]);
    });
  }
});
