import { expect } from 'vitest';
import type { Callable, ModuleCall } from '@sheaf/tools/testing/call-client.ts';
import { workbookParts, zipped, type Parts } from '@sheaf/tools/testing/workbook-parts.ts';
import { sheetOf, type Sheet } from './support.ts';

/** The first sub-sheet of a document imported from a workbook, given as the text of its sheet or as all of its parts. */
export async function importedSheet(call: ModuleCall, server: Callable, given: string | Parts): Promise<Sheet> {
  const parts = typeof given === 'string' ? workbookParts({ One: given }) : given;
  const content = Buffer.from(zipped(parts)).toString('base64');
  const made = await server.call('http', 'manage', 'import_file', { title: 'T', content, format: 'xlsx' });
  expect(made).toMatchObject({ code: 0 });
  const file_id = made.data.file_id as string;
  const info = await server.call('http', 'sheet', 'get_sheet_info', { file_id });
  return sheetOf(call, file_id, info.data.sheets[0].sheet_id as string);
}
