import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newChart, render } from '@sheaf/tools/drills/attacks/r12-large-charts.ts';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import { killServer, startKillableServer } from '@sheaf/tools/testing/killable-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

/** Generous: the machine may be crowded. Before, one drawing held everything up for longer. */
const patienceMs = 3_000;

test(
  '[finding R12] a chart of 20,000 x 800 is refused, one of all that is drawn keeps nobody waiting',
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
      const large = await newChart(server, server.owner, 20_000, 800);
      const long = await newChart(server, server.owner, 20_000, 200);
      const most = await newChart(server, server.owner, 78, 255);
      let isOver = false;
      let worst = 0;
      const watching = (async () => {
        while (!isOver) {
          const started = performance.now();
          await (await fetch(`${running.url}/healthz`)).arrayBuffer();
          worst = Math.max(worst, performance.now() - started);
          await sleep(20);
        }
      })();
      const refusals = await Promise.all([render(large), render(large, { format: 'data' }), render(long)]);
      expect(refusals.map(({ code, msg }) => [code, msg])).toEqual([
        [310006, 'drawing_id: a chart of at most 255 series can be drawn (got 800)'],
        [310006, 'drawing_id: a chart of at most 255 series can be drawn (got 800)'],
        [310006, 'drawing_id: a chart of at most 20000 values can be drawn (got 200 series of 20000)'],
      ]);
      expect(await render(most, { width: 4096, height: 4096 })).toMatchObject({
        code: 310001,
        msg: 'width: width times height must be at most 8388608 (got 4096 times 4096)',
      });
      const drawn = await Promise.all([
        render(most),
        render(most, { format: 'png', width: 1000, height: 500 }),
        render(most, { format: 'data' }),
      ]);
      isOver = true;
      await watching;
      expect(drawn.map(({ code, data }) => [code, (data as { content_type?: string }).content_type])).toEqual([
        [0, 'image/svg+xml'],
        [0, 'image/png'],
        [0, 'application/json'],
      ]);
      expect(worst).toBeLessThan(patienceMs);
    } finally {
      await killServer(running);
    }
  },
);
