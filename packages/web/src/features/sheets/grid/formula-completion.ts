import { Store } from '../../../ui/store.ts';
import { enclosingFunction, isInStringLiteral } from './formula-context.ts';

interface FunctionInfo {
  readonly name: string;
  readonly family: string;
  readonly arguments: string;
}

interface Suggestions {
  readonly items: readonly FunctionInfo[];
  readonly chosen: number;
  /** Character offsets of the partly typed function name in the formula text. */
  readonly from: number;
  readonly to: number;
}

export interface ParameterHint {
  readonly info: FunctionInfo;
  /** Zero-based index of the argument that contains the caret. */
  readonly argument: number;
}

const maxShown = 8;
const word = /[\p{L}_][\p{L}\p{N}_.]*$/u;

/** Suggests function names while a formula is typed, and shows the parameters of the function at the caret. */
export class FormulaCompletion {
  readonly suggestions = new Store<Suggestions | undefined>(undefined);
  readonly hint = new Store<ParameterHint | undefined>(undefined);
  readonly #ask: () => Promise<readonly FunctionInfo[]>;
  #functions: readonly FunctionInfo[] = [];
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<readonly FunctionInfo[]>) {
    this.#ask = ask;
  }

  close(): void {
    if (this.suggestions.get()) this.suggestions.set(undefined);
    if (this.hint.get()) this.hint.set(undefined);
  }

  /** Updates the suggestions and the parameter hint for a text and a caret position. */
  look(text: string, caret: number): void {
    if (!text.startsWith('=')) {
      this.close();
      return;
    }
    if (this.#functions.length === 0) {
      this.#asking ??= this.#ask().then((functions) => {
        this.#functions = functions;
      });
      this.#asking
        .then(() => this.#show(text, caret))
        .catch((error: unknown) => {
          this.#asking = undefined;
          console.info('names of functions', error);
        });
      return;
    }
    this.#show(text, caret);
  }

  #show(text: string, caret: number): void {
    const before = text.slice(0, caret);
    if (isInStringLiteral(before)) {
      this.close();
      return;
    }
    const typed = word.exec(before)?.[0] ?? '';
    const after = text[caret] ?? '';
    const items = typed === '' || /[\p{L}\p{N}_(!]/u.test(after) ? [] : this.#matching(typed.toUpperCase());
    this.suggestions.set(items.length === 0 ? undefined : { items, chosen: 0, from: caret - typed.length, to: caret });
    const around = enclosingFunction(before);
    const info = around && this.#functions.find((one) => one.name === around.name);
    this.hint.set(info && around ? { info, argument: around.argument } : undefined);
  }

  #matching(typed: string): FunctionInfo[] {
    const starts = this.#functions.filter((one) => one.name.startsWith(typed));
    if (starts.length === 1 && starts[0]!.name === typed) return [];
    // Sort frequently used functions first, then by length and name.
    starts.sort((a, b) => rank(a.name) - rank(b.name) || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
    return starts.slice(0, maxShown);
  }

  /** Handles a key of the suggestion list. Returns whether the key was consumed. */
  key(event: KeyboardEvent): boolean {
    const now = this.suggestions.get();
    if (!now || event.ctrlKey || event.altKey || event.metaKey) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : -1;
        this.suggestions.set({ ...now, chosen: (now.chosen + step + now.items.length) % now.items.length });
        return true;
      }
      case 'Tab':
        return true;
      case 'Enter':
        // Shift+Enter is not consumed, because it commits the typed formula instead of inserting the suggestion.
        return !event.shiftKey;
      case 'Escape':
        this.suggestions.set(undefined);
        return true;
      default:
        return false;
    }
  }

  choose(index: number): void {
    const now = this.suggestions.get();
    if (now) this.suggestions.set({ ...now, chosen: index });
  }

  /**
   * Returns the text with the selected function name inserted, and the new position of the caret. Returns undefined if
   * there are no suggestions.
   */
  take(text: string): { text: string; caret: number } | undefined {
    const now = this.suggestions.get();
    const info = now?.items[now.chosen];
    if (!now || !info) return undefined;
    const empty = info.arguments === '';
    const put = `${info.name}(${empty ? ')' : ''}`;
    this.suggestions.set(undefined);
    return { text: text.slice(0, now.from) + put + text.slice(now.to), caret: now.from + put.length };
  }
}

const common = (
  'SUM IF AVERAGE COUNT COUNTA COUNTIF SUMIF SUMIFS MAX MIN VLOOKUP XLOOKUP INDEX MATCH ROUND TEXT TODAY DATE FILTER ' +
  'SORT UNIQUE CONCAT LEFT RIGHT MID IFERROR AND OR'
).split(' ');

function rank(name: string): number {
  const place = common.indexOf(name);
  return place < 0 ? common.length : place;
}
