export interface Heading {
  /** Heading level; 1 is the highest. */
  level: number;
  text: string;
  /** Offset of the heading in `Decoded.text`, in UTF-16 code units. */
  offset: number;
}

export interface DecodedMeta {
  pages?: number;
  slides?: number;
  sheets?: number;
  rows?: number;
  width?: number;
  height?: number;
  /** Duration in seconds, measured from the audio itself if the format allows it. */
  duration?: number;
  author?: string;
  /** ISO 8601 date. */
  publishedAt?: string;
  /** URL of a cover picture; http or https only. */
  cover?: string;
  /** Name of the website or of the WeChat official account. */
  siteName?: string;
  description?: string;
  album?: string;
  charset?: string;
  /** The detected format, e.g. `png`, `mp3`, `docx` inside a `.doc`. */
  format?: string;
}

/** Offset in the text where a page, slide or sheet starts. */
export interface PageStart {
  label: string;
  offset: number;
}

export interface Decoded {
  title?: string;
  text: string;
  headings: Heading[];
  /** Pages in order; absent if the format has none. */
  pages?: PageStart[];
  /** Tells the owner of the file why text is empty or incomplete; absent if nothing is missing. */
  remark?: string;
  meta: DecodedMeta;
}

export interface Limits {
  /** Maximum number of entries in an archive. */
  maxEntries: number;
  /** Maximum inflated bytes of one archive entry. */
  maxEntryBytes: number;
  /** Maximum inflated bytes of one archive, both declared and actual. */
  maxTotalBytes: number;
  /** Maximum compression ratio, for entries larger than `ratioFloorBytes`. */
  maxRatio: number;
  ratioFloorBytes: number;
  /** Maximum length of the decoded text in UTF-16 code units. */
  maxTextChars: number;
  maxPages: number;
  maxPixels: number;
  maxSeconds: number;
  /** Maximum number of cells with a value in one workbook. */
  maxCells: number;
  /** Maximum number of nodes in a parsed HTML or mind map tree. */
  maxNodes: number;
}

const mib = 1024 * 1024;

export const defaultLimits: Limits = {
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
};

export interface DecodeSettings {
  /** Used only for this call; never part of a result or a message. */
  password?: string;
  limits?: Partial<Limits>;
  /** Charset declared by the sender, e.g. in a Content-Type header. */
  charset?: string;
  /** URL of the page, for resolving relative cover URLs. */
  url?: string;
  /** HTML only: extract the readable part (for a fetched page) instead of everything (for an uploaded file). */
  article?: boolean;
  /** Images only: language for OCR; no OCR if absent. */
  ocr?: string;
  /** True if the decoder may consume (transfer or overwrite) the bytes. */
  owned?: boolean;
}

export interface DecodeJob extends Omit<DecodeSettings, 'limits'> {
  kind: string;
  limits: Limits;
}
