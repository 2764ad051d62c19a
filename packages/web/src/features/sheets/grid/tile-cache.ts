import type { CellRange } from '../cell-geometry.ts';
import type { ToolOutput } from '../sheet-session.ts';
import { tileCols, tileRows } from '../../../lib/first-request-inputs.ts';
import { eachTableStyle } from './table-styles.ts';

export { tileCols, tileRows };
/** Maximum number of cached tiles (blocks of cells). Together they hold about a quarter of a million cells. */
const maxTiles = 48;

export interface CellStyle {
  readonly bold?: true;
  readonly italic?: true;
  readonly fontFamily?: string;
  readonly fontSize?: number;
  readonly fontColor?: string;
  readonly bgColor?: string;
  readonly horizontalAlign?: string;
  readonly verticalAlign?: string;
  readonly wrapText?: true;
  readonly strikeThrough?: true;
  readonly underline?: string;
  readonly numberFormat?: string;
  readonly borderTop?: string;
  readonly borderBottom?: string;
  readonly borderLeft?: string;
  readonly borderRight?: string;
}

export const defaultStyle: CellStyle = {};

export const valueKinds = { text: 0, number: 1, boolean: 2, error: 3 } as const;

type View = ToolOutput<'get_view'>;

export interface TextRun {
  readonly text: string;
  readonly style?: CellStyle;
}

export interface ConditionalDecoration {
  readonly bar: { readonly share: number; readonly color: string } | undefined;
  readonly icon: { readonly set: string; readonly index: number } | undefined;
  readonly hidesValue: boolean;
}

class Tile {
  readonly texts: (string | undefined)[] = Array.from({ length: tileRows * tileCols });
  readonly kinds = new Uint8Array(tileRows * tileCols);
  /** For each cell, an index into the list of styles in TileCache. */
  readonly looks = new Uint16Array(tileRows * tileCols);
  /**
   * By cell, the text that the editor shows, such as the cell's formula. Stored only where it differs from the
   * displayed text.
   */
  readonly inputs = new Map<number, string>();
  readonly links = new Map<number, string>();
  /** Text colors set by number formats, such as [Red], by cell. */
  readonly colors = new Map<number, string>();
  readonly rich = new Map<number, readonly TextRun[]>();
  /**
   * Index of the displayed style by cell. Only set where a table style or conditional format overrides the cell's own
   * style.
   */
  readonly shownLooks = new Map<number, number>();
  readonly conditional = new Map<number, ConditionalDecoration>();
  merges: readonly CellRange[] = [];
  /**
   * Generation (change counter) of the grid model for which the tile was loaded. A tile of an earlier generation is
   * outdated.
   */
  generation = 0;
}

/** Caches the loaded cells of one sub-sheet (tab) in tiles. The least recently used tiles are evicted first. */
export class TileCache {
  readonly looks: CellStyle[] = [defaultStyle];
  readonly #known = new Map<string, number>([['{}', 0]]);
  readonly #tiles = new Map<number, Tile>();

  static key(tileRow: number, tileCol: number): number {
    return tileRow * 1024 + tileCol;
  }

  /** Returns a tile and marks it as recently used by moving it to the end of the map. */
  touch(key: number): Tile | undefined {
    const tile = this.#tiles.get(key);
    if (tile) {
      this.#tiles.delete(key);
      this.#tiles.set(key, tile);
    }
    return tile;
  }

  at(row: number, col: number): { tile: Tile; index: number } | undefined {
    const tile = this.#tiles.get(TileCache.key(Math.floor(row / tileRows), Math.floor(col / tileCols)));
    return tile && { tile, index: (row % tileRows) * tileCols + (col % tileCols) };
  }

  text(row: number, col: number): string | undefined {
    const found = this.at(row, col);
    return found?.tile.texts[found.index];
  }

  /** Returns the displayed style of a cell, including conditional formats and table styles. */
  look(row: number, col: number): CellStyle {
    const found = this.at(row, col);
    if (!found) return defaultStyle;
    const { tile, index } = found;
    const shown = tile.shownLooks.size === 0 ? undefined : tile.shownLooks.get(index);
    return this.looks[shown ?? tile.looks[index]!]!;
  }

