import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256 } from '../lib/hash.ts';

export interface LedgerEntry {
  readonly id: string;
  /**
   * Hash of the content that was sent. Set only for notes from a folder, which are sent again if their content has
   * changed.
   */
  readonly hash?: string;
  readonly version?: number;
}

/**
 * Log file of an import, so that an interrupted import can resume. Each imported note, file, folder or notebook is an
 * entry on its own line, written before the next one is imported. An entry that was sent to the server but not logged
 * is sent again with the same idempotency key, so the server does not create it twice.
 */
export class ImportLedger {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #done: Map<string, LedgerEntry>;
  readonly #about: string;

  private constructor(path: string, file: FileHandle, done: Map<string, LedgerEntry>, about: string) {
    this.path = path;
    this.#file = file;
    this.#done = done;
    this.#about = about;
  }

  /** Opens the log of the imports from one source into one account. */
  static async open(env: NodeJS.ProcessEnv, source: string, userId: string): Promise<ImportLedger> {
    const about = sha256(`${userId}\n${source}`);
    const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
    const path = join(state, 'sheaf', 'imports', `${about.slice(0, 32)}.jsonl`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const file = await open(path, 'a', 0o600);
    // Add the missing line break after a truncated last line, so that the next entry gets its own line.
    if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
    else if (text === '') await file.appendFile(`${JSON.stringify({ source })}\n`);
    return new ImportLedger(path, file, readLines(text), about);
  }

  get(key: string): LedgerEntry | undefined {
    return this.#done.get(key);
  }

  async set(key: string, imported: LedgerEntry): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify({ key, ...imported })}\n`);
    await this.#file.datasync();
    this.#done.set(key, imported);
  }

  /**
   * Returns the idempotency key to send with a request. It is the same for the same entry and content, so the server
   * ignores a repeated request.
   */
  idempotencyKey(key: string, content = ''): string {
    return sha256(`${this.#about}\n${key}\n${content}`);
  }

  /**
   * Creates an entry by calling `make`, unless the ledger shows that an earlier run of the import has created it.
   * Returns the entry's id and whether it is new.
   */
  async ensure(
    key: string,
    make: (idempotencyKey: string) => Promise<string>,
  ): Promise<{ id: string; isNew: boolean }> {
    const known = this.get(key);
    if (known) return { id: known.id, isNew: false };
    const id = await make(this.idempotencyKey(key));
    await this.set(key, { id });
    return { id, isNew: true };
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function readLines(text: string): Map<string, LedgerEntry> {
  const done = new Map<string, LedgerEntry>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const { key, ...imported } = JSON.parse(line) as LedgerEntry & { key?: string };
      if (key !== undefined) done.set(key, imported);
    } catch (error) {
      // Skip a truncated line, which is left if the import was killed while writing the line.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return done;
}
