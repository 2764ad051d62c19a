export const formatKinds = [
  'pdf',
  'docx',
  'doc',
  'pptx',
  'ppt',
  'xlsx',
  'xls',
  'csv',
  'html',
  'markdown',
  'text',
  'xmind',
  'image',
  'audio',
] as const;

export type FormatKind = (typeof formatKinds)[number];

export interface Heading {
  /** 1 is the highest. */
  level: number;
  text: string;
  /** Place of the heading in `Decoded.text`, in UTF-16 code units. */
  offset: number;
}

export interface DecodedMeta {
  pages?: number;
  slides?: number;
  sheets?: number;
  rows?: number;
  width?: number;
  height?: number;
  /** Seconds, counted from the sound itself where the format allows it. */
  duration?: number;
  author?: string;
  /** ISO 8601. */
  publishedAt?: string;
  /** Address of a cover picture; only http, https. */
  cover?: string;
  /** Name of the site or of the official account. */
  siteName?: string;
  description?: string;
  album?: string;
  charset?: string;
  /** What the bytes turned out to be, e.g. `png`, `mp3`, `docx` inside a `.doc`. */
  format?: string;
}

/** Where a page, slide or sheet begins in the text. */
export interface PageStart {
  label: string;
  offset: number;
}

export interface Decoded {
  title?: string;
  text: string;
  headings: Heading[];
  /** In order; absent where the format has none. */
  pages?: PageStart[];
  /** Why the text is empty or lacks a part, for the person who owns the file; absent where nothing is missing. */
  remark?: string;
  meta: DecodedMeta;
}

export interface Limits {
  /** Entries of one archive. */
  maxEntries: number;
  /** Inflated bytes of one archive entry. */
  maxEntryBytes: number;
  /** Inflated bytes of one archive, declared and real. */
  maxTotalBytes: number;
  /** Inflated size over packed size, for entries past `ratioFloorBytes`. */
  maxRatio: number;
  ratioFloorBytes: number;
  /** UTF-16 code units of the decoded text. */
  maxTextChars: number;
  maxPages: number;
  maxPixels: number;
  maxSeconds: number;
  /** Cells with a value in one workbook. */
  maxCells: number;
  /** Nodes of one parsed HTML or mind map tree. */
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

export interface DecodeOptions {
  kind: FormatKind;
  /** Used for this decoding only; never part of a result or of a message. */
  password?: string;
  limits?: Partial<Limits>;
  /** Charset the sender named, e.g. in a Content-Type header. */
  charset?: string;
  /** Address the page came from; relative cover addresses are resolved against it. */
  url?: string;
  /** HTML only: take the readable part (a fetched page) and not everything (an uploaded file). */
  article?: boolean;
  /** Images only: the language in which text is looked for; none is without it. */
  ocr?: string;
  /** The bytes may be used up; otherwise they are left as they are. */
  owned?: boolean;
}

export interface DecodeJob {
  kind: FormatKind;
  password: string | undefined;
  charset: string | undefined;
  url: string | undefined;
  article: boolean;
  ocr: string | undefined;
  owned: boolean;
  limits: Limits;
}
