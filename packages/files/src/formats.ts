import type { CompoundFile } from './containers/compound-file.ts';
import { openOffice, unexpectedFormat } from './containers/office-container.ts';
import type { DecodedFile, DecodeJob } from './decode-types.ts';
import { isEpub, isXlsb, openDocumentKind } from './text/file-signatures.ts';
import {
  acceptAny,
  archiveCheck,
  checkAudio,
  checkImage,
  checkMsg,
  checkOffice,
  checkPdf,
  checkRtf,
  checkText,
  textStartCheck,
  checkXmind,
  checkZip,
  startsPdf,
  type FormatCheck,
  type FormatCheckResult,
} from './text/format-checks.ts';
import { isZip, type ZipArchive } from './zip/reader.ts';

type Decode<Source = Uint8Array> = (source: Source, job: DecodeJob) => DecodedFile | Promise<DecodedFile>;

interface Format {
  readonly check: FormatCheck;
  readonly decode: (bytes: Uint8Array, job: DecodeJob) => Promise<DecodedFile>;
}

/** Function that imports a decoder, so that its module is loaded only when it is needed. */
type Load<Source = Uint8Array> = () => Promise<Decode<Source>>;

function format(check: FormatCheck, load: Load): Format {
  return { check, decode: async (bytes, job) => (await load())(bytes, job) };
}

function textFormat(expected: string, load: Load): Format {
  return format((bytes) => checkText(bytes, expected), load);
}

/**
 * Defines a format for both generations of an Office program's files, such as .doc (compound file) and .docx (OOXML, a
 * ZIP archive). The file's content, not its name, decides which decoder runs.
 */
function officeFormat(
  expected: string,
  folder: string,
  streams: readonly string[],
  hasStream: (file: CompoundFile) => boolean,
  load: Load<ZipArchive>,
  loadOld: Load<CompoundFile>,
): Format {
  return {
    check: (bytes, whole) => checkOffice(bytes, whole, expected, folder, streams),
    decode: async (bytes, job) => {
      const container = openOffice(bytes, job);
      if (container.form === 'zip') return (await load())(container.archive, job);
      if (container.form === 'compound' && hasStream(container.file)) return (await loadOld())(container.file, job);
      throw unexpectedFormat(expected);
    },
  };
}

const word = officeFormat(
  'a Word document',
  'word/',
  ['WordDocument'],
  (file) => file.has('WordDocument'),
  async () => (await import('./text/docx.ts')).decodeDocx,
  async () => (await import('./text/doc.ts')).decodeDoc,
);
const presentation = officeFormat(
  'a presentation',
  'ppt/',
  ['PowerPoint Document'],
  (file) => file.has('PowerPoint Document'),
  async () => (await import('./text/pptx.ts')).decodePptx,
  async () => (await import('./text/ppt.ts')).decodePpt,
);
const workbook = officeFormat(
  'a workbook',
  'xl/',
  ['Workbook', 'Book'],
  // Accept any compound file, because the .xls decoder itself reports a missing workbook stream.
  () => true,
  async () => (await import('./text/xlsx.ts')).decodeXlsx,
  async () => (await import('./text/xls.ts')).decodeXls,
);

/** Adds a test to a format: decoding then throws for bytes that fail the test. */
function only(test: (bytes: Uint8Array) => boolean, expected: string, { check, decode }: Format): Format {
  return {
    check,
    decode: (bytes, job) => {
      if (!test(bytes)) throw unexpectedFormat(expected);
      return decode(bytes, job);
    },
  };
}

/** Defines a file format that is a ZIP archive. `isOne` recognizes the format by the entries of the archive. */
function archiveFormat(expected: string, isOne: (archive: ZipArchive) => boolean, load: Load): Format {
  return only(isZip, expected, format(archiveCheck(expected, isOne), load));
}

const openDocument: Load = async () => (await import('./text/odf.ts')).decodeOpenDocument;

/** For each kind of file, the format check and the text decoder. */
const formats = {
  pdf: only(
    startsPdf,
    'a PDF',
    format(checkPdf, async () => (await import('./text/pdf.ts')).decodePdf),
  ),
  docx: word,
  doc: word,
  pptx: presentation,
  ppt: presentation,
  xlsx: workbook,
  xls: workbook,
  csv: textFormat('a CSV file', async () => (await import('./text/csv.ts')).decodeCsv),
  html: textFormat('an HTML page', async () => (await import('./text/html.ts')).decodeHtml),
  markdown: textFormat('a Markdown file', async () => (await import('./text/markdown.ts')).decodeMarkdown),
  text: textFormat('a text file', async () => (await import('./text/text.ts')).decodeText),
  xmind: only(
    isZip,
    'an Xmind file',
    format(checkXmind, async () => (await import('./text/xmind.ts')).decodeXmind),
  ),
  image: format(checkImage, async () => (await import('./text/image.ts')).decodeImage),
  audio: format(checkAudio, async () => (await import('./text/audio.ts')).decodeAudio),
  rtf: format(checkRtf, async () => (await import('./text/rtf.ts')).decodeRtf),
  odt: archiveFormat('an OpenDocument text', (archive) => openDocumentKind(archive) === 'text', openDocument),
  odp: archiveFormat(
    'an OpenDocument presentation',
    (archive) => openDocumentKind(archive) === 'presentation',
    openDocument,
  ),
  ods: archiveFormat(
    'an OpenDocument spreadsheet',
    (archive) => openDocumentKind(archive) === 'spreadsheet',
    openDocument,
  ),
  xlsb: archiveFormat('a binary workbook', isXlsb, async () => (await import('./text/xlsb.ts')).decodeXlsb),
  epub: archiveFormat('an EPUB book', isEpub, async () => (await import('./text/epub.ts')).decodeEpub),
  eml: format(
    textStartCheck('a mail', /^(?:From .*\r?\n)?>?[A-Za-z][\w-]*:[ \t]?[^\r\n]*\r?\n/),
    async () => (await import('./text/mail.ts')).decodeEml,
  ),
  mbox: format(
    textStartCheck('a mailbox', /^From .*\r?\n(?:>?[A-Za-z][\w-]*:)/),
    async () => (await import('./text/mail.ts')).decodeMbox,
  ),
  msg: format(checkMsg, async () => (await import('./text/msg.ts')).decodeMsg),
  svg: format(
    textStartCheck('an SVG drawing', /^<[\s\S]*?<?svg[\s>]/i),
    async () => (await import('./text/svg.ts')).decodeSvg,
  ),
  zip: only(
    isZip,
    'a zip archive',
    format(checkZip, async () => (await import('./text/zip.ts')).decodeZip),
  ),
  /** Any other file: it is stored, but no text is extracted. */
  file: format(acceptAny, async () => (await import('./text/unsupported.ts')).decodeUnsupported),
} as const satisfies Record<string, Format>;

export type FormatKind = keyof typeof formats;

export const formatKinds = Object.keys(formats) as readonly FormatKind[];

export function decodeFormat(kind: FormatKind, bytes: Uint8Array, job: DecodeJob): Promise<DecodedFile> {
  return formats[kind].decode(bytes, job);
}

/**
 * Checks whether bytes have the format of `kind`; a negative result has a message for the user. `whole` is true if the
 * bytes are the complete file, not only its start.
 */
export async function checkFormat(
  bytes: Uint8Array,
  kind: FormatKind,
  { whole = false }: { whole?: boolean } = {},
): Promise<FormatCheckResult> {
  if (bytes.length === 0) return { ok: false, message: 'The file is empty.' };
  return formats[kind].check(bytes, whole);
}
