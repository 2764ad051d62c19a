import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Pictures with more pixels are stored without OCR, which takes about a second per two million pixels. */
export const maxOcrPixels = 40_000_000;

interface Reader {
  recognize(image: Buffer): Promise<{ data: { text: string } }>;
}

const readers = new Map<string, Promise<Reader>>();

/** Returns the folder of a language's data, or undefined if tesseract.js or the data's package is not installed. */
export function ocrDataFolder(language: string): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('tesseract.js');
    return join(dirname(resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Recognizes the text in a picture. Each language has one OCR worker, which lives as long as the parser process. */
export async function recognizeText(picture: Uint8Array, language: string): Promise<string> {
  let reader = readers.get(language);
  if (!reader) {
    reader = start(language);
    readers.set(language, reader);
  }
  const { recognize } = await reader;
  try {
    const { data } = await recognize(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength));
    return withoutGaps(data.text).trim();
  } catch {
    // OCR cannot decode some rare formats: return no text, and drop the worker, which may be broken.
    readers.delete(language);
    return '';
  }
}

async function start(language: string): Promise<Reader> {
  const folder = ocrDataFolder(language);
  if (folder === undefined) throw new Error(`@tesseract.js-data/${language} is not installed`);
  const { createWorker } = await import('tesseract.js');
  const quiet = (): void => undefined;
  return createWorker(language, 1, {
    langPath: folder,
    cacheMethod: 'none',
    gzip: true,
    logger: quiet,
    errorHandler: quiet,
  });
}

/** Removes the spaces that OCR puts between Chinese characters, because they would prevent matches of words. */
function withoutGaps(text: string): string {
  return text.replaceAll(
    /(?<=[\p{Script=Han}\u3000-\u303f\uff00-\uffef]) (?=[\p{Script=Han}\u3000-\u303f\uff00-\uffef])/gu,
    '',
  );
}
