import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { awaySeconds, drill } from './drill.ts';

const disk = mkdtempSync(join(tmpdir(), 'sheaf-small-disk-'));
const mounted =
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk]).status === 0;
if (!mounted) {
  rmdirSync(disk);
  console.log('full disk: not tested, because mounting a small disk is not permitted here (it needs root on Linux)');
}
const ballast = join(disk, 'ballast');

/** Takes all that is left, to the last byte. */
function fill(): void {
  const file = openSync(ballast, 'a');
  try {
    for (const size of [2 ** 20, 2 ** 12, 1]) {
      const chunk = Buffer.alloc(size);
      try {
        while (writeSync(file, chunk) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}

describe.runIf(mounted)('full disk', () => {
  afterAll(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });

  test(
    `[finding R1] the disk is full for ${awaySeconds} s: the node lives, says so, recovers, and nothing acknowledged is lost`,
    { timeout: 400_000 + awaySeconds * 4000 },
    async () => {
      const folder = join(disk, 'data');
      await mkdir(folder);
      const node = await startNode({ folder });
      onTestFinished(async () => void (await node.stop()));
      await drill({
        name: 'disk full',
        node,
        key: await ownerKey(folder),
        goAway: async () => fill(),
        comeBack: () => rm(ballast),
        says: 'the disk is full',
      });
      expect(await node.stop()).toBe(0);
    },
  );

  test(
    '[finding R1] a node that is started on a full disk says why it cannot, and starts once there is space',
    { timeout: 120_000 },
    async () => {
      const folder = join(disk, 'again');
      await mkdir(folder);
      const first = await startNode({ folder });
      const key = await ownerKey(folder);
      expect(await first.stop()).toBe(0);
      fill();
      const refused = await startNode({ folder }).then(
        (node) => node,
        (error: Error) => error,
      );
      if (!(refused instanceof Error)) {
        // Some systems still have room inside the files that are there: then it must serve, and say what is away.
        expect(await (await fetch(`${refused.url}/readyz`)).text()).toContain('the disk is full');
        await refused.stop();
      } else expect(refused.message).toMatch(/cannot start: .*the disk is full/);
      await rm(ballast);
      const again = await startNode({ folder });
      onTestFinished(async () => void (await again.stop()));
      const answer = await fetch(`${again.url}/openapi/account/v1/get_me`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'svc-openapi-clientid': key.clientId,
          'svc-openapi-apikey': key.apiKey,
        },
        body: '{}',
      });
      expect(await answer.json()).toMatchObject({ code: 0 });
      expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    },
  );

  test(
    '[finding R1] a first start on a full disk says why it cannot, and leaves nothing that a later one stumbles over',
    { timeout: 120_000 },
    async () => {
      const folder = join(disk, 'first');
      await mkdir(folder);
      fill();
      const refused = await startNode({ folder }).then(
        () => undefined,
        (error: Error) => error,
      );
      expect(refused?.message).toMatch(/cannot (start|make the first account): .*(the disk is full|ENOSPC|no space)/i);
      await rm(ballast);
      const again = await startNode({ folder });
      onTestFinished(async () => void (await again.stop()));
      expect((await ownerKey(folder)).apiKey).toMatch(/^sk_/);
    },
  );
});
