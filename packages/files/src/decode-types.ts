export interface Heading {
  /** Heading level; 1 is the highest. */
  level: number;
  text: string;
  /** Offset of the heading in `DecodedFile.text`, in UTF-16 code units. */
  offset: number;
}

export interface DecodedMeta {
  pages?: number;
  slides?: number;
  sheets?: number;
  /** Number of mails in a mailbox. */
  mails?: number;
  /** Number of files in an archive. */
  files?: number;
  rows?: number;
  width?: number;
  height?: number;
  /** Duration of a recording in seconds, measured from the audio data. */
  duration?: number;
  author?: string;
  /** Publication date of an article or date of a mail, in ISO 8601. */
  publishedAt?: string;
  /** URL of the picture that a web page names as its preview (cover); http or https only. */
  cover?: string;
  /** Name of the website or of the WeChat official account. */
  siteName?: string;
  description?: string;
  album?: string;
  charset?: string;
  /** Detected format, e.g. `docx` for a `.doc` file that contains OOXML. */
  format?: string;
}

/** Start of a page, slide or sheet: its label and its offset in `DecodedFile.text`. */
export interface PageStart {
  label: string;
  offset: number;
}

/** A file attached to a mail. */
export interface Attachment {
  /** File name as the mail gives it; may be empty. */
  name: string;
  /** Content type as the mail declares it; '' if it declares none. */
  contentType: string;
  bytes: Uint8Array;
}

export interface DecodedFile {
  title?: string;
  text: string;
  headings: Heading[];
  /** Starts of the pages, slides or sheets in text order; undefined if the format has none. */
  pages?: PageStart[];
  /** Files attached to a mail, without duplicates. */
  attachments?: Attachment[];
  /** Explanation for the user of why the text is empty or incomplete; undefined if nothing is missing. */
  remark?: string;
  meta: DecodedMeta;
}

export interface DecodeLimits {
  maxEntries: number;
  /** Maximum inflated size in bytes of an XML or JSON entry of an archive, and of the RTF text of an Outlook mail. */
  maxEntryBytes: number;
  /**
   * Maximum inflated size in bytes of all entries of an archive together. It also limits the total size of all reads of
   * entries, because an entry may be read several times.
   */
  maxTotalBytes: number;
  /** Maximum compression ratio of an archive entry. Entries of up to `ratioFloorBytes` are not checked. */
  maxRatio: number;
  ratioFloorBytes: number;
  /** Maximum length of the decoded text, in UTF-16 code units. */
  maxTextChars: number;
  maxPages: number;
  maxPixels: number;
  maxSeconds: number;
  /** Maximum number of cells in a workbook. Most readers count only cells with content. */
  maxCells: number;
  /** Maximum number of tags in an HTML page or topics in a mind map. A book (EPUB) may have four times as many tags. */
  maxNodes: number;
  /** Maximum depth of MIME parts within a mail, and of mails within an Outlook mail. */
  maxNesting: number;
  maxAttachments: number;
}

const mib = 1024 * 1024;

export const defaultLimits: DecodeLimits = {
  maxEntries: 20_000,
  maxEntryBytes: 192 * mib,
  maxTotalBytes: 512 * mib,
  maxRatio: 250,
  ratioFloorBytes: 4 * mib,
  maxTextChars: 32 * mib,
  maxPages: 10_000,
  maxPixels: 250_000_000,
  maxSeconds: 7_200,
  maxCells: 5_000_000,
  maxNodes: 500_000,
  maxNesting: 20,
  maxAttachments: 200,
};

export interface DecodeSettings {
  /** Password of the file; never part of a result or an error message. */
  password?: string;
  limits?: Partial<DecodeLimits>;
  /** Charset declared by the source, e.g. in a Content-Type header. */
  charset?: string;
  /** URL of a fetched HTML page, used to resolve a relative URL of its cover picture. */
  url?: string;
  /** HTML only: extract just the main article (for a fetched page) instead of the whole page (for an uploaded file). */
  article?: boolean;
  /** Images only: language for text recognition (OCR); without it, text in images is not read. */
  ocr?: string;
  /**
   * True if the decoder may transfer or overwrite the input bytes, because the caller does not need them afterwards.
   */
  owned?: boolean;
}

export interface DecodeJob extends Omit<DecodeSettings, 'limits'> {
  kind: string;
  limits: DecodeLimits;
}
