/** A change of a text: replaces `old`, or adds or replaces text at a heading or at the end. */
export interface TextEdit {
  /** Text to replace; it must occur exactly `count` times (default: once), below the heading `under` if that is given. */
  old?: string | undefined;
  new: string;
  count?: number | undefined;
  /** Heading. Without `old`, the new text is added at the end of the heading's own text, before the next heading. */
  under?: string | undefined;
  /** Heading; the new text is inserted directly after it. */
  after?: string | undefined;
  /** Heading; the new text replaces everything up to the next heading of the same or a higher level. */
  replaceSection?: string | undefined;
  /** Whether the new text is added at the end of the text. */
  atEnd?: boolean | undefined;
}

/** A place of the changed text: the line number, starting at 1, and the line's text, cut if it is long. */
export interface ChangedLine {
  line: number;
  text: string;
}

/** The reason why a text was not changed: the field, the rule and the value. */
export interface TextRefusal {
  refused: string;
}

export interface EditedText {
  text: string;
  changes: ChangedLine[];
}

export interface TaskChange {
  line?: number | undefined;
  /** Text of the task; it must be unique if `line` is not given. */
  text?: string | undefined;
  done?: boolean | undefined;
  /** Date as YYYY-MM-DD; '' removes it. */
  due?: string | undefined;
}

export interface Replacement {
  old: string;
  new: string;
  ignoreCase?: boolean | undefined;
  wholeWord?: boolean | undefined;
}

export interface ReplacedText {
  text: string;
  count: number;
  /** The first changed lines, with their new text. */
  changes: ChangedLine[];
}

export interface OutlineHeading {
  /** Line number, starting at 1. */
  line: number;
  level: number;
  text: string;
  /** Offsets of the heading and of the end of its section, which includes lower headings. */
  from: number;
  to: number;
}

export interface TextOutline {
  headings: OutlineHeading[];
  /** Whether the text has more headings than are listed. */
  isCut: boolean;
}

export type LinkKind = 'note' | 'item' | 'sheet';

export interface ScannedLink {
  /** Kind of the target if the link names an id; '' for a title in double brackets. */
  kind: LinkKind | '';
  /** Id in the link's address; '' for a title in double brackets. */
  targetId: string;
  /** Title in double brackets as written; for an address, the link's text. */
  title: string;
  titleKey: string;
  heading: string;
  /** Line of its first occurrence, starting at 1. */
  line: number;
  /** Sentence of its first occurrence. */
  sentence: string;
  occurrences: number;
}

export interface ScannedTask {
  line: number;
  text: string;
  isDone: boolean;
  /** Date as YYYY-MM-DD; '' if there is none. */
  due: string;
}

export interface ScannedTag {
  tag: string;
  key: string;
}

/** Links, tags and tasks of a text. Each list is bounded. */
export interface NoteScan {
  links: ScannedLink[];
  tags: ScannedTag[];
  tasks: ScannedTask[];
}

/** A quoted text of a note with the text around it (see @sheaf/markdown/quote-anchor). */
export interface TextAnchor {
  quote: string;
  before: string;
  after: string;
  at: number;
}

export interface QuoteRequest {
  quote: string;
  /** Text directly before and after the quote, to tell equal quotes apart; '' if unknown. */
  before: string;
  after: string;
  /** Line in which the quote begins. */
  line?: number | undefined;
}

export interface AnchoredQuote extends TextAnchor {
  /** Heading above the quote; '' if there is none. */
  heading: string;
}

export interface LocatedQuote {
  /** Line in which the place begins, starting at 1, and its offsets. */
  line: number;
  from: number;
  to: number;
  /** Whether the quoted text was edited. */
  isChanged: boolean;
}

/**
 * Works on the Markdown of notes: edits, comparisons, links and tasks. Guarantees: the event loop is not blocked, and a
 * text that takes too long rejects with TextTooComplex. Texts of one owner are queued.
 */
export interface NoteText {
  edit(owner: string, markdown: string, edits: readonly TextEdit[]): Promise<EditedText | TextRefusal>;
  setTask(owner: string, markdown: string, change: TaskChange): Promise<EditedText | TextRefusal>;
  replace(owner: string, markdown: string, replacement: Replacement): Promise<ReplacedText>;
  /** Replaces the titles of links in double brackets whose title has one of these keys. */
  relink(owner: string, markdown: string, titleKeys: readonly string[], target: LinkTarget): Promise<ReplacedText>;
  /** Returns a unified diff of two texts; '' if they are equal. */
  diff(owner: string, before: string, after: string): Promise<string>;
  outline(owner: string, markdown: string): Promise<TextOutline>;
  scan(owner: string, markdown: string): Promise<NoteScan>;
  /** Finds a quote and creates its anchor. */
  anchorQuote(owner: string, markdown: string, request: QuoteRequest): Promise<AnchoredQuote | TextRefusal>;
  /** Finds the positions of anchors; null for an anchor whose quoted text was deleted. */
  locateQuotes(owner: string, markdown: string, anchors: readonly TextAnchor[]): Promise<(LocatedQuote | null)[]>;
}

export interface LinkTarget {
  id: string;
  title: string;
}

export class TextTooComplex extends Error {}
