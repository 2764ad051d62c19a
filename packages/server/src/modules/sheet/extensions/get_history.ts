import { z } from 'zod';
import { invalid } from '../errors.ts';
import { cursor, flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Context } from '../../../context.ts';
import type { RevisionSummary } from '../../../ports/sheet-store.ts';
import { parseRevisionMetadata } from '../calls/revision-metadata.ts';
import { listRevisionCells, type CellChange } from '../calls/revision-cells.ts';
import { fileFields, parseFileId } from '../schema.ts';

/** Maximum length in characters of a revision whose cells get_history lists. */
const maxListedLength = 8 * 1024;

export const get_history = operation({
  name: 'get_history',
  summary:
    "Lists a document's revisions, newest first, with version, user, time, tool and range. To return to one use revert.",
  effect: 'read',
  input: z.object({
    ...fileFields,
    cursor: cursor().optional(),
    limit: integer('Maximum number of results. Default: 50.', { min: 1, max: 200 }).optional(),
    cells: integer('Cells of each to list, before and after. Default: 0.', { min: 0, max: 20 }).optional(),
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
        tool: text('Tool that made the revision.'),
        range: text('Cells it affected: <sheet_id>$A1:B2, as the sub-sheet was then; absent if none.').optional(),
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
    const { document } = await context.documents.access(context, parseFileId(input), 'viewer');
    const limit = input.limit ?? 50;
    const found = await context.sheets.history(document.id, parseCursor(input.cursor ?? ''), limit + 1);
    const page = found.slice(0, limit);
    const names = new Map(
      await Promise.all(
        [...new Set(page.map((one) => one.userId))].map(
          async (id) => [id, (await context.accounts.user(id))?.name ?? ''] as const,
        ),
      ),
    );
    const cells = await changesOf(context, document.id, page, input.cells ?? 0);
    const isEnd = found.length <= limit;
    return {
      revisions: page.map(({ version, userId, at, tool: logged }) => {
        const { tool, range, keyId, revertedTo } = parseRevisionMetadata(logged);
        return {
          version,
          user_id: userId,
          user_name: names.get(userId) ?? '',
          key_id: keyId,
          at,
          tool,
          ...(range === undefined ? {} : { range }),
          ...(revertedTo === undefined ? {} : { reverted_to: revertedTo }),
          ...(cells.has(version) ? { cells: cells.get(version)! } : {}),
        };
      }),
      next_cursor: isEnd ? '' : String(page.at(-1)!.version),
      is_end: isEnd,
    };
  },
});

/**
 * Returns the cell changes of short revisions by version. Long revisions are skipped: parsing them would block the
 * thread, and the first of many changed cells say little.
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

function parseCursor(given: string): number {
  if (given === '') return Number.MAX_SAFE_INTEGER;
  if (!/^\d{1,15}$/.test(given))
    throw invalid(`cursor: must be a next_cursor from a previous page (got ${JSON.stringify(given.slice(0, 60))})`);
  return Number(given);
}
