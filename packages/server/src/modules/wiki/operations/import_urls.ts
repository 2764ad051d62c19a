import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { withDefault, integer, list, withListedLimits, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { NewItem } from '../../../ports/wiki-store.ts';
import { FetchRefused, type ResponseHead } from '../../../ports/web-fetcher.ts';
import { extensionOf, plainContentType, recognize } from '../media-types.ts';
import { withoutFile } from '../upload-checks.ts';
import { findBlockedWord, wikiLimits, writeAndNotify } from '../wiki-writes.ts';
import { requireBase, resolveFolder } from '../permissions.ts';
import { baseId } from '../schema.ts';
import { classifyFetchRefusal, describeFetchRefusal } from '../fetch-errors.ts';
import { pageType, provisionalTitle, unimportableReason } from '../web-page-urls.ts';

const waitMs = 10_000;

/** Result codes for URLs that were not imported. They are the same as the error codes of this module. */
const codes = { invalid: 110001, unreachable: 110010, refused: 110011, blocked: 110020 } as const;

const importURLData = z.object({
  url: text('The URL as sent.'),
  ret_code: integer('Error code; 0 if the URL was imported.'),
  media_id: text('Media id of the item, if the URL was imported.').optional(),
  msg: text('Reason, if the URL was not imported.').optional(),
});

type Result = z.input<typeof importURLData>;

export const import_urls = operation({
  summary:
    'Adds up to ten web pages or files by URL to a knowledge base. Text is extracted afterwards: ' +
    'get_knowledge_state. One that fails does not affect the others.\nExample: ' +
    '{"knowledge_base_id":"kb_...","folder_id":"","urls":["https://example.com/post"]}',
  effect: 'write',
  input: {
    knowledge_base_id: baseId('Where to add.'),
    folder_id: withDefault(text('Folder; the root if empty.', { max: 256 }), ''),
    urls: list('1 to 10 URLs.', withListedLimits(text('An http or https URL.', { min: 1, max: 8192 })), {
      min: 1,
      max: 10,
    }),
  },
  output: {
    results: z
      .record(z.string(), importURLData)
      .meta({ description: 'One entry per URL, keyed by the URL exactly as sent.' }),
  },
  async run(input, context) {
    const base = await requireBase(context, input.knowledge_base_id, 'edit');
    const folder = await resolveFolder(context, base, input.folder_id);
    const looked = await Promise.all([...new Set(input.urls)].map((url) => probeUrl(context, url)));
    if (context.signal.aborted) throw fail('cancelled', 'the call ended before the pages responded');
    const items = looked.flatMap(({ result, item }) =>
      item && result.media_id
        ? [{ ...item, id: result.media_id, baseId: base.id, folderId: folder, userId: context.caller.userId }]
        : [],
    );
    const results = Object.create(null) as Record<string, Result>;
    for (const { result } of looked) results[result.url] = result;
    if (items.length === 0) return { results };
    return writeAndNotify(
      context,
      { base: base.id, target: base.id },
      () => context.wiki.items.addItems(context.stamp, items, wikiLimits(context)),
      () => ({ results }),
    );
  },
});

interface ProbeResult {
  result: Result;
  item?: Omit<NewItem, 'id' | 'baseId' | 'folderId' | 'userId'>;
}

async function probeUrl(context: Context, url: string): Promise<ProbeResult> {
  const refused = (ret_code: number, msg: string): ProbeResult => ({ result: { url, ret_code, msg } });
  const reason = unimportableReason(context.config, url);
  if (reason !== undefined) return refused(codes.invalid, `${url}: ${reason}`);
  const word = findBlockedWord(context, url);
  if (word !== undefined)
    return refused(codes.blocked, `the URL contains the word ${JSON.stringify(word)}, which this installation blocks`);
  let probed: ResponseHead;
  try {
    probed = await context.web.probe(url, { timeoutMs: waitMs, signal: context.signal });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    return refused(codes[classifyFetchRefusal(error.why)], describeFetchRefusal(error.why));
  }
  const landed = unimportableReason(context.config, probed.finalUrl);
  if (landed !== undefined) return refused(codes.invalid, `${url} leads to ${probed.finalUrl}: ${landed}`);
  return classify(context, url, probed, refused);
}

function classify(
  context: Context,
  url: string,
  probed: ResponseHead,
  refused: (code: number, msg: string) => ProbeResult,
): ProbeResult {
  const contentType = plainContentType(probed.contentType);
  const accepted = (item: Pick<NewItem, 'mediaType' | 'kind' | 'title'> & Partial<NewItem>): ProbeResult => ({
    result: { url, ret_code: 0, media_id: newId('media') },
    item: { ...withoutFile, contentId: url, state: 'queued', ...item },
  });
  if (contentType === '' || contentType === 'text/html' || contentType === 'application/xhtml+xml') {
    return accepted({
      mediaType: pageType(context.config, probed.finalUrl),
      kind: 'html',
      title: provisionalTitle(probed.finalUrl),
    });
  }
  const found = recognize(contentType, extensionOf(probed.fileName));
  if (!found) return refused(codes.invalid, `${url} is ${contentType}, which cannot be imported`);
  if (probed.contentLength !== undefined && probed.contentLength > found.type.maxBytes) {
    return refused(
      codes.invalid,
      `${url} has ${probed.contentLength} bytes, and ${found.type.name} files may have at most ${found.type.maxBytes}`,
    );
  }
  const fileName = probed.fileName === '' ? provisionalTitle(probed.finalUrl) : probed.fileName;
  return accepted({ mediaType: found.type.number, kind: found.kind, title: fileName, fileName, contentType });
}
