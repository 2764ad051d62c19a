import { groupConsecutive } from '../cells/rects.ts';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { overLimit } from '../errors.ts';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import type { SheetDocument } from '@sheaf/engine/internal/document';
import { type Mutation, putProtect, removeProtect } from '@sheaf/engine/internal/mutations';
import { parseRevisionMetadata } from '../calls/revision-metadata.ts';
import { describeShifts } from '../calls/change-tracker.ts';
import { dryRunSteps } from '../calls/dry-run-steps.ts';
import { changedCellsOutput, changedCellsTokens, parseFileId } from '../schema.ts';
import { maxRevisionBytes } from '../calls/revision-size.ts';
import { retryWhenStale, throwIfStale } from '../calls/stale-version.ts';
import { writeTool, type ToolCall, type WriteValues } from '../calls/tool.ts';

const revisionPageSize = 100;
const historyPageSize = 1000;

/** Maximum number of revisions that the answer lists. */
const maxListed = 10;

const undone = z.object({
  version: integer('Revision.'),
  tool: text('Tool that made it.'),
  range: text('Cells it affected: <sheet_id>$A1:B2; absent if none.').optional(),
});

/**
 * What a call of this tool loads before it plans its mutations: the inverse mutations of the revisions to take back,
 * newest first (`inverses`), and these revisions for the answer (`undone`; `count` of them in all). `from` is the version
 * of the document to which the inverse mutations apply.
 */
const loaded = z.object({
  from: z.number(),
  inverses: z.array(z.string()),
  undone: z.array(undone),
  count: z.number(),
});

const input = {
  version: integer('Version to revert to, from get_history.', { min: 0 }),
};

const tool = writeTool({
  name: 'revert',
  summary:
    'Reverts a document to an earlier version, as a new revision, which can itself be reverted. Takes back everything ' +
    'since, comments too, and lists it; undo_revision takes back one revision.',
  effect: 'destroy',
  input,
  output: {
    undone: list('The newest revisions that were taken back.', undone),
    undone_count: integer('The number of all of them.'),
    notes: list('Remarks: comments that were taken back.', text('A note.')).optional(),
    ...changedCellsOutput,
  },
  prepare: loadInverses,
  plan(document, given, call) {
    const { from, inverses, undone: listed, count } = loaded.parse((given as { loaded?: unknown }).loaded);
    throwIfStale(from, call.version);
    const steps = inverses.map((text) => JSON.parse(text) as Mutation[]);
    const notes = inverses.some(changesComments) ? ['comments made since then were taken back too'] : [];
    // If rows or columns shift, the answer lists no changed cells, because the old and the new value at an address may
    // belong to different cells.
    const shifts = describeShifts(document, steps.flat());
    const isComparable = shifts.shifted === undefined;
    const answer = {
      data: { undone: listed, undone_count: count, ...(notes.length > 0 ? { notes } : {}), ...shifts },
      ...(isComparable ? { report: { tokens: changedCellsTokens, sheet: undefined } } : {}),
      checked: true as const,
    };
    const unguarded = call.isOwner || document.subSheets.every((one) => one.protections.length === 0);
    if (unguarded) return { mutations: steps.flat(), ...answer };
    const mutations = dryRunSteps(
      document,
      call,
      steps.map((step) => () => {
        for (const mutation of step) refuseUnprotecting(document, mutation, call);
        return step;
      }),
    );
    return { mutations, ...answer };
  },
});

/** Returns whether the mutations, given as JSON, change comments. */
function changesComments(inverse: string): boolean {
  return inverse.includes('"list":"comments"');
}

/**
 * Throws if a mutation changes or removes another user's protected range. The tools for protected ranges check this
 * themselves, but a revert takes its mutations from the log and does not run these tools.
 */
function refuseUnprotecting(document: SheetDocument, mutation: Mutation, call: ToolCall): void {
  if (mutation.type !== putProtect.type && mutation.type !== removeProtect.type) return;
  const data = mutation.data as { sheet: string; id?: string; protection?: { id: string } };
  const id = data.id ?? data.protection?.id;
  const hit = document.find(data.sheet)?.protections.find((one) => one.id === id && one.owner !== call.userId);
  if (hit)
    throw fail(
      'protected',
      `version: reverting would change the protection ${hit.id}; its creator and the document's owner may do that`,
    );
}

async function loadInverses(given: WriteValues<typeof input>, context: Context): Promise<WriteValues<typeof input>> {
  const { document } = await context.documents.access(context, parseFileId(given), 'editor');
  if (given.version > document.version)
    throw fail('no_such_object', `version: the latest version is ${document.version} (got ${given.version})`);
  const { from, path, tools } = await findRevertPath(context, document.id, given.version);
  const inverses: string[] = [];
  let bytes = 0;
  for (const [first, last] of groupConsecutive(path.toReversed()).toReversed()) {
    const run: string[] = [];
    for (let after = first - 1; after < last;) {
      const page = await context.sheets.revisions(document.id, after, Math.min(revisionPageSize, last - after));
      if (page.length === 0) throw new Error(`the log of ${document.id} is missing revision ${after + 1}`);
      for (const { inverse } of page) {
        bytes += inverse.length;
        run.push(inverse);
      }
      if (bytes > maxRevisionBytes)
        throw overLimit(
          `version: more than ${maxRevisionBytes} bytes of changes lie in between; revert in smaller steps`,
        );
      after = page.at(-1)!.version;
    }
    inverses.push(...run.toReversed());
  }
  const listed = path.slice(0, maxListed).map((version) => {
    const { tool: name, range } = parseRevisionMetadata(tools.get(version) ?? '');
    return { version, tool: name, ...(range === undefined ? {} : { range }) };
  });
  return { ...given, loaded: { from, inverses, undone: listed, count: path.length } } as WriteValues<typeof input>;
}

/**
 * Returns the versions of the revisions that a revert to `target` must undo, newest first. If a revision is itself a
 * revert to `target` or a later version, the search continues at the version that it restored: it has already undone
 * the revisions in between.
 */
async function findRevertPath(
  context: Context,
  id: string,
  target: number,
): Promise<{ from: number; path: number[]; tools: ReadonlyMap<number, string> }> {
  const tools = new Map<number, string>();
  let before = Number.MAX_SAFE_INTEGER;
  let from = target;
  for (let more = true; more;) {
    const page = await context.sheets.history(id, before, historyPageSize);
    for (const { version, tool } of page) tools.set(version, tool);
    from = Math.max(from, page[0]?.version ?? 0);
    before = page.at(-1)?.version ?? 0;
    more = page.length === historyPageSize && before > target + 1;
  }
  const path: number[] = [];
  for (let version = from; version > target;) {
    const back = parseRevisionMetadata(tools.get(version) ?? '').revertedTo;
    if (back !== undefined && back >= target) version = back;
    else path.push(version--);
  }
  return { from, path, tools };
}

export const revert: typeof tool = { ...tool, run: retryWhenStale(tool.run) };
