import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ownerKey, startNode } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { awaySeconds, drill } from './drill.ts';

const descriptors = 160;

test.runIf(process.platform === 'linux')(
  `[finding R13] out of file descriptors for ${awaySeconds} s: the node lives, says so, recovers, and nothing acknowledged is lost`,
  { timeout: 400_000 + awaySeconds * 4000 },
  async () => {
    const folder = await temporaryFolder();
    const node = await startNode({ folder, descriptors });
    onTestFinished(async () => void (await node.stop()));
    const hog = new Hog(node.url);
    onTestFinished(() => hog.end());
    await drill({
      name: 'out of descriptors',
      node,
      key: await ownerKey(folder),
      goAway: () => hog.begin(),
      comeBack: () => hog.end(),
      says: 'the process has no file descriptors left',
    });
    expect(await node.stop()).toBe(0);
  },
);

/** Opens connections until the server has no descriptor left, and takes every one that becomes free. */
class Hog {
  readonly #port: number;
  readonly #held = new Set<Socket>();
  #isRunning = false;
  #work: Promise<void> | undefined;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  async begin(): Promise<void> {
    this.#isRunning = true;
    this.#work = this.#hold();
    for (let turn = 0; turn < 100 && this.#held.size < descriptors / 4; turn++) await sleep(50);
  }

  async #hold(): Promise<void> {
    while (this.#isRunning) {
      if (this.#held.size >= descriptors * 2) {
        await sleep(50);
        continue;
      }
      const socket = createConnection(this.#port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.on('close', () => this.#held.delete(socket));
      this.#held.add(socket);
      await Promise.race([once(socket, 'connect').catch(() => undefined), sleep(1000)]);
      await sleep(2);
    }
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#work;
    for (const socket of this.#held) socket.destroy();
    this.#held.clear();
  }
}
