import { basename } from 'node:path';
import { DatabaseDamaged } from '../../../ports/availability-errors.ts';

const corrupt = 11;
const notADatabase = 26;
/** SQLite's primary result codes for a damaged file (SQLITE_CORRUPT, SQLITE_NOTADB). */
const corruptionCodes = new Set([corrupt, notADatabase]);
/**
 * SQLite's messages for a damaged file, with their result codes. They are needed because the driver sets no code on
 * errors of `all`.
 */
const corruptionMessages: Readonly<Record<string, number>> = {
  'database disk image is malformed': corrupt,
  'file is not a database': notADatabase,
};

export function isCorruption(code: number): boolean {
  return corruptionCodes.has(code & 0xff);
}

export function sqliteErrorCode(error: unknown): number {
  const { errcode, message } = (error ?? {}) as { errcode?: unknown; message?: unknown };
  if (typeof errcode === 'number') return errcode;
  return corruptionMessages[String(message)] ?? 0;
}

/**
 * Remembers that a database file was found damaged, so that later writes are refused. Only restoring a backup repairs
 * the file. The record is kept in memory: after a restart of the process, the file is checked again.
 */
export class DamageRecord {
  readonly #file: string;
  readonly #onDamaged: (detail: string) => void;
  #reason: string | undefined;

  constructor(path: string, onDamaged: (detail: string) => void = () => undefined) {
    this.#file = basename(path);
    this.#onDamaged = onDamaged;
  }

  /** Message that the file is damaged, with advice. Undefined if no damage was found. */
  get reason(): string | undefined {
    return this.#reason;
  }

  report(detail: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = this.error().message;
    this.#onDamaged(detail);
  }

  error(cause?: unknown): DatabaseDamaged {
    return new DatabaseDamaged(this.#file, cause);
  }

  /**
   * Records the damage and returns a DatabaseDamaged error if SQLite's error means that the file is corrupt. Returns
   * undefined for other errors.
   */
  recognize(error: unknown): DatabaseDamaged | undefined {
    if (!isCorruption(sqliteErrorCode(error))) return undefined;
    this.report(error instanceof Error ? error.message : String(error));
    return this.error(error);
  }

  throwIfDamaged(): void {
    if (this.#reason !== undefined) throw this.error();
  }
}
