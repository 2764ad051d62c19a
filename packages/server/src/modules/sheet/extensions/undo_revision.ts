import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { overLimit } from '../errors.ts';
import { integer, text } from '../../../kernel/field-schemas.ts';
import type { Revision } from '../../../ports/sheet-store.ts';
import { besideOf, type Mutation } from '@sheaf/engine/internal/mutations';
import { findUndoConflict } from '../calls/undo-conflict.ts';
import { parseRevisionMetadata } from '../calls/revision-metadata.ts';
import { changedCellsOutput, changedCellsTokens, parseFileId } from '../schema.ts';
import { maxRevisionBytes } from '../calls/revision-size.ts';
import { retryWhenStale, throwIfStale } from '../calls/stale-version.ts';
import { writeTool, type WriteValues } from '../calls/tool.ts';

const revisionPageSize = 100;
const maxLater = 5000;

const loaded = z.object({
  from: z.number(),
  tool: z.string(),
  inverse: z.string(),
  later: z.array(z.object({ version: z.number(), mutations: z.string() })),
});

const input = {
  version: integer('Revision to undo, from get_history.', { min: 1 }),
};

const tool = writeTool({
  name: 'undo_revision',
  summary:
    "Undoes one revision's changes to cells; refused if a later one changed or moved the same cells. To return to an " +
    'earlier state use revert.',
  effect: 'destroy',
  input,
  output: {
    undone: z
      .object({
        version: integer('Revision.'),
        tool: text('Tool that made it.'),
        range: text('Cells it affected: <sheet_id>$A1:B2; absent if none.').optional(),
      })
      .meta({ description: 'What was taken back.' }),
    ...changedCellsOutput,
  },
  prepare: loadRevisions,
  plan(document, given, call) {
    const { from, tool: logged, inverse, later } = loaded.parse((given as { loaded?: unknown }).loaded);
    throwIfStale(from, call.version);
    const undoing = JSON.parse(inverse) as Mutation[];
    for (const { version, mutations } of later) {
      const why = findUndoConflict(document, undoing, JSON.parse(mutations) as Mutation[]);
      if (why !== undefined)
        throw fail(
          'conflict',
          `version: revision ${given.version} cannot be undone on its own, because revision ${version} ${why}; use revert`,
        );
    }
    const own = findUndoConflict(document, undoing, []);
    if (own !== undefined) throw fail('conflict', `version: revision ${given.version} ${own}; use revert`);
    // Later revisions may use rows or columns that the undone revision added to the grid. If there are later revisions,
    // leave out the mutations that would remove these rows and columns (`dropped`).
    const { tool: name, range } = parseRevisionMetadata(logged);
    return {
      mutations: later.length > 0 ? undoing.filter((one) => besideOf(one).undone !== 'dropped') : undoing,
      data: { undone: { version: given.version, tool: name, ...(range === undefined ? {} : { range }) } },
      report: { tokens: changedCellsTokens, sheet: undefined },
    };
  },
});

async function loadRevisions(given: WriteValues<typeof input>, context: Context): Promise<WriteValues<typeof input>> {
  const { document } = await context.documents.access(context, parseFileId(given), 'editor');
  if (given.version > document.version)
    throw fail('no_such_object', `version: the latest version is ${document.version} (got ${given.version})`);
  const revisions: Revision[] = [];
  let bytes = 0;
  for (let after = given.version - 1; ;) {
    const page = await context.sheets.revisions(document.id, after, revisionPageSize);
    for (const one of page) {
      bytes += one.mutations.length;
      revisions.push(one);
    }
    if (revisions.length > maxLater || bytes > maxRevisionBytes)
      throw overLimit('version: too much has changed since; use revert');
    if (page.length < revisionPageSize) break;
    after = page.at(-1)!.version;
  }
  const target = revisions[0];
  if (target?.version !== given.version)
    throw fail('no_such_object', `version: there is no revision ${given.version} in the log`);
  const later = effectiveRevisions(revisions, given.version).map(({ version, mutations }) => ({ version, mutations }));
  return {
    ...given,
    loaded: { from: revisions.at(-1)!.version, tool: target.tool, inverse: target.inverse, later },
  } as WriteValues<typeof input>;
}

/**
 * Returns the revisions after the revision `target` that are still in effect. Leaves out revisions that were undone or
 * reverted, and the revisions that undid or reverted them. Throws if `target` itself was already undone.
 */
function effectiveRevisions(revisions: readonly Revision[], target: number): Revision[] {
  const found: Revision[] = [];
  const gone = new Set<number>();
  for (let version = target + revisions.length - 1; version > target;) {
    const revision = revisions[version - target]!;
    const { revertedTo, undid } = parseRevisionMetadata(revision.tool);
    if (gone.has(version)) version--;
    else if (undid === target || (revertedTo !== undefined && revertedTo < target))
      throw fail('conflict', `version: revision ${target} was already undone by revision ${version}`);
    else if (revertedTo !== undefined) version = revertedTo;
    else {
      if (undid !== undefined && undid > target) gone.add(undid);
      else found.push(revision);
      version--;
    }
  }
  return found;
}

export const undo_revision: typeof tool = { ...tool, run: retryWhenStale(tool.run) };
