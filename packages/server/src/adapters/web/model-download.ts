import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fetch as get, type Response } from 'undici';
import { maxSideBytes, maxWeightBytes, ModelError, sideFiles, weightPaths } from '../embedding/model-folder.ts';

export interface ModelDownloadOptions {
  /** URL of the model's folder, for example `https://huggingface.co/OWNER/NAME/resolve/REVISION`. */
  address: string;
  /** Path of the weights below `address`. Default: the first usual path at which there is a file. */
  weights?: string | undefined;
  /** Folder to which the downloaded files are written. */
  target: string;
  onFile?: (file: string, bytes: number | undefined) => void;
}

/** Downloads the files of a model, each up to its maximum size. */
export async function downloadModel({ address, weights, target, onFile }: ModelDownloadOptions): Promise<void> {
  for (const [file, isRequired] of Object.entries(sideFiles)) {
    const isFound = await download({ address, file, target, maxBytes: maxSideBytes, onFile });
    if (!isFound && isRequired) throw new ModelError(`there is no ${file} at ${address}`);
  }
  const paths = weights === undefined ? weightPaths : [weights];
  for (const file of paths) if (await download({ address, file, target, maxBytes: maxWeightBytes, onFile })) return;
  throw new ModelError(`there is none of ${paths.join(', ')} at ${address}`);
}

interface FileDownload extends Pick<ModelDownloadOptions, 'address' | 'target' | 'onFile'> {
  file: string;
  maxBytes: number;
}

/** Downloads one file. Returns false if there is no such file at the URL. */
async function download({ address, file, target, maxBytes, onFile }: FileDownload): Promise<boolean> {
  const url = `${address.replace(/\/+$/, '')}/${file}`;
  let answer: Response;
  try {
    answer = await get(url, { redirect: 'follow' });
  } catch (error) {
    throw new ModelError(`${url} does not answer`, { cause: error });
  }
  if (answer.status === 404) {
    await answer.body?.cancel();
    return false;
  }
  if (answer.status !== 200 || !answer.body) throw new ModelError(`${url} answers with status ${answer.status}`);
  const declared = Number(answer.headers.get('content-length') ?? Number.NaN);
  onFile?.(file, Number.isFinite(declared) ? declared : undefined);
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new ModelError(`${url} has more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
  const path = join(target, file);
  await mkdir(dirname(path), { recursive: true });
  await pipeline(Readable.fromWeb(answer.body), limit, createWriteStream(path));
  return true;
}
