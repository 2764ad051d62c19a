import { z } from 'zod';
import type { Context } from '../../context.ts';
import { fail } from '../../operation/errors.ts';
import { flag, integer, list, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import type { Item } from '../../ports/wiki-store.ts';
import { baseTopic } from '../model.ts';
import { isId, unknown } from '../permissions.ts';
import { state } from '../schema.ts';

const lookAgainMs = 500;

const itemState = z.object({
  media_id: text('The item.'),
  title: text('Its title.'),
  media_type: integer('What it is.'),
  state: state(),
  reason: text('Why it failed; empty otherwise.'),
});

export const get_knowledge_state = operation({
  name: 'get_knowledge_state',
  summary: 'Tells of items whether their text is ready, and why not. With wait_seconds it answers when all of them are ready or failed, or when the time is up.\nExample: {"media_ids":["media_..."],"wait_seconds":20}',
  effect: 'read',
  input: z.object({
    media_ids: list('The items.', text('An item.', { min: 1, max: 256 }), { min: 1, max: 100 }),
    wait_seconds: integer('How long to wait at most. Default 0.', { min: 0, max: 30 }).optional(),
  }),
  output: z.object({ states: list('One for each id, in order.', itemState), is_done: flag('Whether all are ready or failed.') }),
  async run(input, context) {
    const until = performance.now() + (input.wait_seconds ?? 0) * 1000;
    let items = await visible(context, input.media_ids);
    if (!items.every(isDone) && performance.now() < until) {
      const news = listen(context, items);
      try {
        while (!items.every(isDone) && performance.now() < until) {
          await news.next(Math.min(lookAgainMs, until - performance.now()));
          if (context.signal.aborted) throw fail('cancelled', 'the call ended before the items were ready');
          items = await visible(context, input.media_ids);
        }
      } finally {
        news.stop();
      }
    }
    return { states: items.map(({ id, title, mediaType, state: now, reason }) => ({ media_id: id, title, media_type: mediaType, state: now, reason })), is_done: items.every(isDone) };
  },
});

function isDone(item: Item): boolean {
  return item.state === 'ready' || item.state === 'failed';
}

async function visible(context: Context, ids: readonly string[]): Promise<Item[]> {
  const items = new Map((await context.wiki.items.items(ids.filter(isId))).map((item) => [item.id, item]));
  const bases = new Set((await context.wiki.bases.bases([...new Set([...items.values()].map((item) => item.baseId))], context.caller.userId)).map((base) => base.id));
  return ids.map((id) => {
    const item = items.get(id);
    if (!item || item.deletedAt !== null || !bases.has(item.baseId)) throw unknown('media_ids', 'item', id);
    return item;
  });
}

/** Wakes up at news of the bases, at the end of the call, or after a while: news may be lost, the store is not. */
function listen(context: Context, items: readonly Item[]): { next(ms: number): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  let missed = false;
  const tell = (): void => {
    missed = true;
    wake();
  };
  const stops = [...new Set(items.map((item) => item.baseId))].map((baseId) => context.events.subscribe(baseTopic(baseId), tell));
  context.signal.addEventListener('abort', tell);
  return {
    next: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, missed ? 0 : Math.max(0, ms));
        missed = false;
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    stop() {
      for (const stop of stops) stop();
      context.signal.removeEventListener('abort', tell);
    },
  };
}
