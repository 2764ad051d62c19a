/**
 * A consumer's program, type-checked in an empty folder with the package installed (package.test.ts). It is excluded from
 * the repository's own check, because dist/ has types only after packing.
 */
import { SheafError, createClient, type Client, type ClientOptions } from 'sheaf/client';
import * as engine from 'sheaf/engine';

const options: ClientOptions = {
  url: 'http://127.0.0.1:8787',
  clientId: process.env['SHEAF_CLIENT_ID'],
  apiKey: process.env['SHEAF_API_KEY'],
};
const client: Client = createClient(options);

export async function main(): Promise<string> {
  const { note_id: id } = await client.note.import_doc(
    { content_format: 1, content: '# Pears' },
    { idempotencyKey: 'once' },
  );
  const { files } = await client.manage.list_files({ cursor: '', limit: 20 });
  const titles: string[] = files.map((file) => file.title);
  // @ts-expect-error the content is text
  await client.note.import_doc({ content_format: 1, content: 1 });
  // @ts-expect-error the content is missing
  await client.note.import_doc({ content_format: 1 });
  // @ts-expect-error there is no such operation
  await client.note.no_such_operation({});
  // @ts-expect-error there is no such module
  await client.nothing.get_me({});
  // @ts-expect-error an answer has no such field
  titles.push((await client.account.get_me({})).no_such_field);
  return [id, ...titles].join();
}

export function codeOf(error: unknown): number | undefined {
  return error instanceof SheafError ? error.code : undefined;
}

export const Workbook: typeof engine.Workbook = engine.Workbook;
export type OurWorkbook = engine.Workbook;
// @ts-expect-error a class is no number, and nothing here is any
export const wrong: number = engine.Workbook;
