/** What a document, the notes and the knowledge say when asked, for comparing releases. Nothing that changes by the hour. */
import { call as callHttp } from '@sheaf/client';

export interface Caller {
  (module: string, operation: string, input: unknown): Promise<{ code: number; msg: string; data: any }>;
}

export function callerOf(url: string, clientId: string, apiKey: string): Caller {
  return async (module, operation, input) => {
    const { code, msg, data } = await callHttp({ url, clientId, apiKey }, module, operation, input);
    return { code, msg, data };
  };
}

/** The answer's data; anything but success is an error. */
export async function must(call: Caller, module: string, operation: string, input: unknown): Promise<any> {
  const { code, msg, data } = await call(module, operation, input);
  if (code !== 0) throw new Error(`${module}.${operation} ${JSON.stringify(input).slice(0, 300)}: ${code} ${msg}`);
  return data;
}

const rowsRead = 120;
const colsRead = 45;

export async function observeDocument(call: Caller, file_id: string): Promise<Record<string, unknown>> {
  const ask = (tool: string, input: Record<string, unknown> = {}): Promise<any> =>
    must(call, 'sheet', tool, { file_id, ...input });
  const { sheets } = await ask('get_sheet_info');
  const state: Record<string, unknown> = { sheets };
  for (const { sheet_id } of sheets as { sheet_id: string }[]) {
    const whole = { sheet_id, start_row: 0, start_col: 0, end_row: rowsRead - 1, end_col: colsRead - 1 };
    const [{ version: _, ...view }, { cells }, merges, charts, filters, protections, { images }, objects] =
      await Promise.all([
        ask('get_view', { ...whole, layout: true }),
        ask('get_cell_data', whole),
        ask('get_merged_cells', whole),
        ask('get_charts', { sheet_id }),
        ask('get_filters', { sheet_id }),
        ask('get_protect_ranges', { sheet_id }),
        ask('get_images', { sheet_id }),
        ask('get_sheet_object_list', { sheet_id }),
      ]);
    const pivots = (objects.objects as { object_id: string; object_type: string }[]).filter(
      (one) => one.object_type === 'pivot_table',
    );
    state[sheet_id] = {
      view,
      cells,
      merges,
      charts,
      filters,
      protections,
      images: (images as { url: string }[]).map(({ url: _url, ...image }) => image),
      objects,
      pivots: await Promise.all(
        pivots.map(({ object_id }) => ask('get_pivot_table_detail', { pivot_table_id: object_id })),
      ),
    };
  }
  return state;
}

export interface Library {
  readonly base: string;
  readonly items: readonly string[];
  readonly notes: readonly string[];
}

export async function observeLibrary(call: Caller, { base, items, notes }: Library): Promise<Record<string, unknown>> {
  const { knowledge_list } = await must(call, 'wiki', 'get_knowledge_list', {
    knowledge_base_id: base,
    cursor: '',
    limit: 50,
  });
  const texts: unknown[] = [];
  for (const note_id of notes) {
    const { title, version, versions } = await must(call, 'note', 'get_note_history', {
      note_id,
      cursor: '',
      limit: 50,
    });
    const { content } = await must(call, 'note', 'get_doc_content', { note_id, target_content_format: 0 });
    const markdown: unknown[] = [];
    for (let n = 1; n <= version; n++) {
      markdown.push((await must(call, 'note', 'export_note', { note_id, format: 'markdown', version: n })).content);
    }
    texts.push({ title, version, versions, content, markdown });
  }
  const contents: unknown[] = [];
  for (const media_id of items) {
    const { title, media_type, state, content } = await must(call, 'wiki', 'get_knowledge_content', { media_id });
    contents.push({ title, media_type, state, content });
  }
  return { knowledge_list, contents, texts };
}
