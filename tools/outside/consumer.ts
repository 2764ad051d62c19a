// Client code that a test compiles with TypeScript 5, to check the types that openapi-typescript and
// @hey-api/openapi-ts generate from the server's OpenAPI description.
import type { paths } from './generated/openapi-typescript';
import { noteImportDoc, type NoteImportDocResponse } from './generated/hey-api';

type Answer = paths['/openapi/note/v1/import_doc']['post']['responses'][200]['content']['application/json'];

export function noteOf(answer: Answer): string {
  if (answer.code === 0 && 'note_id' in answer.data) return String(answer.data.note_id);
  throw new Error(answer.msg);
}

export async function importNote(apiKey: string, baseUrl: string): Promise<NoteImportDocResponse | undefined> {
  const { data } = await noteImportDoc({
    baseUrl,
    body: { content_format: 1, content: '# Pears' },
    headers: { 'svc-openapi-apikey': apiKey } as never,
  });
  return data;
}
