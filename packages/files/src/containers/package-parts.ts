import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import { XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import type { ZipArchive } from '../zip/reader.ts';

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Local names of the enclosing elements, outermost first. */
  readonly path: readonly string[];
}

export interface ElementHandler {
  open?(element: Element): void;
  /** Called with the text directly inside the element. */
  close?(name: string, text: string, path: readonly string[]): void;
}

/** Visits elements by their local names; attribute names lose their prefixes too. */
export function eachElement(xml: string, where: string, handler: ElementHandler): void {
  const path: string[] = [];
  const texts: string[] = [];
  scanXml(xml, where, {
    open(name, attributes) {
      const own = localName(name);
      if (handler.open) {
        const plain = new Map<string, string>();
        for (const [key, value] of attributes()) if (!key.startsWith('xmlns')) plain.set(localName(key), value);
        handler.open({ name: own, attributes: plain, path });
      }
      path.push(own);
      texts.push('');
    },
    close(name) {
      path.pop();
      handler.close?.(localName(name), texts.pop() ?? '', path);
    },
    text(text) {
      if (texts.length > 0) texts[texts.length - 1] += text;
    },
  });
}

export function partText(archive: ZipArchive, name: string): string | undefined {
  return archive.has(name) ? decodeXml(archive.read(name)) : undefined;
}

/** For large parts: decodes the text incrementally. */
export function partReader(archive: ZipArchive, name: string): XmlReader | undefined {
  return archive.has(name) ? new XmlReader(new BytesSource(archive.read(name)), `"${name}"`) : undefined;
}

export interface Relationship {
  /** Last segment of the type URI. */
  readonly kind: string;
  readonly type: string;
  /** Part name, or the URL if external. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Names a part in messages about the file. */
export function partTitle(part: string): string {
  return `The part "${part}"`;
}

/** Reads the relationships of a part, by id; messages name the part itself unless `nameOf` names its list. */
export function readRelationships(
  archive: ZipArchive,
  part: string,
  nameOf?: (list: string) => string,
): Map<string, Relationship> {
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const found = new Map<string, Relationship>();
  const list = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  const xml = partText(archive, list);
  if (xml === undefined) return found;
  eachElement(xml, nameOf?.(list) ?? part, {
    open({ name, attributes }) {
      if (name !== 'Relationship') return;
      const isExternal = attributes.get('TargetMode') === 'External';
      const target = attributes.get('Target') ?? '';
      const type = attributes.get('Type') ?? '';
      found.set(attributes.get('Id') ?? '', {
        kind: type.slice(type.lastIndexOf('/') + 1),
        type,
        target: isExternal ? target : resolve(folder, target),
        isExternal,
      });
    },
  });
  return found;
}

/** Reads the relationships to parts of the file; nothing outside the file is read. */
export function internalRelationships(archive: ZipArchive, part: string): Relationship[] {
  return [...readRelationships(archive, part, partTitle).values()].filter(({ isExternal }) => !isExternal);
}

/** Name of the file's main part; undefined if it is not declared. */
export function declaredMainPart(archive: ZipArchive): string | undefined {
  return internalRelationships(archive, '').find(({ kind }) => kind === 'officeDocument')?.target;
}

/** Resolves a target to a part name. A path that leaves the archive matches no part. */
function resolve(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
