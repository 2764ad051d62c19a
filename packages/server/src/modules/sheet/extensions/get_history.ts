import { z } from 'zod';
import { cursor, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { RawJson } from '../../../kernel/raw-json.ts';
import { userNames } from '../../../kernel/user-names.ts';
import type { Context } from '../../../context.ts';
import type { Revision, RevisionSummary } from '../../../ports/sheet-store.ts';
import { parseRevisionMetadata } from '../calls/revision-metadata.ts';
import { listRevisionCells, type CellChange } from '../calls/revision-cells.ts';
import {
  formatHistoryCursor,
  meetsLoggedRange,
  parseHistoryCursor,
  parseTracedRange,
  traceRevision,
  type TracedRange,
} from '../calls/range-history.ts';
import { addressField, fileFields, parseFileId } from '../schema.ts';

/**
 * Maximum length in characters of a revision's mutations and inverse mutations, as JSON. The answer does not list the
 * changed cells of a longer revision.
 */
const maxListedLength = 8 * 1024;
/** Maximum number of revisions that one call searches for changes of a range. */
const maxSearched = 1000;
const searchPage = 200;
/**
 * Maximum number of long revisions (beyond `maxListedLength`) that one call reads. They are read only because they may
 * have moved the range whose history is listed.
 */
const maxLongRead = 20;
const defaultRangeCells = 5;

export const get_history = operation({
  name: 'get_history',
  summary:
    "Lists a document's revisions, newest first, with version, user, time, tool and range; with range, those of a cell " +
    'or range, which is followed through inserted, deleted and moved lines. To return to one use revert.',
  effect: 'read',
  input: z.object({
    ...fileFields,
    range: addressField('Only what changed there, e.g. Sales!B2.').optional(),
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 200 }).optional(),
    cells: integer('Cells of each to list, before and after. Default: 0; with range, 5.', {
      min: 0,
      max: 20,
    }).optional(),
  }),
  output: z.object({
    revisions: list(
      'Entries, newest first.',
      z.object({
        version: integer('Its number.'),
        user_id: text('User who made it.'),
        user_name: text('User name; empty if the account was deleted.'),
        key_id: text('API key or session that made it; empty if unknown.'),
        at: integer('Unix milliseconds.'),
        time: text('The same in words, as 2026-05-01T08:00:00.000Z.'),
        tool: text('Tool that made the revision.'),
        range: text('Cells it affected: <sheet_id>$A1:B2, as the sub-sheet was then; absent if none.').optional(),
        reason: text('Why, as the caller said; absent if it did not.').optional(),
        reverted_to: integer('Reverts: the version whose state was restored.').optional(),
        cells: list(
          'With cells: the first cells it wrote to, as typed; absent for large revisions and those that wrote to none.',
          z.object({
            sheet_id: text('Sub-sheet.'),
            address: text('E.g. B2, as the sub-sheet was then.'),
            before: text('Empty for a blank cell.'),
            after: text('Empty for a blank cell.'),
          }),
        ).optional(),
      }),
    ),
    next_cursor: text('Cursor of the next page; empty on the last page.'),
    is_end: flag('Whether this is the last page.'),
  }),
  async run(input, context) {
    const file = parseFileId(input);
    const { document } = await context.documents.access(context, file, 'viewer');
    const limit = input.limit ?? 50;
    const page =
      input.range === undefined
        ? await readPage(context, document.id, { cursor: input.cursor ?? '', limit, cells: input.cells ?? 0 })
        : await searchRange(context, document.id, {
            cursor: input.cursor ?? '',
            limit,
            cells: input.cells ?? defaultRangeCells,
            range: input.range,
          });
    const names = await userNames(
      context.accounts,
      page.revisions.map((one) => one.userId),
    );
    return {
      revisions: page.revisions.map(({ version, userId, at, tool: logged }) => {
        const { tool, range, keyId, revertedTo, reason } = parseRevisionMetadata(logged);
        const cells = page.cells.get(version);
        return {
          version,
          user_id: userId,
          user_name: names.get(userId) ?? '',
          key_id: keyId,
          at,
          time: new Date(at).toISOString(),
          tool,
          ...(range === undefined ? {} : { range }),
          ...(reason === '' ? {} : { reason }),
          ...(revertedTo === undefined ? {} : { reverted_to: revertedTo }),
          ...(cells ? { cells } : {}),
        };
      }),
      next_cursor: page.next,
      is_end: page.next === '',
    };
  },
});

interface HistoryPage {
  readonly revisions: readonly RevisionSummary[];
  readonly cells: ReadonlyMap<number, CellChange[]>;
  /** Cursor of the next page; empty if this is the last page. */
  readonly next: string;
}

