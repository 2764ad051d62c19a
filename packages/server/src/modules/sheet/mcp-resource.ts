import { invalid, overLimit } from './errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import {
  maxDocumentTokens,
  type DocumentKind,
  type ResourceContext,
  type ResourceKind,
} from '../../kernel/mcp-resource.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { parseRect, rectName, type Rect } from '@sheaf/engine';
import { documentTopic } from './events.ts';
import { regionOf } from '@sheaf/engine/internal/document';
import { countRectCells } from './cells/rects.ts';
import { maxReadCells, toRegionInput } from './schema.ts';

const maxFiles = 20;
/** The smallest token limit that the operation `sheet.read` accepts. */
const minSheetTokens = 50;

interface SheetInfo {
  sheet_id: string;
  sheet_name: string;
}

/** MCP resource with the values of a sub-sheet or range as CSV. */
export const sheetResource: ResourceKind = {
  template: 'sheaf://sheet/{file}/{sheet}{?range}',
  name: 'sheet',
  title: 'Sub-sheet of a spreadsheet',
  description:
    'Values of a sub-sheet (id or name) as CSV: of a range such as A1:D20, otherwise of all that is in use, ' +
    `at most ${maxReadCells} cells.`,
  mimeType: 'text/csv',
  async read({ file = '', sheet = '', range = '' }, reach) {
    const rect = range === '' ? await usedRange(file, sheet, reach) : rangeOf(range);
    if (!rect) return { text: '' };
    const cells = countRectCells(rect);
    if (cells > maxReadCells)
      throw overLimit(
        `range: at most ${maxReadCells} cells can be read at once, and ${rectName(rect)} has ${cells}; ` +
          'name a smaller range as ?range=A1:D20',
      );
    const { csv_data: text } = await reach.call('sheet.get_cell_data', {
      file_id: file,
      sheet_id: sheet,
      ...toRegionInput(regionOf(rect)),
      return_csv: true,
    });
    return { text: String(text ?? '') };
  },
  async complete(variable, begun, { file = '' }, reach) {
    if (variable === 'file') return findFileIds(begun, reach);
    const found = file === '' ? [] : await sheetsOf(file, reach);
    if (variable === 'sheet')
      return found
        .filter((one) => one.sheet_id.startsWith(begun) || one.sheet_name.toLowerCase().startsWith(begun.toLowerCase()))
        .map((one) => one.sheet_id);
    return [];
  },
  async watch({ file = '', sheet = '' }, { caller, services }) {
    const stamp = systemStamp(services.clock.now(), 'sheet.resource', caller.userId);
    await services.documents.access({ caller, stamp, reply: {} }, file, 'viewer');
    if (sheet === '') throw invalid('sheet: is required');
    return { topic: documentTopic(file) };
  },
};

/**
 * A spreadsheet as text for MCP: the rows of all sub-sheets, each with its row number. The token limit is divided
 * equally among the sub-sheets.
 */
export const sheetDocument: DocumentKind = {
  kind: 'sheet',
  page: '/sheet/{id}',
  async read(id, reach) {
    const { file } = await reach.call('manage.query_file_info', { file_id: id });
    const sheets = await sheetsOf(id, reach);
    const parts: string[] = [];
    for (const { sheet_id: sheet } of sheets) {
      const part = await reach.call('sheet.read', {
        file_id: id,
        sheet_id: sheet,
        max_tokens: Math.max(minSheetTokens, Math.floor(maxDocumentTokens / sheets.length)),
      });
      const rows = Object.entries(part['rows'] as Record<string, unknown[]>);
      const lines = rows.map(([row, cells]) => [row, ...cells].join('\t'));
      const rest = part['next'] === undefined ? [] : [`[Continues: sheet_read returns ${String(part['next'])}.]`];
      parts.push([`# ${String(part['range'])}`, ...lines, ...rest].join('\n'));
    }
    return {
      title: (file as { title: string }).title,
      text: parts.join('\n\n'),
      metadata: { kind: 'spreadsheet' },
    };
  },
};

function rangeOf(range: string): Rect {
  const rect = parseRect(range);
  if (!rect) throw invalid(`range: must be a range such as A1:D20 (got ${formatValue(range)})`);
  return rect;
}

async function usedRange(file: string, sheet: string, reach: ResourceContext): Promise<Rect | undefined> {
  const used = await reach.call('sheet.get_used_range', { file_id: file, sheet_id: sheet });
  if (used['is_empty'] === true) return undefined;
  const { start_row: top, start_col: left, end_row: bottom, end_col: right } = used as Record<string, number>;
  return { top: top!, left: left!, bottom: bottom!, right: right! };
}

async function sheetsOf(file: string, reach: ResourceContext): Promise<SheetInfo[]> {
  return (await reach.call('sheet.get_sheet_info', { file_id: file }))['sheets'] as SheetInfo[];
}

/**
 * Returns ids of documents whose id starts with `begun`, the text that the user has typed so far, or whose title
 * matches it.
 */
export async function findFileIds(begun: string, reach: ResourceContext): Promise<string[]> {
  const { files: latest } = await reach.call('manage.list_files', { cursor: '', limit: maxFiles });
  const ids = (latest as { file_id: string }[]).map((one) => one.file_id).filter((id) => id.startsWith(begun));
  if (begun === '') return ids;
  const { files: found } = await reach.call('manage.search_file', { query: begun, limit: maxFiles });
  return [...new Set([...ids, ...(found as { file_id: string }[]).map((one) => one.file_id)])];
}
