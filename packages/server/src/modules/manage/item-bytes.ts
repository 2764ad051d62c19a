import { buffer } from 'node:stream/consumers';
import type { Context } from '../../context.ts';
import { fail } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import type { Item } from '../../ports/wiki-store.ts';
import { invalid, overLimit } from '../sheet/errors.ts';
import { findTextTable } from './text-tables.ts';

const maxBytes = 64 * 2 ** 20;
const workbooks = /\.(?:xls[xbm]?|ods|csv)$/i;

/**
 * Returns the bytes of a workbook that is an item of a knowledge base. With `table`, returns that table of the item's
 * text as CSV. Throws if the caller's API key has no access to knowledge bases.
 */
export async function itemBytes(context: Context, id: string, table: number | undefined): Promise<Uint8Array> {
  const item = await requireItem(context, id);
  if (table !== undefined) return tableBytes(context, item, table);
  if (item.blobKey === '' || !workbooks.test(item.fileName))
    throw invalid(
      `media_id: must be an .xlsx, .xls, .xlsb, .ods or .csv file (got ${formatValue(item.title)}); send table for a ` +
        'table of a document',
    );
  if (item.fileSize > maxBytes)
    throw overLimit(`media_id: the file must be at most ${maxBytes} bytes (got ${item.fileSize})`);
  const stream = await context.blobs.get(item.blobKey);
  if (!stream) throw noItem(id);
  return buffer(stream);
}

async function requireItem({ caller, wiki, permissions }: Context, id: string): Promise<Item> {
  if (!caller.modules.includes('*') && !caller.modules.includes('wiki'))
    throw fail('no_permission', 'media_id: requires access to the module wiki');
  const item = await wiki.items.item(id);
  const role = item && item.deletedAt === null ? await permissions.role('base', item.baseId, caller.userId) : undefined;
  if (!item || role === undefined) throw noItem(id);
  return item;
}

async function tableBytes(context: Context, item: Item, number: number): Promise<Uint8Array> {
  const found = await context.wiki.texts.text(item.id);
  const { table, count } = findTextTable(found?.body ?? '', number);
  if (!table) throw invalid(`table: the document has ${count} tables (got ${number})`);
  return new TextEncoder().encode(table.map((row) => row.map(toCsvField).join(',')).join('\n'));
}

function toCsvField(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function noItem(id: string): Error {
  return fail('no_such_object', `media_id: there is no item ${formatValue(id)} that you may see`);
}
