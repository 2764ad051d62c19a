import { mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomText } from '../lib/ids.ts';
import { shortageOf, Unavailable } from '../ports/unavailable.ts';

/** Something an answer depends on, and what to say when it is away. */
export interface Dependency {
  readonly away: string;
  check(): Promise<void>;
}

/** What was found to be away. `message` is for everybody, one line each; the causes are for the log. */
export class NotReady extends Error {
  readonly causes: readonly string[];

  constructor(away: readonly { message: string; cause: unknown }[]) {
    super(away.map(({ message }) => message).join('\n'));
    this.name = 'NotReady';
    this.causes = away.map(({ message, cause }) => `${message}: ${String(cause)}`);
  }
}

const patienceMs = 5_000;

/**
 * Looks whether everything is there that answers depend on. It remembers nothing: what is back is found at the next look.
 * Anybody may ask, any number of times: who asks during a look shares it.
 */
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  #looking: Promise<void> | undefined;

  constructor(dependencies: readonly Dependency[]) {
    this.#dependencies = dependencies;
  }

  /** Rejects with NotReady. */
  check(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const found = await Promise.all(this.#dependencies.map(awayOf));
    const away = found.flatMap((one) => one ?? []);
    if (away.length > 0) throw new NotReady(away);
  }
}

async function awayOf({ away, check }: Dependency): Promise<{ message: string; cause: unknown } | undefined> {
  const done = new AbortController();
  try {
    const late = sleep(patienceMs, undefined, { signal: done.signal, ref: false }).then(() => {
      throw new Unavailable(`no answer within ${patienceMs / 1000} seconds`);
    });
    await Promise.race([check(), late]);
    return undefined;
  } catch (error) {
    return { message: away, cause: error };
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