interface PageOptions {
  readonly cursor: string;
  readonly limit: number;
  readonly cells: number;
}

async function readPage(
  context: Context,
  id: string,
  { cursor: from, limit, cells }: PageOptions,
): Promise<HistoryPage> {
  const found = await context.sheets.history(id, parseHistoryCursor(from).before, limit + 1);
  const revisions = found.slice(0, limit);
  return {
    revisions,
    cells: await changesOf(context, id, revisions, cells),
    next: found.length > limit ? String(revisions.at(-1)!.version) : '',
  };
}

/**
 * Lists the revisions that changed a range, newest first. Follows the range to the positions that it had before rows or
 * columns moved.
 */
async function searchRange(
  context: Context,
  id: string,
  { cursor: from, limit, cells: maxCells, range }: PageOptions & { readonly range: string },
): Promise<HistoryPage> {
  const start = parseHistoryCursor(from);
  let traced: TracedRange | undefined = start.traced ?? (await resolveRange(context, id, range));
  let { before } = start;
  let longLeft = maxLongRead;
  const revisions: RevisionSummary[] = [];
  const cells = new Map<number, CellChange[]>();
  for (let searched = 0; searched < maxSearched;) {
    const summaries = await context.sheets.history(id, before, searchPage);
    const [newest, oldest] = [summaries[0], summaries.at(-1)];
    if (!newest || !oldest) return { revisions, cells, next: '' };
    const known = await context.sheets.shortRevisions(id, oldest.version, newest.version, maxListedLength);
    const short = new Map(known.map((one) => [one.version, one]));
    for (const summary of summaries) {
      if (!traced) return { revisions, cells, next: '' };
      if (revisions.length === limit) return { revisions, cells, next: formatHistoryCursor(before, traced) };
      const { version } = summary;
      before = version;
      const { tool, range: logged } = parseRevisionMetadata(summary.tool);
      const mayMove = movingTools.has(tool) && !short.has(version) && longLeft-- > 0;
      const whole: Pick<Revision, 'mutations' | 'inverse'> | undefined = mayMove
        ? await readMutations(context, id, version)
        : short.get(version);
      if (!whole) {
        if (meetsLoggedRange(traced, logged)) revisions.push(summary);
        continue;
      }
      const found = traceRevision(traced, whole.mutations, whole.inverse, maxCells);
      if (found.isHit) revisions.push(summary);
      if (found.cells.length > 0) cells.set(version, found.cells);
      traced = found.before;
    }
    searched += summaries.length;
    if (summaries.length < searchPage) return { revisions, cells, next: '' };
  }
  return { revisions, cells, next: traced ? formatHistoryCursor(before, traced) : '' };
}

/**
 * Tools whose revisions may insert, delete or move rows or columns. Long revisions are read only if one of these tools
 * made them.
 */
const movingTools = new Set([
  'insert_dimension',
  'delete_dimension',
  'move_dimension',
  'edit_rows',
  'batch',
  'revert',
  'undo_revision',
]);

/**
 * Reads the mutations of a revision that is too long to list. Often only its inverse (the mutations that undo it) is
 * long, for example if many filled rows were deleted, so an empty list is returned as the inverse. Returns undefined if
 * the mutations themselves are too long.
 */
async function readMutations(
  { sheets }: Context,
  id: string,
  version: number,
): Promise<Pick<Revision, 'mutations' | 'inverse'> | undefined> {
  const [found] = await sheets.revisions(id, version - 1, 1);
  if (found?.version !== version || found.mutations.length > maxListedLength) return undefined;
  return { mutations: found.mutations, inverse: '[]' };
}

async function resolveRange(context: Context, id: string, range: string): Promise<TracedRange> {
  const info = await context.documents.call(context, 'get_sheet_info', 'viewer', { file_id: id });
  const { sheets } = (info instanceof RawJson ? info.parse() : info) as {
    sheets: { sheet_id: string; sheet_name: string }[];
  };
  return parseTracedRange(range, sheets);
}

/**
 * Returns the cells that the revisions of the page changed, at most `max` for each revision, by version. Long revisions
 * are left out, because parsing them would block the thread.
 */
async function changesOf(
  { sheets }: Context,
  id: string,
  page: readonly RevisionSummary[],
  max: number,
): Promise<Map<number, CellChange[]>> {
  const [newest, oldest] = [page[0], page.at(-1)];
  if (max === 0 || !newest || !oldest) return new Map();
  const short = await sheets.shortRevisions(id, oldest.version, newest.version, maxListedLength);
  const listed = short.map(({ version, mutations, inverse }): [number, CellChange[]] => [
    version,
    listRevisionCells(mutations, inverse, max),
  ]);
  return new Map(listed.filter(([, cells]) => cells.length > 0));
}
