import { localName, scanXml, decodeXml } from '../xml/sax.ts';
import { XmlReader } from '../xml/xml-reader.ts';
import { BytesSource } from '../xml/xml-source.ts';
import type { ZipArchive } from '../zip/reader.ts';

export interface SaxElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Local names of the enclosing elements, outermost first. */
  readonly path: readonly string[];
}

export interface ElementHandler {
  open?(element: SaxElement): void;
  /** Called at the end of an element. `text` is the text directly inside the element, without that of its children. */
  close?(name: string, text: string, path: readonly string[]): void;
}

/**
 * Calls the handler for every element of an XML text. Element and attribute names are passed without namespace
 * prefixes. Error messages name the text as `where`.
 */
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

/**
 * Opens a part (a file inside the ZIP archive of an Office document) as a stream, for parts too large to hold as one
 * text. Returns undefined if the archive lacks the part.
 */
export function partReader(archive: ZipArchive, name: string): XmlReader | undefined {
  return archive.has(name) ? new XmlReader(new BytesSource(archive.read(name)), `"${name}"`) : undefined;
}

export interface Relationship {
  /** Last segment of the relationship's type URI, e.g. `worksheet`. */
  readonly kind: string;
  readonly type: string;
  /** Name of the target part, or the URL if the relationship is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

export function partTitle(part: string): string {
  return `The part "${part}"`;
}

/**
 * Returns the relationships of a part (its links to other parts and URLs) by id. The file that lists the relationships
 * is called `nameOf(list)` in error messages, or `part` if `nameOf` is absent.
 */
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
      const target = attributes.get('Target') ?? '';
      // A target that starts with `#` is a location in the document, not a part, so it is treated as external.
      const isExternal = attributes.get('TargetMode') === 'External' || target.startsWith('#');
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

/** Returns the relationships of a part whose targets are inside the archive. */
export function internalRelationships(archive: ZipArchive, part: string): Relationship[] {
  return [...readRelationships(archive, part, partTitle).values()].filter(({ isExternal }) => !isExternal);
}

/**
 * Returns the name of the document's main part, such as `word/document.xml`; undefined if no relationship declares it.
 */
export function declaredMainPart(archive: ZipArchive): string | undefined {
  return internalRelationships(archive, '').find(({ kind }) => kind === 'officeDocument')?.target;
}

/** Resolves a relationship target against a folder to a part name. `..` cannot leave the archive's root. */
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
