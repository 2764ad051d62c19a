import type { Context, Services } from '../../context.ts';
import { newId } from '../../lib/ids.ts';
import { fail } from '../../kernel/errors.ts';
import { formatValue } from '../../kernel/parse-input.ts';
import { writeAndAnswer } from '../../kernel/idempotent-answer.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';
import { WikiRefused, type WikiLimits } from '../../ports/wiki-store.ts';
import { publishBaseEvent } from './events.ts';
import { toFailure } from './store-errors.ts';

export const trashMs = 30 * 24 * 60 * 60 * 1000;
export const uploadSeconds = 60 * 60;
/** Maximum length of the title of an item and of the name of a folder or knowledge base. */
export const maxTitleLength = 1024;

export function wikiLimits(services: Pick<Services, 'config'>): WikiLimits {
  return { quotaBytes: services.config.SHEAF_QUOTA_BYTES };
}

interface Changed<Result> {
  base: string;
  /** Knowledge base from which items and folders were moved to `base`; its subscribers are notified, too. */
  from?: string;
  /** Id of the changed object, or a function that returns it for the result of the write. */
  target: string | ((result: Result) => string);
}

/**
 * Runs the write of a call, then notifies the search index and the subscribers of the knowledge base. Returns the
 * call's answer.
 */
export async function writeAndNotify<Result, Answer extends Record<string, unknown> = Record<string, never>>(
  context: Context,
  about: Changed<Result> | undefined,
  write: () => Promise<Result>,
  answer: (result: Result) => Answer = () => ({}) as Answer,
): Promise<Answer> {
  let data: Answer;
  let target = '';
  try {
    data = await writeAndAnswer(context, write, (result) => {
      if (about) target = typeof about.target === 'string' ? about.target : about.target(result);
      return answer(result);
    });
  } catch (error) {
    if (!(error instanceof WikiRefused)) throw error;
    throw toFailure(error.why);
  }
  context.searchFeed.wake();
  if (!about) return data;
  for (const base of new Set([about.base, about.from ?? about.base]))
    publishBaseEvent(context, base, {
      user_id: context.caller.userId,
      key_id: context.caller.keyId,
      operation: context.stamp.operation,
      target,
    });
  return data;
}

export function findBlockedWord(services: Pick<Services, 'config'>, text: string): string | undefined {
  const blocked = services.config.SHEAF_BLOCKED_WORDS;
  if (blocked.length === 0) return undefined;
  const folded = text.normalize('NFKC').toLowerCase();
  return blocked.find((word) => folded.includes(word.normalize('NFKC').toLowerCase()));
}

export function refuseBlocked(services: Pick<Services, 'config'>, field: string, text: string): void {
  const word = findBlockedWord(services, text);
  if (word !== undefined)
    throw fail('blocked', `${field}: contains the word ${formatValue(word)}, which this installation blocks`);
}

const personalName = 'My knowledge base';

/** Creates the user's personal knowledge base if it does not exist. */
export async function ensurePersonalBase(
  { wiki, clock }: Pick<Services, 'wiki' | 'clock'>,
  userId: string,
): Promise<void> {
  if (await wiki.bases.hasPersonal(userId)) return;
  const stamp = systemStamp(clock.now(), 'start.create_knowledge_base', userId);
  await wiki.bases.ensurePersonal(stamp, {
    id: newId('kb'),
    userId,
    name: personalName,
    description: '',
    coverUrl: '',
    questions: [],
    isPersonal: true,
  });
}
