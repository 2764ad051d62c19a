import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attackSheets, newFile, setCell } from '@sheaf/tools/drills/attacks/r7-endless-calculation.ts';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import { killServer, startKillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** Generous: the machine may be crowded. Before, edits waited for the end of a thread, 15 seconds and more. */
const patience = { editMs: 8_000, healthMs: 4_000 };

test(
  '[finding R7] eight documents that calculate without end keep nobody else waiting',
  { timeout: 180_000 },
  async () => {
    const folder = await temporaryFolder();
    const running = await startKillableServer(folder);
    try {
      const first = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as {
        client_id: string;
        api_key: string;
        user_id: string;
      };
      const server = callable(running.url, { userId: first.user_id, clientId: first.client_id, apiKey: first.api_key });
      const bystander = await server.newUser();
      const file = await newFile(server, bystander);
      await setCell(server, file, 0, 1, bystander);
      let isOver = false;
      const seen = { edits: [] as number[], health: [] as number[], failures: [] as string[] };
      const watch = async (
        times: number[],
        pauseMs: number,
        probe: (count: number) => Promise<unknown>,
      ): Promise<void> => {
        for (let count = 0; !isOver; count++) {
          const started = performance.now();
          await probe(count).catch((error: unknown) => seen.failures.push(String(error)));
          times.push(performance.now() - started);
          await sleep(pauseMs);
        }
      };
      const watching = [
        watch(seen.health, 25, async () => (await fetch(`${running.url}/healthz`)).arrayBuffer()),
        watch(seen.edits, 100, async (count) => {
          const { code, msg } = await setCell(server, file, count % 50, count, bystander);
          if (code !== 0) throw new Error(`${code} ${msg}`);
        }),
      ];
      const answers = await attackSheets(server, Number(process.env['SHEAF_ATTACK_MS'] ?? 12_000));
      isOver = true;
      await Promise.all(watching);
      const worst = { editMs: Math.max(...seen.edits), healthMs: Math.max(...seen.health) };
      const codes = Object.fromEntries(
        [...new Set(answers.map(({ code }) => code))].map((code) => [
          code,
          answers.filter((one) => one.code === code).length,
        ]),
      );
      if (process.env['SHEAF_ATTACK_FIGURES']) {
        const sorted = seen.edits.toSorted((a, b) => a - b);
        console.log({
          worst,
          edits: sorted.length,
          median: sorted[sorted.length >> 1],
          p95: sorted[Math.floor(sorted.length * 0.95)],
          health: seen.health.length,
          codes,
        });
      }
      expect(seen.failures).toEqual([]);
      // Ended by its budget, computed, or refused because its document was busy; never an internal error.
      expect(Object.keys(codes).filter((code) => code !== '0' && code !== '310010')).toEqual([]);
      expect(worst.editMs).toBeLessThan(patience.editMs);
      expect(worst.healthMs).toBeLessThan(patience.healthMs);
    } finally {
      await killServer(running);
    }
  },
);
