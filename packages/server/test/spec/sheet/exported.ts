/** What a sub-sheet looks like, read from the file it is exported to: the tools of the specification set more than they tell. */
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import type { Callable } from '@sheaf/tools/testing/call-client.ts';
import { r4, type Sheet } from './support.ts';

/** Parts of the xlsx file by name, as text. */
export async function exportedParts(server: Callable, sheet: Sheet): Promise<Record<string, string>> {
  const { code, data } = await server.call('http', 'manage', 'export_file', { file_id: sheet.file_id, format: 'xlsx' });
  expect(code).toBe(0);
  const parts = unzipSync(Buffer.from(data.content as string, 'base64'));
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

export interface Look {
  font: string;
  fill: string;
  border: string;
  alignment: string;
}

/** The looks of a range's cells, as the file says them: pieces of XML. */
export async function looksOf(server: Callable, sheet: Sheet, range: string): Promise<Record<string, Look>> {
  const parts = await exportedParts(server, sheet);
  const styles = parts['xl/styles.xml']!;
  const listed = (tag: string, item: RegExp): string[] =>
    new RegExp(`<${tag} [^>]*>(.*?)</${tag}>`, 's').exec(styles)![1]!.match(item) ?? [];
  const fonts = listed('fonts', /<font>.*?<\/font>/gs);
  const fills = listed('fills', /<fill>.*?<\/fill>/gs);
  const borders = listed('borders', /<border>.*?<\/border>/gs);
  const cells = listed('cellXfs', /<xf [^>]*\/>|<xf .*?<\/xf>/gs);
  const numbers = new Map(
    [...parts['xl/worksheets/sheet1.xml']!.matchAll(/<c r="([A-Z]+\d+)"([^>]*)>/g)].map(([, name, rest]) => [
      name!,
      Number(/ s="(\d+)"/.exec(rest!)?.[1] ?? 0),
    ]),
  );
  const { start_row, start_col, end_row, end_col } = r4(range);
  const looks: Record<string, Look> = {};
  for (let row = start_row; row <= end_row; row++) {
    for (let col = start_col; col <= end_col; col++) {
      const name = `${String.fromCharCode(65 + col)}${row + 1}`;
      const xf = cells[numbers.get(name) ?? 0]!;
      const place = (attribute: string): number => Number(new RegExp(`${attribute}="(\\d+)"`).exec(xf)![1]);
      looks[name] = {
        font: fonts[place('fontId')]!,
        fill: fills[place('fillId')]!,
        border: borders[place('borderId')]!,
        alignment: /<alignment([^>]*)\/>/.exec(xf)?.[1]?.trim() ?? '',
      };
    }
  }
  return looks;
}

/** Lines of a range's cells, e.g. { B2: { top: 'thin 000000' } }. */
export async function bordersOf(
  server: Callable,
  sheet: Sheet,
  range: string,
): Promise<Record<string, Record<string, string>>> {
  const looks = await looksOf(server, sheet, range);
  return Object.fromEntries(
    Object.entries(looks).map(([name, { border }]) => [
      name,
      Object.fromEntries(
        [...border.matchAll(/<(left|right|top|bottom) style="(\w+)"><color rgb="FF(\w+)"\/>/g)].map(
          ([, edge, kind, color]) => [edge, `${kind} ${color}`],
        ),
      ),
    ]),
  );
}
