import type { Context, Reply } from '../context.ts';
import type { Stamp } from '../ports/audit-stamp.ts';
import { RawJson } from './raw-json.ts';

/** Text stored instead of an answer that contains a secret. */
export const secretAnswerMarker = 'secret';

type Data = Record<string, unknown>;
type StoredReply = Pick<Reply, 'version' | 'stored'>;

/**
 * Serializes a call's answer and the new version of the written object for storage. Retries of the call return the
 * stored answer.
 */
export function serializeAnswer(data: Data | RawJson, version: number | undefined): string {
  if (!(data instanceof RawJson)) return JSON.stringify({ data, version });
  const json = Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength).toString('utf8');
  return `{"data":${json}${version === undefined ? '' : `,"version":${version}`}}`;
}

export function deserializeAnswer(text: string): { data: Data; version?: number } {
  return JSON.parse(text) as { data: Data; version?: number };
}

/**
 * Runs the write of a call and returns the call's answer. The answer is computed from the write's result and stored in
 * the same transaction, so that a retry with the same Idempotency-Key gets it even after a crash.
 *
 * If `answer` throws, the write is rolled back. If `answer` returns undefined, no answer is stored.
 */
export async function writeAndAnswer<Result, Answer extends object | undefined = Record<string, never>>(
  { stamp, reply }: Pick<Context, 'stamp'> & { reply: StoredReply },
  write: () => Promise<Result>,
  answer: (result: Result) => Answer = () => ({}) as Answer,
): Promise<Answer> {
  let recorded: { result: Result; answer: Answer } | undefined;
  stamp.answer = createAnswerRecorder(reply, (result) => {
    recorded = { result: result as Result, answer: answer(result as Result) };
    return recorded.answer as Data | undefined;
  });
  try {
    const result = await write();
    // Reuse the stored answer. A newly computed one could differ, for example in a link that is signed a second later.
    return recorded && Object.is(recorded.result, result) ? recorded.answer : answer(result);
  } finally {
    stamp.answer = undefined;
  }
}

/**
 * Returns a function that computes a call's answer from the result of its write and serializes it for storage. The
 * store calls this function in the transaction of the write. Returns undefined if no answer is to be stored, because
 * the call has no Idempotency-Key.
 */
export function createAnswerRecorder(
  reply: StoredReply,
  answer: (result: unknown) => Data | RawJson | undefined,
): Stamp['answer'] {
  const { stored } = reply;
  if (!stored) return undefined;
  if (stored.isSecret) return () => (stored.text = secretAnswerMarker);
  return (result) => {
    const data = answer(result);
    return data === undefined ? undefined : (stored.text = serializeAnswer(data, reply.version));
  };
}
