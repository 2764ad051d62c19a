import { damaged } from '../format-error.ts';
import type { ZipArchive } from '../zip/reader.ts';
import type { ParsedName } from './read-defined-names.ts';
import {
  declaredMainPart,
  eachElement,
  isTrue,
  partText,
  readRelationships,
  type Relationship,
} from '../containers/package-parts.ts';
import { unprefixedAttributesXml } from './xml-escape.ts';

export interface SheetEntry {
  readonly name: string;
  readonly state: string | undefined;
  readonly relation: string;
}

export interface ParsedWorkbook {
  readonly entries: SheetEntry[];
  readonly names: ParsedName[];
  /** Relationship ids of the external workbooks, in the order of their numbers in formulas. */
  readonly others: string[];
  readonly date1904: boolean;
  /** Indexes of the active sheet and of the first visible tab. */
  readonly activeTab: number;
  readonly firstTab: number;
  /** XML attributes of the `calcPr` element (calculation settings). */
  readonly calculation: Record<string, string>;
}

export interface OpenedWorkbook extends ParsedWorkbook {
  /** Name of the workbook part. */
  readonly main: string;
  readonly relations: ReadonlyMap<string, Relationship>;
  /** Returns the name of the workbook's part with this relationship kind, or undefined if there is none. */
  readonly partOf: (kind: string) => string | undefined;
}

/** Finds the workbook part of an archive and reads its sheet list. `nameOf` converts part names for error messages. */
export function openWorkbook(archive: ZipArchive, nameOf?: (part: string) => string): OpenedWorkbook {
  const named = declaredMainPart(archive);
  const main = named !== undefined && archive.has(named) ? named : 'xl/workbook.xml';
  const xml = partText(archive, main);
  if (xml === undefined) throw damaged('it contains no workbook');
  const relations = readRelationships(archive, main, nameOf);
  const partOf = (kind: string): string | undefined => [...relations.values()].find((one) => one.kind === kind)?.target;
  return { main, relations, partOf, ...parseWorkbook(xml, nameOf?.(main) ?? main) };
}

function parseWorkbook(xml: string, where: string): ParsedWorkbook {
  const entries: SheetEntry[] = [];
  const names: ParsedName[] = [];
  const others: string[] = [];
  let date1904 = false;
  let view: readonly [active: number, first: number] | undefined;
  let calculation: Record<string, string> = {};
  let open: Omit<ParsedName, 'text'> | undefined;
  eachElement(xml, where, {
    open({ name, attributes }) {
      if (name === 'sheet')
        entries.push({
          name: attributes.get('name') ?? '',
          relation: attributes.get('id') ?? '',
          state: attributes.get('state'),
        });
      else if (name === 'workbookPr') date1904 = isTrue(attributes.get('date1904'));
      else if (name === 'workbookView')
        view ??= [Number(attributes.get('activeTab') ?? 0), Number(attributes.get('firstSheet') ?? 0)];
      else if (name === 'calcPr') calculation = Object.fromEntries(attributes);
      else if (name === 'externalReference') others.push(attributes.get('id') ?? '');
      else if (name === 'definedName') {
        const local = attributes.get('localSheetId');
        open = {
          name: attributes.get('name') ?? '',
          sheet: local === undefined ? undefined : Number(local),
          attributes: unprefixedAttributesXml(attributes, ['name', 'localSheetId']),
        };
      }
    },
    close(name, text) {
      if (name === 'definedName' && open && names.length < 10_000) names.push({ ...open, text });
    },
  });
  const [activeTab, firstTab] = view ?? [0, 0];
  return { entries, names, others, date1904, calculation, activeTab, firstTab };
}
