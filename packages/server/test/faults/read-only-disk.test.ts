import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { awaySeconds, drill } from './drill.ts';

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;
const unmount = (folder: string): boolean => spawnSync('umount', ['-l', folder]).status === 0;
const place = mkdtempSync(join(tmpdir(), 'sheaf-bound-'));
const mayMount = process.platform === 'linux' && mount('--bind', place, place);
if (mayMount) unmount(place);
else console.log('read-only disk: not tested, because mounting is not permitted here (it needs root on Linux)');
rmdirSync(place);

/** The folder as it is, and nothing new can be opened for writing in it. Made aside: nobody writes there meanwhile. */
function makeReadOnly(folder: string): void {
  const aside = mkdtempSync(join(tmpdir(), 'sheaf-read-only-'));
  const isDone =
    mount('--bind', folder, aside) && mount('-o', 'remount,ro,bind', aside) && mount('--bind', aside, folder);
  unmount(aside);
  rmdirSync(aside);
  if (!isDone) throw new Error(`${folder} could not be made read-only`);
}

describe.runIf(mayMount)('a disk that the system has made read-only', () => {
  test(
    `for ${awaySeconds} s: the node lives, says so, recovers, and nothing acknowledged is lost`,
    { timeout: 400_000 + awaySeconds * 4000 },
    async () => {
      const folder = await temporaryFolder();
      const node = await startNode({ folder });
      onTestFinished(async () => void (await node.stop()));
      onTestFinished(() => void unmount(folder));
      await drill({
        name: 'read-only disk',
        node,
        key: await ownerKey(folder),
        goAway: async () => makeReadOnly(folder),
        comeBack: async () => void unmount(folder),
        says: 'the disk is full or not writable',
      });
      expect(await node.stop()).toBe(0);
    },
  );

  test(
    'a node that is started on it says why it cannot, and starts once it can write',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      const first = await startNode({ folder });
      expect(await first.stop()).toBe(0);
      makeReadOnly(folder);
      onTestFinished(() => void unmount(folder));
      const refused = await startNode({ folder }).then(
        (node) => node.stop().then(() => undefined),
        (error: Error) => error,
      );
      expect(refused?.message).toMatch(/cannot start: .*(read-only|readonly)/i);
      unmount(folder);
      const again = await startNode({ folder });
      onTestFinished(async () => void (await again.stop()));
      expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    },
  );
});
