import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Item } from '../../../ports/wiki-store.ts';
import { withReportedStates } from '../item-states.ts';
import { baseTopic, type KnowledgeBaseEvent } from '../events.ts';
import { isSpecified } from '../media-types.ts';
import { isWellFormedId, notVisibleError } from '../permissions.ts';
import { state } from '../schema.ts';

const pollMs = 500;
/**
 * Delay in milliseconds between an event and reading the items again, for calls that wait for several items. Events
 * within this time are handled by a single read.
 */
const batchMs = 20;

const itemState = z.object({
  media_id: text('The item.'),
  title: text('Its title.'),
  media_type: integer('Type of the item.'),
  content_type: text('Content type of a file whose format the type table lacks; absent for others.').optional(),
  knowledge_base_id: text('The knowledge base it is in.'),
  state: state(),
  reason: text('Reason for the failure, or why the text is empty or incomplete; empty otherwise.'),
});

export const get_knowledge_state = operation({
  summary:
    "Returns each item's state and, if it failed, the reason; ready means that searches find its text; with wait_seconds once all are done or time is " +
    'up.\nExample: ' +
    '{"media_ids":["media_..."],"wait_seconds":20}',
  effect: 'read',
  isLong: true,
  input: {
    media_ids: list('The items.', text('An item.', { min: 1, max: 256 }), { min: 1, max: 100 }),
    wait_seconds: integer('Maximum time to wait, in seconds. Default: 0.', { min: 0, max: 30 }).optional(),
  },
  output: {
    states: list('One entry per id, in order.', itemState),
    is_done: flag('Whether every item is ready or failed.'),
  },
  async run(input, context) {
    const until = performance.now() + (input.wait_seconds ?? 0) * 1000;
    let items = await readVisibleItems(context, input.media_ids);
    if (!items.every(isDone) && performance.now() < until) {
      reportProgress(context, items);
      const news = waitForEvents(context, items);
      try {
        while (!items.every(isDone) && performance.now() < until) {
          await news.next(Math.min(pollMs, until - performance.now()));
          if (context.signal.aborted) throw fail('cancelled', 'the call ended before the items were ready');
          const open = new Map(
            (
              await readVisibleItems(
                context,
                items.filter((item) => !isDone(item)).map((item) => item.id),
              )
            ).map((item) => [item.id, item]),
          );
          items = items.map((item) => open.get(item.id) ?? item);
          reportProgress(context, items);
        }
      } finally {
        news.stop();
      }
      // Read all items again, because items that finished early may have been moved, renamed or deleted in the
      // meantime.
      items = await readVisibleItems(context, input.media_ids);
    }
    return {
      states: items.map(({ id, title, mediaType, contentType, baseId, state: now, reason }) => ({
        media_id: id,
        title,
        media_type: mediaType,
        ...(contentType === '' || isSpecified(contentType) ? {} : { content_type: contentType }),
        knowledge_base_id: baseId,
        state: now,
        reason,
      })),
      is_done: items.every(isDone),
    };
  },
});

function reportProgress(context: Context, items: readonly Item[]): void {
  const done = items.filter(isDone).length;
  context.progress({ done, total: items.length, message: `${done} of ${items.length} items are read` });
}

function isDone(item: Item): boolean {
  return item.state === 'ready' || item.state === 'failed';
}

async function readVisibleItems(context: Context, ids: readonly string[]): Promise<Item[]> {
  const found = await withReportedStates(context, await context.wiki.items.items(ids.filter(isWellFormedId)));
  const items = new Map(found.map((item) => [item.id, item]));
  const bases = new Set(
    (
      await context.wiki.bases.bases(
        [...new Set([...items.values()].map((item) => item.baseId))],
        context.caller.userId,
      )
    ).map((base) => base.id),
  );
  return ids.map((id) => {
    const item = items.get(id);
    if (!item || item.deletedAt !== null || !bases.has(item.baseId)) throw notVisibleError('media_ids', 'item', id);
    return item;
  });
}

/**
 * Subscribes to events of the items. `next` resolves after an event, when the call is cancelled, or after `ms`
 * milliseconds. The caller then reads the states again; the time limit is needed because events can be lost.
 */
function waitForEvents(context: Context, items: readonly Item[]): { next(ms: number): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  let missed = false;
  const tell = (): void => {
    missed = true;
    wake();
  };
  const ids = new Set(items.map((item) => item.id));
  const pause = ids.size > 1 ? batchMs : 0;
  const hear = (news: unknown): void => {
    const { target, state: now } = news as KnowledgeBaseEvent;
    // Ignore the state `parsing`, because the caller waits for the end of parsing. Events about a whole folder or
    // knowledge base do not name the item; such changes are noticed when `next` times out.
    if (ids.has(target) && now !== 'parsing') tell();
  };
  const stops = [...new Set(items.map((item) => item.baseId))].map((baseId) =>
    context.events.subscribe(baseTopic(baseId), hear),
  );
  context.signal.addEventListener('abort', tell);
  return {
    next: (ms) =>
      new Promise((resolve) => {
        let timer = setTimeout(resolve, missed ? pause : Math.max(0, ms));
        let isGathering = missed;
        missed = false;
        wake = () => {
          if (isGathering) return;
          isGathering = true;
          missed = false;
          clearTimeout(timer);
          timer = setTimeout(resolve, pause);
        };
      }),
    stop() {
      for (const stop of stops) stop();
      context.signal.removeEventListener('abort', tell);
    },
  };
}
