/** Prints measurements as an aligned table; a missed goal is marked. */
export interface Row {
  what: string;
  value: string;
  goal?: string;
  met?: boolean;
}

export function report(title: string, rows: readonly Row[]): void {
  process.stdout.write(`\n${title}\n`);
  const width = Math.max(...rows.map((row) => row.what.length));
  const values = Math.max(...rows.map((row) => row.value.length));
  for (const row of rows) {
    const goal =
      row.goal === undefined ? '' : `  goal ${row.goal}${row.met === undefined ? '' : row.met ? '  met' : '  MISSED'}`;
    process.stdout.write(`  ${row.what.padEnd(width)}  ${row.value.padStart(values)}${goal}\n`);
  }
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? 0;
}
