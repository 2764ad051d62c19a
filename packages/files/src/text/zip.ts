import { FormatError } from '../format-error.ts';
import type { DecodeJob, DecodedFile } from '../decode-types.ts';
import { listZip } from '../zip/reader.ts';
import { decodeBytes } from './charset.ts';
import { TextBuilder } from './text-builder.ts';

/** Lists the files of an archive. Nothing is unpacked, so archive bombs and nested archives are harmless. */
export async function decodeZip(bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  const files = listZip(bytes, job.limits);
  // Archives created on Windows store names in the system's charset. Decode all names together, so that there is enough
  // text to detect the charset.
  const names = Buffer.concat(files.flatMap(({ rawName }) => [rawName, Buffer.from('\n')]));
  const { text } = names.length === 0 ? { text: '' } : await decodeBytes(names);
  const out = new TextBuilder(job.limits.maxTextChars);
  for (const [index, name] of text.split('\n').slice(0, files.length).entries())
    out.line(`${name.replaceAll('\\', '/')}\t${files[index]!.size}`);
  if (out.isEmpty) throw new FormatError('damaged', 'The archive contains no files.');
  return out.done(undefined, { format: 'zip', files: files.length });
}
