import { damaged, FormatError } from './format-error.ts';
import { openOffice, unexpectedFormat } from './containers/office-container.ts';
import { defaultLimits, type Decoded, type DecodeJob, type DecodeOptions } from './decode-types.ts';

export { FormatError } from './format-error.ts';
export type { FormatErrorCode } from './format-error.ts';
export { sniff, sniffBytes } from './text/sniff.ts';
export type { SniffVerdict } from './text/sniff.ts';
export { defaultLimits, formatKinds } from './decode-types.ts';
export type { Decoded, DecodedMeta, DecodeOptions, FormatKind, Heading, Limits } from './decode-types.ts';

/**
 * Extracts the text of a file. Throws only FormatError. Decoders are loaded on first use. Hostile input can still cost time
 * and memory: run it in the worker pool, which limits both.
 */
export async function decode(bytes: Uint8Array, options: DecodeOptions): Promise<Decoded> {
  const job: DecodeJob = {
    kind: options.kind,
    password: options.password,
    charset: options.charset,
    url: options.url,
    article: options.article ?? false,
    ocr: options.ocr,
    owned: options.owned ?? false,
    limits: { ...defaultLimits, ...options.limits },
  };
  try {
    if (bytes.length === 0) throw damaged('it is empty');
    return withRemark(await dispatch(plain(bytes), job));
  } catch (error) {
    if (error instanceof FormatError) throw error;
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw damaged('it is nested too deeply', error);
    throw damaged('its contents cannot be read', error);
  }
}

/** Adds a remark that explains why a file has no text. */
function withRemark(decoded: Decoded): Decoded {
  if (decoded.remark !== undefined || decoded.text.trim() !== '') return decoded;
  return { ...decoded, remark: 'The file contains no text; it is found by its name.' };
}

/** Some libraries reject a Buffer, and `Buffer.slice()` shares memory where `Uint8Array.slice()` copies. */
function plain(bytes: Uint8Array): Uint8Array {
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function dispatch(bytes: Uint8Array, job: DecodeJob): Promise<Decoded> {
  switch (job.kind) {
    case 'doc':
    case 'docx':
      return word(bytes, job);
    case 'ppt':
    case 'pptx':
      return presentation(bytes, job);
    case 'xls':
    case 'xlsx':
      return workbook(bytes, job);
    case 'pdf': {
      const { hasPdfMark } = await import('./text/sniff.ts');
      if (!hasPdfMark(bytes)) throw unexpectedFormat('a PDF');
      return (await import('./text/pdf.ts')).decodePdf(bytes, job);
    }
    case 'xmind': {
      const { isZip } = await import('./zip/reader.ts');
      if (!isZip(bytes)) throw unexpectedFormat('an Xmind file');
      return (await import('./text/xmind.ts')).decodeXmind(bytes, job);
    }
    case 'csv':
      return (await import('./text/csv.ts')).decodeCsv(bytes, job);
    case 'html':
      return (await import('./text/html.ts')).decodeHtml(bytes, job);
    case 'markdown':
      return (await import('./text/markdown.ts')).decodeMarkdown(bytes, job);
    case 'text':
      return (await import('./text/text.ts')).decodeText(bytes, job);
    case 'image':
      return (await import('./text/image.ts')).decodeImage(bytes, job);
    case 'audio':
      return (await import('./text/audio.ts')).decodeAudio(bytes, job);
  }
}

async function word(bytes: Uint8Array, job: DecodeJob): Promise<Decoded> {
  const container = openOffice(bytes, job);
  if (container.form === 'zip') return (await import('./text/docx.ts')).decodeDocx(container.archive, job);
  if (container.form === 'compound' && container.file.has('WordDocument'))
    return (await import('./text/doc.ts')).decodeDoc(container.file, job);
  throw unexpectedFormat('a Word document');
}

async function presentation(bytes: Uint8Array, job: DecodeJob): Promise<Decoded> {
  const container = openOffice(bytes, job);
  if (container.form === 'zip') return (await import('./text/pptx.ts')).decodePptx(container.archive, job);
  if (container.form === 'compound' && container.file.has('PowerPoint Document'))
    return (await import('./text/ppt.ts')).decodePpt(container.file, job);
  throw unexpectedFormat('a presentation');
}

async function workbook(bytes: Uint8Array, job: DecodeJob): Promise<Decoded> {
  const container = openOffice(bytes, job);
  if (container.form === 'zip') return (await import('./text/xlsx.ts')).decodeXlsx(container.archive, job);
  if (container.form === 'compound') return (await import('./text/xls.ts')).decodeXls(container.file, job);
  throw unexpectedFormat('a workbook');
}
