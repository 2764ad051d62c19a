import type { ZipArchive } from '../../zip/reader.ts';
import type { PassthroughElement, KeptRelation, Point } from '@sheaf/engine/internal/document';
import { maxCols, maxRows } from '@sheaf/engine';
import { partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { placeholder } from './placeholders.ts';
import type { CapturedReferences, PassthroughReader } from './passthrough-reader.ts';
import { childrenNamed, descendantsOf, localNameOf, parseXml, textOf, type XmlElement } from '../xml-tree.ts';

/** Stores drawing objects unchanged for export: shapes, groups, diagrams, and charts of unsupported types. */
export class DrawingPassthrough {
  readonly #archive: ZipArchive;
  readonly #passthrough: PassthroughReader;
  readonly #roots = new Map<string, XmlElement | undefined>();

  constructor(archive: ZipArchive, keeper: PassthroughReader) {
    this.#archive = archive;
    this.#passthrough = keeper;
  }

  /**
   * Stores the XML of the object at index `place` of a drawing for export; returns undefined if the object does not
   * exist.
   */
  capture(part: string, place: number): PassthroughElement | undefined {
    return this.#anchor(part, place, (relation, found) => this.relation(relation, found));
  }

  /**
   * Stores the XML element that places an image or chart in the imported drawing. Its relationship becomes a
   * placeholder, because the export writes the image or chart to a new part.
   */
  frame(part: string, place: number, target: string): PassthroughElement | undefined {
    return this.#anchor(part, place, (relation) => this.#passthrough.relation(relation), target);
  }

  #anchor(
    part: string,
    place: number,
    relationOf: (relation: Relationship, found: CapturedReferences) => KeptRelation | undefined,
    target?: string,
  ): PassthroughElement | undefined {
    const root = this.#rootOf(part);
    const anchor = root && elementsOf(root)[place];
    if (!root || !anchor) return undefined;
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const points: Point[] = [];
    const marks = new Map<XmlElement, string>();
    // Newer kinds of objects are wrapped in an element that older programs skip. The anchor is then inside that
    // element.
    const placed = isAnchor(anchor) ? anchor : ([...descendantsOf(anchor)].find(isAnchor) ?? anchor);
    for (const name of ['from', 'to']) {
      const [corner] = childrenNamed(placed, name);
      const [row] = corner ? childrenNamed(corner, 'row') : [];
      const [col] = corner ? childrenNamed(corner, 'col') : [];
      if (!row || !col) continue;
      const index = points.push([clampIndex(textOf(row), maxRows), clampIndex(textOf(col), maxCols)]) - 1;
      marks.set(row, placeholder('y', index));
      marks.set(col, placeholder('x', index));
    }
    const relations = readRelationships(this.#archive, part);
    const made = this.#passthrough.print(anchor, '', relations, found, {
      relationOf: (relation) => relationOf(relation, found),
      attribute: (_, name, value) => {
        const relation = target === undefined || !/:(?:embed|id)$/.test(name) ? undefined : relations.get(value);
        return relation && relation.target === target ? placeholder('d', 0) : undefined;
      },
      text: (element) => marks.get(element),
    });
    const text = this.#passthrough.text(target === undefined ? made : { ...made, pieces: ['target'] });
    if (text === undefined) return undefined;
    const { formulas } = found;
    return {
      kind: 'drawing',
      text,
      ...(points.length > 0 ? { points } : {}),
      ...(formulas.length > 0 ? { formulas } : {}),
    };
  }

  /** Stores the XML of a chart part, so that an export can write an unchanged chart as it was imported. */
  chart(part: string): PassthroughElement | undefined {
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const text = this.#passthrough.textPart(part, found);
    return text === undefined ? undefined : { kind: 'chart', text, formulas: found.formulas };
  }

  /**
   * Stores a chart sheet for export. `pieces` holds its name, visibility, the id of the preceding sub-sheet, and its
   * kind.
   */
  chartSheet(part: string, pieces: readonly string[]): PassthroughElement | undefined {
    const found: CapturedReferences = { formulas: [], regions: undefined };
    const text = this.#passthrough.textPart(part, found, {
      relationOf: (relation) => this.#drawingOf(relation, found),
    });
    if (text === undefined) return undefined;
    const kept = this.#passthrough.texts[text]!;
    this.#passthrough.texts[text] = { ...kept, pieces };
    return { kind: 'chartsheet', text, formulas: found.formulas };
  }

  #drawingOf(relation: Relationship, found: CapturedReferences): KeptRelation | undefined {
    if (relation.kind !== 'drawing' || relation.isExternal) return this.#passthrough.relation(relation);
    const text = this.#passthrough.textPart(relation.target, found, {
      relationOf: (inner) => this.relation(inner, found),
    });
    return text === undefined ? undefined : { type: relation.type, text };
  }

  /**
   * Stores the target of a relationship: a chart as XML with placeholders for its formulas, any other part unchanged.
   */
  relation(relation: Relationship, found: CapturedReferences): KeptRelation | undefined {
    if (relation.isExternal || !/^chart(?:Ex)?$/.test(relation.kind)) return this.#passthrough.relation(relation);
    const text = this.#passthrough.textPart(relation.target, found);
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
    (one): one is XmlElement =>
      typeof one !== 'string' && (isAnchor(one) || localNameOf(one.tag) === 'AlternateContent'),
  );
}

function isAnchor({ tag }: XmlElement): boolean {
  return localNameOf(tag).endsWith('Anchor');
}

function clampIndex(text: string, limit: number): number {
  return Math.min(limit - 1, Math.max(0, Math.trunc(Number(text)) || 0));
}