  conditional(row: number, col: number): ConditionalDecoration | undefined {
    const found = this.at(row, col);
    return found?.tile.conditional.get(found.index);
  }

  all(): Iterable<Tile> {
    return this.#tiles.values();
  }

  /** Stores the cells of a response that covers a rectangle of whole tiles (blocks of cells). */
  take(
    tileTop: number,
    tileLeft: number,
    tilesDown: number,
    tilesRight: number,
    answer: View,
    generation: number,
  ): void {
    const places = answer.looks.map((look) => this.#intern(look as CellStyle));
    const fresh: Tile[] = [];
    for (let r = 0; r < tilesDown; r++) {
      for (let c = 0; c < tilesRight; c++) {
        const tile = new Tile();
        tile.generation = generation;
        fresh.push(tile);
        const key = TileCache.key(tileTop + r, tileLeft + c);
        this.#tiles.delete(key);
        this.#tiles.set(key, tile);
      }
    }
    const tileOf = (row: number, col: number): Tile =>
      fresh[(Math.floor(row / tileRows) - tileTop) * tilesRight + Math.floor(col / tileCols) - tileLeft]!;
    const indexOf = (row: number, col: number): number => (row % tileRows) * tileCols + (col % tileCols);
    for (const [row, col, text, kind, input] of answer.cells) {
      const tile = tileOf(row, col);
      const index = indexOf(row, col);
      tile.texts[index] = text;
      tile.kinds[index] = kind;
      if (input !== undefined) tile.inputs.set(index, input);
    }
    for (const [col, first, last, place] of answer.styles) {
      const look = places[place]!;
      for (let row = first; row <= last; row++) tileOf(row, col).looks[indexOf(row, col)] = look;
    }
    for (const [row, col, url] of answer.links) tileOf(row, col).links.set(indexOf(row, col), url);
    for (const [row, col, color] of answer.colours ?? []) tileOf(row, col).colors.set(indexOf(row, col), color);
    for (const { row, col, pieces } of answer.rich ?? [])
      tileOf(row, col).rich.set(indexOf(row, col), pieces as readonly TextRun[]);
    const answered: CellRange = {
      top: tileTop * tileRows,
      left: tileLeft * tileCols,
      bottom: (tileTop + tilesDown) * tileRows - 1,
      right: (tileLeft + tilesRight) * tileCols - 1,
    };
    eachTableStyle(answer.tables, answered, (row, col, look) => {
      const tile = tileOf(row, col);
      const index = indexOf(row, col);
      tile.shownLooks.set(index, this.#intern({ ...(look as CellStyle), ...this.looks[tile.looks[index]!] }));
    });
    for (const { row, col, style, bar, icon, hide_value: hidesValue } of answer.formats ?? []) {
      const tile = tileOf(row, col);
      const index = indexOf(row, col);
      // The style of a conditional format takes precedence over the cell's own style.
      if (style) {
        const below = this.looks[tile.shownLooks.get(index) ?? tile.looks[index]!];
        tile.shownLooks.set(index, this.#intern({ ...below, ...(style as CellStyle) }));
      }
      if (bar || icon) tile.conditional.set(index, { bar, icon, hidesValue: hidesValue === true });
    }
    const merges = answer.merges.map(([top, left, bottom, right]): CellRange => ({ top, left, bottom, right }));
    for (const tile of fresh) tile.merges = merges;
    this.#trim();
  }

  #intern(look: CellStyle): number {
    const text = JSON.stringify(look);
    let place = this.#known.get(text);
    if (place === undefined) {
      place = this.looks.length;
      this.looks.push(look);
      this.#known.set(text, place);
    }
    return place;
  }

  #trim(): void {
    for (const key of this.#tiles.keys()) {
      if (this.#tiles.size <= maxTiles) return;
      this.#tiles.delete(key);
    }
  }
}
