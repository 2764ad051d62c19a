/** Collects the result of an import: counts by kind, and entries that were not imported, with the reason. */
export class ImportReport {
  readonly #counts = new Map<string, number>();
  readonly #left: string[] = [];
  #isProblem = false;
  #shown = 0;

  /** Adds one to the count that the report shows under a name, such as "notes" or "notes already there". */
  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Reports an entry that was deliberately not imported, with the reason. */
  skip(what: string, why: string): void {
    this.#left.push(`${what}: ${why}`);
  }

  /** Reports an entry whose import failed, with the reason. The exit code is then 1. */
  fail(what: string, why: string): void {
    this.#isProblem = true;
    this.skip(what, why);
  }

  /** Prints the progress: on a terminal it updates one line, elsewhere it prints a line every 50 steps. */
  progress(stage: string, done: number, total: number | undefined, name: string): void {
    const text = `${stage} ${done}${total === undefined ? '' : `/${total}`}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text} ${name.slice(-60)}`);
    else if (done === total || ++this.#shown % 50 === 1) process.stderr.write(`${text}\n`);
  }

  /** Prints the report. Returns the exit code: 1 if an entry failed, otherwise 0. */
  print(ledger: string): number {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const counts = [...this.#counts].map(([what, count]) => `${count} ${what}`).join(', ');
    process.stdout.write(`imported: ${counts === '' ? 'nothing' : counts}\n`);
    for (const line of this.#left) process.stdout.write(`not imported: ${line}\n`);
    process.stdout.write(`what was imported is noted in ${ledger}; the same command again goes on from there\n`);
    return this.#isProblem ? 1 : 0;
  }
}
