import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Item } from '../../../ports/wiki-store.ts';
import { encodeCursor } from '../../../lib/cursor.ts';
import { estimateTokens, tokenLimitEnd } from '@sheaf/search/analysis/llm-token-estimate';
import { fail } from '../../../kernel/errors.ts';
import { cursor, flag, integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor, readCursor } from '../../../kernel/paging.ts';
import { withReportedStates } from '../item-states.ts';
import { expandUriTemplate } from '../../../kernel/mcp-resource.ts';
import { mediaNumber } from '@sheaf/client/media-types';
import { requireItem } from '../permissions.ts';
import { ItemTextReader } from '../item-text-reader.ts';
import { knowledgeResource } from '../mcp-resource.ts';
import { mediaId, state } from '../schema.ts';

export const get_knowledge_content = operation({
  summary:
    'Reads the text of an item, one part per call within a token budget. For the original file use ' +
    'get_media_info.\nExample: {"media_id":"media_...","max_tokens":4000}',
  effect: 'read',
  input: {
    media_id: mediaId(),
    max_tokens: integer('Maximum tokens of text. Default: 8000.', { min: 1, max: 1_000_000 }).optional(),
    at: integer("Read around this place, e.g. a passage's start.", {
      min: 0,
    }).optional(),
    marks: flag('Whether lines such as [page 3] mark pages. Default: true.').optional(),
    cursor: cursor().optional(),
  },
  output: {
    media_id: text('The item.'),
    media_type: integer('Type of the item.'),
    content_type: text('Content type of the file; absent for pages, notes and sessions.').optional(),
    title: text('Its title.'),
    state: state(),
    reason: text('Why the text is empty, incomplete or out of date; absent otherwise.').optional(),
    file_id: text('The spreadsheet that the file is a copy of and follows; absent otherwise.').optional(),
    content: text('This part of the text.'),
    start: integer('Where it begins in the text without marks, in UTF-16 code units.'),
    tokens: integer('Approximate number of tokens in this part.'),
    total_tokens: integer('Approximate number of tokens in the whole text.'),
    meta: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Other metadata: pages, duration, author, time, cover, etc.' }),
    is_end: isEnd(),
    next_cursor: nextCursor(),
  },
  async run(input, context) {
    const { item } = await requireItem(context, input.media_id, 'view');
    if (item.state === 'queued' || item.state === 'parsing')
      throw fail(
        'busy',
        `media_id: the text is not ready yet (${item.state}); use get_knowledge_state to wait for it`,
        {
          retryAfter: 1,
        },
      );
    if (item.state === 'failed') throw fail('invalid_parameter', `media_id: the item has no text: ${item.reason}`);
    const found = await new ItemTextReader(context.wiki, context.noteReader).text(item);
    if (!found)
      throw fail(
        'no_permission',
        `media_id: the ${item.mediaType === mediaNumber.session ? 'session' : 'note'} behind the item was deleted by its author`,
      );
    const scope = `get_knowledge_content ${item.id} ${item.version} ${found.body.length}`;
    const budget = input.max_tokens ?? 8000;
    const start = Number(readCursor(scope, input.cursor ?? '')?.[0] ?? startAround(found.body, input.at ?? 0, budget));
    const end = tokenLimitEnd(found.body, start, budget);
    const content =
      input.marks === false
        ? found.body.slice(start, end)
        : withPageMarks(found.body, found.outline?.pages ?? [], start, end);
    const isLast = end >= found.body.length;
    if (start > 0 || !isLast)
      context.reply.link = {
        uri: expandUriTemplate(knowledgeResource.template, { id: item.id }),
        name: item.title,
        mimeType: knowledgeResource.mimeType,
      };
    if (start === 0 && shownPictures.has(item.contentType))
      context.reply.picture = { mimeType: item.contentType, load: () => readPicture(context, item) };
    return {
      media_id: item.id,
      media_type: item.mediaType,
      ...(item.contentType === '' ? {} : { content_type: item.contentType }),
      title: item.title,
      state: (await withReportedStates(context, [item]))[0]!.state,
      ...(item.reason === '' ? {} : { reason: item.reason }),
      ...((await isVisibleCopy(context, item)) ? { file_id: item.contentId } : {}),
      content,
      start,
      tokens: estimateTokens(content),
      total_tokens: estimateTokens(found.body),
      meta: found.meta,
      is_end: isLast,
      next_cursor: isLast ? '' : encodeCursor(scope, [end]),
    };
  },
});

/**
 * Returns whether the item is a stored copy of a spreadsheet, and the caller may read that spreadsheet. Only then does
 * the answer name the spreadsheet.
 */
async function isVisibleCopy({ permissions, caller }: Context, item: Item): Promise<boolean> {
  if (item.filedVersion === 0) return false;
  return (await permissions.role('sheet', item.contentId, caller.userId)) !== undefined;
}

/** Content types of pictures that language models accept. */
const shownPictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const maxPictureBytes = 3 * 2 ** 20;

async function readPicture({ blobs }: Context, item: Item): Promise<Uint8Array | undefined> {
  const stream = item.fileSize <= maxPictureBytes ? await blobs.get(item.blobKey) : undefined;
  return stream && buffer(stream);
}

/**
 * Returns a part of the text with a marker line before each page or slide that begins in it. If the part begins within
 * a page or slide, it starts with the marker of that page or slide.
 */
function withPageMarks(
  body: string,
  pages: readonly { label: string; offset: number }[],
  start: number,
  end: number,
): string {
  // Insert no `[label]` marker where the text already begins with the label, as the text of a sub-sheet does.
  const marked = pages.filter(({ label, offset }) => !body.startsWith(label, offset));
  const current = marked.findLast(({ offset }) => offset < start);
  const inside = marked.filter(({ offset }) => offset >= start && offset < end);
  let content = current && start < end && inside[0]?.offset !== start ? `[${current.label}]\n` : '';
  let from = start;
  for (const { label, offset } of inside) {
    content += `${body.slice(from, offset)}[${label}]\n`;
    from = offset;
  }
  return content + body.slice(from, end);
}

/**
 * Returns the position at which to start reading, so that the part returned includes some text before `at`: about a
 * third of the token budget before `at`, moved forward to the start of a line if possible.
 */
function startAround(body: string, at: number, budget: number): number {
  if (at === 0) return 0;
  let from = Math.min(at, body.length);
  // Go backwards in steps of 64 UTF-16 code units and estimate the tokens of each step. The length cannot be computed
  // from the budget, because a token has between one and about four code units.
  for (let tokens = 0; from > 0 && tokens < budget / 3;) {
    const next = Math.max(0, from - 64);
    tokens += estimateTokens(body.slice(next, from));
    from = next;
  }
  const line = body.indexOf('\n', from);
  return from > 0 && line >= 0 && line < at ? line + 1 : from;
}
