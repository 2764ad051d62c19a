import type { ZipArchive } from '../../zip/zip-guard.ts';
import type { Carried, KeptRelation, Point } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { partText, relationsOf, type Relation } from '../read-xml.ts';
import { hole } from './holes.ts';
import type { Found, Keeper } from './keeper.ts';
import { childrenNamed, localOf, parseXml, textOf, type XmlElement } from './xml-tree.ts';

/**
 * Collects drawing objects that are passed through unchanged: shapes, groups, diagrams, charts that documents cannot draw.
 */
export class DrawingKeeper {
  readonly #archive: ZipArchive;
  readonly #keeper: Keeper;
  readonly #roots = new Map<string, XmlElement | undefined>();

  constructor(archive: ZipArchive, keeper: Keeper) {
    this.#archive = archive;
    this.#keeper = keeper;
  }

  /** Takes one object by its index in the drawing. */
  take(part: string, place: number): Carried | undefined {
    const root = this.#rootOf(part);
    const anchor = root && elementsOf(root)[place];
    if (!root || !anchor) return undefined;
    const found: Found = { formulas: [], regions: undefined };
    const points: Point[] = [];
    const marks = new Map<XmlElement, string>();
    for (const name of ['from', 'to']) {
      const [corner] = childrenNamed(anchor, name);
      const [row] = corner ? childrenNamed(corner, 'row') : [];
      const [col] = corner ? childrenNamed(corner, 'col') : [];
      if (!row || !col) continue;
      const index = points.push([within(textOf(row), maxRows), within(textOf(col), maxCols)]) - 1;
      marks.set(row, hole('y', index));
      marks.set(col, hole('x', index));
    }
    const made = this.#keeper.print(anchor, '', relationsOf(this.#archive, part), found, {
      relationOf: (relation) => this.relation(relation, found),
      text: (element) => marks.get(element),
    });
    const text = this.#keeper.text(made);
    if (text === undefined) return undefined;
    const { formulas } = found;
    return {
      kind: 'drawing',
      text,
      ...(points.length > 0 ? { points } : {}),
      ...(formulas.length > 0 ? { formulas } : {}),
    };
  }

  /** Takes a chart unchanged. */
  chart(part: string): Carried | undefined {
    const found: Found = { formulas: [], regions: undefined };
    const text = this.#keeper.textPart(part, found);
    return text === undefined ? undefined : { kind: 'chart', text, formulas: found.formulas };
  }

  /** Takes a chart sheet; `pieces` are its name, its visibility and the id of the sub-sheet before it. */
  chartSheet(part: string, pieces: readonly string[]): Carried | undefined {
    const found: Found = { formulas: [], regions: undefined };
    const text = this.#keeper.textPart(part, found, {
      relationOf: (relation) => this.#drawingOf(relation, found),
    });
    if (text === undefined) return undefined;
    const kept = this.#keeper.texts[text]!;
    this.#keeper.texts[text] = { ...kept, pieces };
    return { kind: 'chartsheet', text, formulas: found.formulas };
  }

  #drawingOf(relation: Relation, found: Found): KeptRelation | undefined {
    if (relation.kind !== 'drawing' || relation.isExternal) return this.#keeper.relation(relation);
    const text = this.#keeper.textPart(relation.target, found, {
      relationOf: (inner) => this.relation(inner, found),
    });
    return text === undefined ? undefined : { type: relation.type, text };
  }

  /** Charts are kept with their formulas, other relationships unchanged. */
  relation(relation: Relation, found: Found): KeptRelation | undefined {
    if (relation.isExternal || !/^chart(?:Ex)?$/.test(relation.kind)) return this.#keeper.relation(relation);
    const text = this.#keeper.textPart(relation.target, found);
    return text === undefined ? undefined : { type: relation.type, text };
  }

  #rootOf(part: string): XmlElement | undefined {
    if (!this.#roots.has(part)) {
      const xml = partText(this.#archive, part);
      this.#roots.set(part, xml === undefined ? undefined : parseXml(xml, part));
    }
    return this.#roots.get(part);
  }
}

function elementsOf(root: XmlElement): XmlElement[] {
  return root.children.filter(
    (one): one is XmlElement => typeof one !== 'string' && localOf(one.tag).endsWith('Anchor'),
  );
}

function within(text: string, limit: number): number {
  return Math.min(limit - 1, Math.max(0, Math.trunc(Number(text)) || 0));
}
