import type { SourceText } from './search-source.ts';
import type { DocumentRole, StoredDocument } from './sheet-store.ts';
import type { Stamp } from './audit-stamp.ts';

/**
 * The part of a call's context that the spreadsheet service needs: who calls, the stamp for the audit log, and where to
 * put parts of the reply.
 */
export interface DocumentCaller {
  readonly caller: { readonly userId: string; readonly via?: 'key' | 'session' | 'app' | 'local' };
  readonly stamp: Stamp;
  readonly reply: {
    version?: number;
    notice?: string;
    readonly stored?: { text?: string; readonly isSecret: boolean };
  };
  /** Signal that aborts when the caller no longer waits for the result. */
  readonly signal?: AbortSignal;
  /** Whether the caller receives progress reports of an import, an export or a calculation. */
  readonly wantsProgress?: boolean;
  progress?(progress: { done: number; total?: number; message?: string }): void;
}

export interface DocumentValidation {
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
/** Formats that can be read. Those that are not a FileFormat are converted to xlsx first. */
export type ReadableFormat = FileFormat | 'xls' | 'xlsb' | 'ods';

export interface ImportedFile {
  format: ReadableFormat;
  bytes: Uint8Array;
  /**
   * For csv: whether fields are parsed as if a user typed them, including dates and currencies. Otherwise only plain
   * numbers, booleans and formulas are recognized, and other fields stay text.
   */
  typed?: boolean;
}

export interface StoredFile {
  format: ReadableFormat;
  blobKey: string;
}

export interface ViewOptions {
  /** Name of the only sub-sheet to show; undefined shows all sub-sheets. */
  readonly sheetName: string | undefined;
  readonly maxRows: number | undefined;
}

export interface ExportOptions {
  format: FileFormat;
  sheetId?: string;
  /** For csv: whether to escape texts that a spreadsheet program could run as formulas. */
  safe: boolean;
}

export interface ImportedDocument {
  id: string;
  sheets: { id: string; name: string }[];
  /** Messages for the user about content that could not be imported. */
  warnings: string[];
}

/**
 * Manages open spreadsheets. Each call that writes is one atomic revision, which is durable before the answer is sent.
 * Every call sees the revisions of all earlier answered calls, on any node.
 */
export interface SpreadsheetService {
  /**
   * Runs a tool (spreadsheet operation) on the document that the input names. The caller must have at least the role
   * `need` on it. Returns the answer's data, as bytes of JSON or as an object.
   */
  call(by: DocumentCaller, tool: string, need: DocumentRole, input: Record<string, unknown>): Promise<unknown>;
  /**
   * Returns the document and the caller's role. Throws `no_such_file` if the document does not exist or the caller has
   * no role on it, and `no_permission` if the role is lower than `need`.
   */
  access(by: DocumentCaller, id: string, need: DocumentRole): Promise<{ document: StoredDocument; role: DocumentRole }>;
  /**
   * Creates a document owned by the caller. `answer` computes the call's answer. It is stored together with the
   * document, so that a repeated call with the same idempotency key gets the same answer.
   */
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
  /** Returns the newest version of a document as a snapshot. */
  snapshot(document: StoredDocument): Promise<{ version: number; bytes: Uint8Array }>;
  /**
   * Exports the newest version as a file. A csv file holds one sub-sheet: the one with the id `options.sheetId`, by
   * default the first.
   */
  export(by: DocumentCaller, document: StoredDocument, options: ExportOptions): Promise<Uint8Array>;
  /** Creates a document owned by the caller from a file. */
  import<Answer extends object>(
    by: DocumentCaller,
    title: string,
    file: ImportedFile,
    answer: (made: ImportedDocument) => Answer,
  ): Promise<Answer>;
  /**
   * Converts an uploaded spreadsheet file for display, without creating a document. Returns JSON in a form that the
   * sheet module defines, or undefined if the file was deleted.
   */
  view(by: DocumentCaller, file: StoredFile, wishes: ViewOptions): Promise<Uint8Array | undefined>;
  /**
   * Draws a chart. `drawing` describes the chart and contains its data. `drawing` and the result are JSON in a form
   * that the sheet module defines. Users take turns, so that many drawings of one user do not delay those of others.
   */
  draw(userId: string, drawing: Uint8Array): Promise<Uint8Array>;
  validate(document: StoredDocument, version: number): Promise<DocumentValidation>;
  /**
   * Returns the document's text for search: up to `limit` characters of texts, and up to `limit` characters of numbers.
   */
  text(document: StoredDocument, limit: number): Promise<SourceText>;
}
