import { highlight } from '@sheaf/search/passages/highlight';
import { withCorrections } from '@sheaf/search/query/nearest-word';
import { z } from 'zod';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import {
  corrections,
  indexBehind,
  keywordOnly,
  match,
  mode,
  resolveSearchMode,
  refuseWordless,
} from '../../../kernel/search-fields.ts';
import type { SourceHit } from '../../../ports/search-source.ts';
import { mergeRanked } from '../merge-ranked.ts';
import { passageFields, selectPassages, type PassageInfo } from '../passage-selection.ts';
import { entryKinds, filterFields, parseFilter, locationFields, visibleSources } from '../search-filter.ts';

/** Maximum number of documents that a search finds. Only the best `maxRead` of them are searched for passages. */
const maxDocuments = 20;
const maxRead = 5;

const passageKinds = entryKinds.filter((kind) => kind !== 'folder');

const documentInfo = z.object({
  kind: oneOf('An item of a knowledge base, a note, or a spreadsheet.', passageKinds as ['knowledge', 'note', 'sheet']),
  id: text('Media id, note id or file id.'),
  title: text('Its title.'),
  match: match(),
  container_id: text('Knowledge base that contains it, if any.').optional(),
  link: text('Address that opens it; an item opens at a passage with ?at= and its start.'),
});

const passageInfo = z.object({
  document: integer('Index of its document in documents.'),
  text: text('The passage with matched words in <em>…</em>, otherwise escaped; of a spreadsheet, rows with headings.'),
  headings: passageFields.headings.optional(),
  page: passageFields.page,
  range: passageFields.range,
  cell: passageFields.cell,
  start: passageFields.start.optional(),
  score: passageFields.score,
});

export const search_passages = operation({
  summary:
    'Finds the passages of items, notes and spreadsheets that answer a question, best first.\n' +
    'Example: {"query":"how is the budget approved?"}',
  effect: 'read',
  view: 'passages',
  input: {
    query: text('A question, or words.', { min: 1, max: 1000 }),
    limit: integer('Maximum number of passages. Default: 8.', { min: 1, max: 50 }).optional(),
    mode: mode(),
    max_tokens: integer('Maximum tokens of text. Default: 2000.', { min: 1, max: 100_000 }).optional(),
    ...filterFields,
    ...locationFields,
    knowledge_base_id: text('Only in this base.', { max: 80 }).optional(),
  },
  output: {
    documents: list('The documents of the passages, each once.', documentInfo),
    passages: list('The passages.', passageInfo),
    total: integer('Total number of documents that match; at most this many where filters leave some out.'),
    index_behind: indexBehind(),
    keyword_only: keywordOnly(),
    corrected: corrections(),
  },
  async run(input, context) {
    const { userId } = context.caller;
    refuseWordless(input.query);
    const how = resolveSearchMode(context, input);
    const base = input.knowledge_base_id === '' ? undefined : input.knowledge_base_id;
    const asked = await parseFilter({ ...input, knowledge_base_id: base }, context);
    const kinds = passageKinds.filter((kind) => asked.kinds?.includes(kind) ?? true);
    const filter = { ...asked, kinds };
    const sources = visibleSources(context, filter);
    const caughtUp = await Promise.all(sources.map(({ name }) => context.searchFeed.waitForOwnWrites(name, userId)));
    const pages = await Promise.all(
      sources.map((source) =>
        source.find(userId, input.query, {
          after: undefined,
          limit: maxDocuments,
          mode: how,
          hasHighlights: false,
          filter,
        }),
      ),
    );
    const { taken } = mergeRanked(
      pages.map((page) => page.hits),
      maxDocuments,
      maxDocuments,
    );
    const corrected = new Map(pages.flatMap((page) => [...(page.corrected ?? [])]));
    const query = withCorrections(input.query, corrected);
    const selected = await selectPassages(taken, {
      query,
      limit: input.limit ?? 8,
      maxTokens: input.max_tokens ?? 2000,
      includeLeadPassages: true,
      maxTexts: maxRead,
    });
    const shown = [...new Set(selected.map(({ hit }) => hit))];
    return {
      documents: shown.map((hit) => toDocument(taken[hit]!, context.publicUrl.url)),
      passages: selected.map(({ hit, info }) => toPassage(shown.indexOf(hit), info, query)),
      total: selected.length === 0 ? 0 : pages.reduce((sum, page) => sum + page.maxTotal, 0),
      ...(caughtUp.includes(false) ? { index_behind: true } : {}),
      ...(pages.some((page) => page.isKeywordOnly) ? { keyword_only: true } : {}),
      ...(corrected.size > 0 ? { corrected: Object.fromEntries(corrected) } : {}),
    };
  },
});

function toDocument(hit: SourceHit, url: string): z.input<typeof documentInfo> {
  const { id, title, match: how, containerId } = hit;
  const kind = hit.kind === 'note' || hit.kind === 'sheet' ? hit.kind : 'knowledge';
  const path = { note: `notes/${id}`, sheet: `sheet/${id}`, knowledge: `wiki/${containerId}/item/${id}` }[kind];
  return {
    kind,
    id,
    title,
    match: how,
    ...(containerId === undefined ? {} : { container_id: containerId }),
    link: `${url}/${path}`,
  };
}

/** Converts a passage to the form of the answer. Leaves out fields without information, because answers cost tokens. */
function toPassage(document: number, info: PassageInfo, query: string): z.input<typeof passageInfo> {
  const { text: shown, headings, page, range, cell, start, score } = info;
  return {
    document,
    text: highlight(shown, query),
    ...(headings.length === 0 ? {} : { headings }),
    ...(page === undefined ? {} : { page }),
    ...(range === undefined ? { start } : { range }),
    ...(cell === undefined ? {} : { cell }),
    score,
  };
}
