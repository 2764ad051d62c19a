type Question = readonly [operation: string, input: Record<string, unknown>];

const pending = new Map<string, Promise<Response>>();
/** What the page has asked for itself: an early answer to the same question would come too late, and be out of date. */
const asked = new Set<string>();
let isOver = false;
/** Long enough for the slowest of pages to come; an older answer might be out of date. */
const keptMs = 10_000;

/**
 * Asks what the page at an address is going to ask, before the page itself is here. What it then asks in the same words is
 * answered from this, once; a question too many or too few here costs a little time and nothing else.
 */
export function askEarly(path: string, search: string): void {
  if (document.documentElement.dataset['guest'] !== undefined) return;
  const found = new URLSearchParams(search);
  for (const [operation, input] of questionsAt(path, found)) {
    const answer = ask(operation, input);
    if (operation === 'sheet/get_sheet_info')
      answer?.then((response) => askFirstCells(response.clone(), input, found.get('tab'))).catch(unheard);
  }
  setTimeout(() => {
    isOver = true;
    pending.clear();
    asked.clear();
  }, keptMs);
}

/** The browser's fetch, for whoever may be answered early. */
export const fetchEarly: typeof fetch = (address, init) => {
  const key = keyOf(String(address), String(init?.body));
  const early = pending.get(key);
  pending.delete(key);
  if (!isOver) asked.add(key);
  return early ?? fetch(address, init);
};

function ask(operation: string, input: Record<string, unknown>): Promise<Response> | undefined {
  const address = `/openapi/${operation.replace('/', '/v1/')}`;
  const body = JSON.stringify(input);
  if (isOver || asked.has(keyOf(address, body))) return undefined;
  const answer = fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    credentials: 'same-origin',
  });
  answer.catch(unheard);
  pending.set(keyOf(address, body), answer);
  return answer;
}

/** Whoever takes the answer hears of the failure too; when nobody does it does not matter. */
function unheard(error: unknown): void {
  console.info('asked early', error);
}

function keyOf(address: string, body: string): string {
  return `${address} ${body}`;
}

/** A note that was begun in this browser: the server does not know it yet. */
export function isUnmadeNote(id: string): boolean {
  return id.startsWith('new_');
}

function questionsAt(path: string, search: URLSearchParams): Question[] {
  const me: Question = ['account/get_me', {}];
  const [area = '', id, rest] = path.split('/').slice(1).map(decodeURIComponent);
  const folder = search.get('folder') ?? undefined;
  if (area === '') {
    return [
      me,
      ['note/list_note', { cursor: '', limit: 8 }],
      ['wiki/search_knowledge_base', { query: '', cursor: '', limit: 8 }],
      ['manage/list_files', { cursor: '', limit: 8 }],
    ];
  }
  if (area === 'wiki' && id === undefined)
    return [me, ['wiki/search_knowledge_base', { query: '', cursor: '', limit: 20 }]];
  if (area === 'wiki' && id !== undefined && rest === undefined) {
    return [
      me,
      ['wiki/get_knowledge_base', { ids: [id] }],
      ['wiki/get_knowledge_list', { knowledge_base_id: id, folder_id: folder ?? id, cursor: '', limit: 50 }],
    ];
  }
  if (area === 'notes' && id === undefined)
    return search.has('q') ? [me] : [me, ['note/list_note', { folder_id: folder, cursor: '', limit: 20 }]];
  if (area === 'notes' && id !== undefined && isUnmadeNote(id)) return [me];
  if (area === 'notes' && id !== undefined)
    return [
      me,
      ['note/export_note', { note_id: id, format: 'markdown' }],
      ['note/get_note_history', { note_id: id, limit: 1 }],
    ];
  if (area === 'sheet' && id === undefined) return [me, ['manage/list_files', { cursor: '', limit: 50 }]];
  if (area === 'sheet' && id !== undefined)
    return [
      me,
      ['manage/query_file_info', { file_id: id }],
      ['sheet/get_sheet_info', { file_id: id }],
      ['sheet/list_objects', { file_id: id, object_types: ['sheet'] }],
    ];
  return [me];
}

/** The grid's first question, as grid/model.ts puts it: the first tile of the sub-sheet that is shown. */
async function askFirstCells(
  response: Response,
  { file_id }: Record<string, unknown>,
  tab: string | null,
): Promise<void> {
  const { data } = (await response.json()) as { data?: { sheets?: { sheet_id: string }[] } };
  const shown = data?.sheets?.find((one) => one.sheet_id === tab) ?? data?.sheets?.[0];
  if (shown)
    void ask('sheet/get_view', {
      sheet_id: shown.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 127,
      end_col: 31,
      layout: true,
      file_id,
    });
}
