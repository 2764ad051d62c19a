import { report, type Row } from './measure/report.ts';
import { measureQueryAndExplain } from './sheet/query-and-explain.ts';
import { measureLatencyUnderLoad } from './sheet/latency-under-load.ts';
import { measureBulkCells } from './sheet/bulk-cells.ts';
import { measureEditsOnSlowDisk, measureSingleEdits } from './sheet/single-edits.ts';
import { measureConditionalFormats } from './sheet/conditional-formats.ts';
import { measureImportAndExport, measureOpening } from './sheet/import-and-export.ts';
import { measureRealWorkbooks } from './sheet/real-workbooks.ts';
import { serveOnSlowDisk } from './measure/slow-disk-server.ts';

export { readAll } from './sheet/real-workbooks.ts';

const parts: Record<string, () => Promise<Row[]>> = {
  opening: measureOpening,
  files: measureImportAndExport,
  cells: measureBulkCells,
  edits: measureSingleEdits,
  'slow-syncs': measureEditsOnSlowDisk,
  calm: measureLatencyUnderLoad,
  formats: measureConditionalFormats,
  agents: measureQueryAndExplain,
  real: measureRealWorkbooks,
};

/**
 * Measures spreadsheets through the product over HTTP, compared with the same work done directly in the same run. Goals for
 * costs use processor time, because wall time includes other load; goals for rates use wall time. Both are printed.
 *
 *   npm run bench -- sheet [opening files cells edits slow-syncs calm formats agents real]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  if (args[0] === 'slow-disk') return serveOnSlowDisk();
  const wanted = args.length > 0 ? args : Object.keys(parts);
  const unknown = wanted.filter((name) => !parts[name]);
  if (unknown.length > 0)
    throw new Error(`there is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  for (const name of wanted) report(`spreadsheets, ${name}`, await parts[name]!());
}
