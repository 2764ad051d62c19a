import { report, type Row } from './report.ts';
import { agents } from './sheet/agents.ts';
import { calm } from './sheet/calm.ts';
import { cellsInAndOut } from './sheet/cells.ts';
import { editsOnSlowDisk, singleEdits } from './sheet/edits.ts';
import { conditionalFormats } from './sheet/formats.ts';
import { files, opening } from './sheet/files.ts';
import { realWorkbooks } from './sheet/real.ts';
import { serveOnSlowDisk } from './slow-disk.ts';

export { readAll } from './sheet/real.ts';

const parts: Record<string, () => Promise<Row[]>> = {
  opening,
  files,
  cells: cellsInAndOut,
  edits: singleEdits,
  'slow-syncs': editsOnSlowDisk,
  calm,
  formats: conditionalFormats,
  agents,
  real: realWorkbooks,
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
