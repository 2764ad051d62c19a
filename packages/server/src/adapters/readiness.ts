import { mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomText } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { shortageOf, Unavailable, NotWritable } from '../ports/unavailable.ts';

/** Something an answer depends on, and what to say when it is away. */
export interface Dependency {
  readonly away: string;
  /** All nodes lack it alike and serve without it: a warning. A proxy that left every node would serve nothing. */
  readonly isShared?: boolean;
  check(): Promise<void>;
}

interface Away {
  readonly message: string;
  readonly cause: unknown;
  readonly isShared: boolean;
}

/** What was found to be away. `message` is for everybody, one line each; the causes are for the log. */
export class NotReady extends Error {
  readonly causes: readonly string[];

  constructor(away: readonly Away[]) {
    super(away.map(lineOf).join('\n'));
    this.name = 'NotReady';
    this.causes = away.map(causeOf);
  }
}

const patienceMs = 4_000;
/** Shorter than a proxy waits: a warning must not make the node late. */
const sharedPatienceMs = 1_000;

function lineOf({ message, isShared }: Away): string {
  return isShared ? `warning: ${message}` : message;
}

function causeOf({ message, cause }: Away): string {
  return `${message}: ${String(cause)}`;
}

/**
 * Looks whether everything is there that answers depend on. It remembers nothing: what is back is found at the next look.
 * Anybody may ask, any number of times: who asks during a look shares it.
 */
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  readonly #log: Pick<Log, 'warn'>;
  #looking: Promise<readonly string[]> | undefined;
  #warned = '';

  constructor(dependencies: readonly Dependency[], log: Pick<Log, 'warn'>) {
    this.#dependencies = dependencies;
    this.#log = log;
  }

  /** Resolves with warnings of what all nodes lack; rejects with NotReady when this node cannot serve. */
  check(): Promise<readonly string[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<readonly string[]> {
    const found = await Promise.all(this.#dependencies.map(awayOf));
    const away = found.flatMap((one) => one ?? []);
    if (away.some(({ isShared }) => !isShared)) throw new NotReady(away);
    const warnings = away.map(lineOf);
    // Asked every few seconds: only a change is worth a line of the log.
    const isNew = warnings.join('\n') !== this.#warned;
    this.#warned = warnings.join('\n');
    if (isNew && away.length > 0) this.#log.warn({ away: away.map(causeOf) }, 'ready, with warnings');
    return warnings;
  }
}

async function awayOf({ away, check, isShared = false }: Dependency): Promise<Away | undefined> {
  const waitMs = isShared ? sharedPatienceMs : patienceMs;
  const done = new AbortController();
  try {
    const late = sleep(waitMs, undefined, { signal: done.signal, ref: false }).then(() => {
      throw new Unavailable(`no answer within ${waitMs / 1000} seconds`);
    });
    await Promise.race([check(), late]);
    return undefined;
  } catch (error) {
    const message = error instanceof NotWritable ? `${away}: ${error.message}` : away;
    return { message, cause: error, isShared };
  } finally {
    done.abort();
  }
}

/** Whether something can be written to the folder: a full disk is read as happily as any other. */
export function writableDisk(folder: string): Dependency {
  const probe = Buffer.alloc(64 * 1024);
  return {
    away: 'the disk is full or not writable',
    async check() {
      const path = join(folder, `.probe-${randomText(12)}`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(path, probe, { flag: 'wx' });
      } catch (error) {
        // Without descriptors nothing is known of the disk, and the other check tells.
        if (!isOutOfDescriptors(error)) throw shortageOf(error);
      } finally {
        await unlink(path).catch(() => undefined);
      }
    },
  };
}

/** Whether another file can be opened. */
export const freeDescriptors: Dependency = {
  away: 'the process has no file descriptors left',
  async check() {
    const file = await open(devNull, 'r');
    await file.close();
  },
};

function isOutOfDescriptors(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
