import { decodeBytes } from './charset.ts';
import { TextBuilder } from './text-builder.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';

export async function decodeText(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const { text, charset } = await decodeBytes(bytes, job.charset);
  const out = new TextBuilder(job.limits.maxTextChars);
  out.append(text);
  return out.done(undefined, { format: 'text', charset });
}
