/**
 * Something a node depends on goes away and comes back while it is written to. The node must live, say so in /readyz, recover
 * by itself, and have everything it acknowledged. Short in the suites, a minute with `npm run drill -- faults`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import type { NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { Workload } from './workload.ts';

/** More than ten: what the node does every ten seconds must fall into it. */
export const awaySeconds = Number(process.env['SHEAF_DRILL_SECONDS'] ?? 13);
const warmUpWrites = 20;
const recoverMs = 90_000;
const readMs = 120_000;

export interface Drill {
  name: string;
  node: NodeProcess;
  key: Key;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** What /readyz must have said meanwhile. */
  says: string;
}

export async function drill({ name, node, key, goAway, comeBack, says }: Drill): Promise<Workload> {
  const workload = new Workload(node.url, key);
  const readiness = new ReadinessWatch(node.url);
  await workload.begin();
  readiness.begin();
  const isWarm = (): boolean => Object.values(workload.figures().acknowledged).every((count) => count >= warmUpWrites);
  for (const end = Date.now() + recoverMs; !isWarm() && Date.now() < end;) await sleep(100);
  const before = workload.figures();
  expect([isWarm(), ...(isWarm() ? [] : workload.codes)]).toEqual([true]);
  await goAway();
  const awayAt = performance.now();
  await sleep(awaySeconds * 1000);
  expect(node.isAlive() ? 'alive' : node.log()).toBe('alive');
  const during = workload.figures();
  const awayFor = (performance.now() - awayAt) / 1000;
  await comeBack();
  const backAt = performance.now();
  const readyAfter = await readiness.readyAgain(recoverMs);
  const acknowledgedAt = total(workload.figures());
  for (const end = Date.now() + recoverMs; total(workload.figures()) < acknowledgedAt + 30 && Date.now() < end;)
    await sleep(100);
  const writesAfter = (performance.now() - backAt) / 1000;
  await workload.end();
  await readiness.end();
  const after = workload.figures();
  const missing = await workload.missing(readMs);
  console.log(
    `${name}: away ${awayFor.toFixed(0)} s; acknowledged before/during/after ` +
      `${total(before)}/${total(during) - total(before)}/${total(after) - total(during)}, refused ` +
      `${after.refused}, broken ${after.broken}, lost ${missing.length}; ready again after ` +
      `${readyAfter.toFixed(1)} s, 30 more writes ${writesAfter.toFixed(1)} s after it came back; /readyz ` +
      `said: ${[...readiness.said].map((text) => text.trim().replaceAll('\n', ' + ')).join(' | ')}`,
  );
  expect(missing).toEqual([]);
  expect([...readiness.said].join('')).toContain(says);
  expect(total(after)).toBeGreaterThanOrEqual(acknowledgedAt + 30);
  expect(node.isAlive() ? 'alive' : node.log()).toBe('alive');
  return workload;
}

function total({ acknowledged }: { acknowledged: Record<string, number> }): number {
  return Object.values(acknowledged).reduce((sum, count) => sum + count, 0);
}

/** Asks /readyz all the time, over a connection that it keeps. */
class ReadinessWatch {
  readonly said = new Set<string>();
  readonly #url: string;
  #isRunning = true;
  #latest = 0;
  #watching: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = `${url}/readyz`;
  }

  begin(): void {
    this.#watching = this.#watch();
  }

  async #watch(): Promise<void> {
    while (this.#isRunning) {
      try {
        const response = await fetch(this.#url, { signal: AbortSignal.timeout(15_000) });
        const text = await response.text();
        this.#latest = response.status;
        if (text !== 'ready\n') this.said.add(text);
      } catch {
        this.#latest = 0;
      }
      await sleep(200);
    }
  }

  /** Seconds until it answers with success again. */
  async readyAgain(withinMs: number): Promise<number> {
    const from = performance.now();
    this.#latest = 0;
    while (this.#latest !== 200) {
      if (performance.now() - from > withinMs)
        throw new Error(`not ready within ${withinMs} ms: ${[...this.said].join(' | ')}`);
      await sleep(50);
    }
    return (performance.now() - from) / 1000;
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#watching;
  }
}
