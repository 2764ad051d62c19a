import type { DocumentRole, StoredDocument } from './sheet-store.ts';
import type { Stamp } from './stamp.ts';

/** The part of a call's context that documents need. */
export interface DocumentCaller {
  readonly caller: { readonly userId: string; readonly via?: 'key' | 'session' | 'app' | 'local' };
  readonly stamp: Stamp;
  readonly reply: { version?: number; readonly stored?: { text?: string; readonly isSecret: boolean } };
  /** Ends when the caller no longer wants the file. */
  readonly signal?: AbortSignal;
  /** Tells how far a file is read or written, or a calculation, where somebody hears it. */
  readonly wantsProgress?: boolean;
  progress?(progress: { done: number; total?: number; message?: string }): void;
}

export interface Validation {
  is_valid: boolean;
  checked_version: number;
  ret_code: number;
  stage:
    | ''
    | 'RebuildWorkbook.workbook_cmds'
    | 'RebuildWorkbook.revisions'
    | 'RebuildSheet'
    | 'RebuildSheetWithTrim'
    | 'ApplyNewRevisions';
  failed_mutation_type: number;
  err_msg: string;
}

export type FileFormat = 'xlsx' | 'csv';

/** What a new document is made of. */
export interface ImportedFile {
  format: FileFormat | 'xls';
  bytes: Uint8Array;
  /** Of a csv: fields are read as typing reads them, dates and currencies included. */
  typed?: boolean;
}

/** A file that is stored already. */
export interface StoredFile {
  format: FileFormat | 'xls';
  blobKey: string;
}

/** What to show of a file. */
export interface ViewWishes {
  /** Only this sub-sheet. */
  readonly sheetName: string | undefined;
  /** Of each sub-sheet. */
  readonly maxRows: number | undefined;
}

export interface ExportOptions {
  format: FileFormat;
  sheetId?: string;
  /** Texts of a csv that a program could take for a formula are made harmless. */
  safe: boolean;
}

export interface ImportedDocument {
  id: string;
  sheets: { id: string; name: string }[];
  /** What could not be taken over, in words for a person. */
  warnings: string[];
}

/**
 * Living spreadsheets. Guarantees: a call is one revision and atomic; it is durable before it is answered; every caller sees
 * all that was answered before, on whatever node.
 */
export interface Documents {
  /** Runs a tool on the document its input names. The answer's data, as bytes of JSON. */
  call(by: DocumentCaller, tool: string, need: DocumentRole, input: Record<string, unknown>): Promise<unknown>;
  /** The document and the caller's role, or `no_such_file`, or `no_permission` when the role is not enough. */
  access(by: DocumentCaller, id: string, need: DocumentRole): Promise<{ document: StoredDocument; role: DocumentRole }>;
  /** A new document of the caller's. `answer` gives the call's answer, which is stored with the document. */
  create<Answer extends object>(
    by: DocumentCaller,
    title: string,
    answer: (made: { id: string; sheetId: string }) => Answer,
  ): Promise<Answer>;
  copy<Answer extends object>(
    by: DocumentCaller,
    document: StoredDocument,
    title: string,
    answer: (id: string) => Answer,
  ): Promise<Answer>;
  /** The newest version, whole. */
  snapshot(document: StoredDocument): Promise<{ version: number; bytes: Uint8Array }>;
  /** The newest version as a file. Csv holds one sub-sheet, the first when none is named. */
  export(by: DocumentCaller, document: StoredDocument, options: ExportOptions): Promise<Uint8Array>;
  /** A new document of the caller's from a file. */
  import<Answer extends object>(
    by: DocumentCaller,
    title: string,
    file: ImportedFile,
    answer: (made: ImportedDocument) => Answer,
  ): Promise<Answer>;
  /**
   * A stored file as it looks, as JSON that is the sheet module's: nothing is kept of it. Undefined where there is no such
   * file any more.
   */
  view(by: DocumentCaller, file: StoredFile, wishes: ViewWishes): Promise<Uint8Array | undefined>;
  /** A chart as a picture, from data read before: JSON in, JSON out, both the sheet module's. Users take turns. */
  draw(userId: string, drawing: Uint8Array): Promise<Uint8Array>;
  validate(document: StoredDocument, version: number): Promise<Validation>;
  text(document: StoredDocument, limit: number): Promise<string>;
}
