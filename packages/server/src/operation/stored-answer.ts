import type { Context, Reply } from '../context.ts';
import type { Stamp } from '../ports/stamp.ts';
import { RawJson } from './raw-json.ts';

/** Stored in place of an answer that holds a secret. */
export const secretMark = 'secret';

type Data = Record<string, unknown>;
type Storing = Pick<Reply, 'version' | 'stored'>;

/** An answer as it is stored for repeats of its call. */
export function answerText(data: Data | RawJson, version: number | undefined): string {
  if (!(data instanceof RawJson)) return JSON.stringify({ data, version });
  const json = Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength).toString('utf8');
  return `{"data":${json}${version === undefined ? '' : `,"version":${version}`}}`;
}

export function readAnswer(text: string): { data: Data; version?: number } {
  return JSON.parse(text) as { data: Data; version?: number };
}

/**
 * Makes the write that is the effect of a call, and answers. The answer follows from the result of the write, so that it
 * can be stored in the write's own transaction: whoever repeats the call with the same Idempotency-Key gets it, whatever
 * happened after the commit. An answer that throws undoes the write; an undefined one says that it was not the effect.
 */
export async function answered<Result, Answer extends object | undefined>(
  { stamp, reply }: Pick<Context, 'stamp'> & { reply: Storing },
  write: () => Promise<Result>,
  answer: (result: Result) => Answer,
): Promise<Answer> {
  stamp.answer = storing(reply, (result) => answer(result as Result) as Data | undefined);
  try {
    return answer(await write());
  } finally {
    stamp.answer = undefined;
  }
}

/** What a stamp stores as the answer, where somebody may ask for it again. */
export function storing(reply: Storing, answer: (result: unknown) => Data | RawJson | undefined): Stamp['answer'] {
  const { stored } = reply;
  if (!stored) return undefined;
  if (stored.isSecret) return () => (stored.text = secretMark);
  return (result) => {
    const data = answer(result);
    return data === undefined ? undefined : (stored.text = answerText(data, reply.version));
  };
}
