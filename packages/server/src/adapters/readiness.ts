import { mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomText } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { toUnavailable, Unavailable, NotWritable } from '../ports/availability-errors.ts';

/** A dependency of the server, with the message to show if it is unavailable. */
export interface Dependency {
  readonly failureMessage: string;
  /**
   * True if all nodes share the dependency. Its failure is then only a warning, because a proxy would otherwise
   * remove all nodes at once, and none would be left to serve requests.
   */
  readonly isShared?: boolean;
  check(): Promise<void>;
}

interface UnavailableDependency {
  readonly message: string;
  readonly cause: unknown;
  readonly isShared: boolean;
}

/**
 * Thrown if the server cannot serve requests because a dependency is unavailable. `message` has one line per
 * unavailable dependency and is safe to show to anyone; `causes` are for the log.
 */
export class NotReady extends Error {
  readonly causes: readonly string[];

  constructor(away: readonly UnavailableDependency[]) {
    super(away.map(lineOf).join('\n'));
    this.name = 'NotReady';
    this.causes = away.map(causeOf);
  }
}

const checkTimeoutMs = 4_000;
/**
 * Time limit in milliseconds for checking shared dependencies. It is shorter than a proxy's timeout, so that an
 * unavailable shared dependency does not make the proxy's readiness check fail.
 */
const sharedCheckTimeoutMs = 1_000;

function lineOf({ message, isShared }: UnavailableDependency): string {
  return isShared ? `warning: ${message}` : message;
}

function causeOf({ message, cause }: UnavailableDependency): string {
  return `${message}: ${String(cause)}`;
}

/** Checks all dependencies at every call. Calls made during a check share its result. */
export class ReadinessChecker {
  readonly #dependencies: readonly Dependency[];
  readonly #log: Pick<Logger, 'warn'>;
  #checking: Promise<readonly string[]> | undefined;
  #warned = '';

  constructor(dependencies: readonly Dependency[], log: Pick<Logger, 'warn'>) {
    this.#dependencies = dependencies;
    this.#log = log;
  }

  /** Resolves with warnings about shared dependencies. Rejects with NotReady if this node cannot serve requests. */
  check(): Promise<readonly string[]> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkAll(): Promise<readonly string[]> {
    const found = await Promise.all(this.#dependencies.map(checkDependency));
    const away = found.flatMap((one) => one ?? []);
    if (away.some(({ isShared }) => !isShared)) throw new NotReady(away);
    const warnings = away.map(lineOf);
    // Log warnings only when they change, because the check runs every few seconds.
    const isNew = warnings.join('\n') !== this.#warned;
    this.#warned = warnings.join('\n');
    if (isNew && away.length > 0) this.#log.warn({ away: away.map(causeOf) }, 'ready, with warnings');
    return warnings;
  }
}

async function checkDependency({
  failureMessage,
  check,
  isShared = false,
}: Dependency): Promise<UnavailableDependency | undefined> {
  const waitMs = isShared ? sharedCheckTimeoutMs : checkTimeoutMs;
  const done = new AbortController();
  try {
    const late = sleep(waitMs, undefined, { signal: done.signal, ref: false }).then(() => {
      throw new Unavailable(`no answer within ${waitMs / 1000} seconds`);
    });
    await Promise.race([check(), late]);
    return undefined;
  } catch (error) {
    const message = error instanceof NotWritable ? `${failureMessage}: ${error.message}` : failureMessage;
    return { message, cause: error, isShared };
  } finally {
    done.abort();
  }
}

/** Checks that the folder is writable. Reading is not enough, because a full disk can still be read. */
export function diskWriteCheck(folder: string): Dependency {
  const probe = Buffer.alloc(64 * 1024);
  return {
    failureMessage: 'the disk is full or not writable',
    async check() {
      const path = join(folder, `.probe-${randomText(12)}`);
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(path, probe, { flag: 'wx' });
      } catch (error) {
        // Ignore a lack of file descriptors, which does not concern the disk. `fileDescriptorCheck` reports it.
        if (!isOutOfDescriptors(error)) throw toUnavailable(error);
      } finally {
        await unlink(path).catch(() => undefined);
      }
    },
  };
}

export const fileDescriptorCheck: Dependency = {
  failureMessage: 'the process has no file descriptors left',
  async check() {
    const file = await open(devNull, 'r');
    await file.close();
  },
};

function isOutOfDescriptors(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
