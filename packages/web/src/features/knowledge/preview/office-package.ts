import { unzipSync, strFromU8 } from 'fflate';

/**
 * Size limits of a preview in bytes. A file larger than `maxFileBytes` is not previewed; its extracted text is shown
 * instead. Parts inside the file are omitted if they are larger than `maxPartBytes`, or if the unpacked parts would
 * exceed `maxTotalBytes` in total.
 */
export const maxFileBytes = 20 * 2 ** 20;
const maxPartBytes = 8 * 2 ** 20;
const maxTotalBytes = 60 * 2 ** 20;

/** Unzips an Office Open XML file (such as .docx) and provides the parts that a preview needs. */
export class OfficePackage {
  readonly #files: Record<string, Uint8Array>;
  readonly #addresses = new Map<string, string>();

  constructor(bytes: Uint8Array) {
    let total = 0;
    this.#files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(xml|rels|png|jpe?g|gif|webp)$/i.test(name) || originalSize > maxPartBytes) return false;
        if (total + originalSize > maxTotalBytes) return false;
        total += originalSize;
        return true;
      },
    });
  }

  xml(path: string): Document | undefined {
    const bytes = this.#files[path];
    if (!bytes) return undefined;
    const parsed = new DOMParser().parseFromString(strFromU8(bytes), 'application/xml');
    return parsed.querySelector('parsererror') ? undefined : parsed;
  }

  /**
   * Returns the relationships of a part of the package: the other parts and the URLs to which it refers, by
   * relationship id. The targets of parts become paths in the package; URLs are unchanged.
   */
  relations(path: string): Map<string, { target: string; type: string; isExternal: boolean }> {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const rels = this.xml(`${folder}_rels/${path.slice(folder.length)}.rels`);
    return new Map(
      [...(rels?.getElementsByTagName('Relationship') ?? [])].map((one) => {
        const target = one.getAttribute('Target') ?? '';
        const isExternal = one.getAttribute('TargetMode') === 'External';
        const type = (one.getAttribute('Type') ?? '').split('/').at(-1)!;
        return [
          one.getAttribute('Id') ?? '',
          { target: isExternal ? target : resolvePartPath(folder, target), type, isExternal },
        ];
      }),
    );
  }

  /**
   * Returns the object URL of an image in the package, valid until the preview is closed. Returns undefined if the file
   * is missing or not an image.
   */
  picture(path: string): string | undefined {
    const known = this.#addresses.get(path);
    if (known !== undefined) return known;
    const bytes = this.#files[path];
    const type = imageTypes[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
    if (!bytes || type === undefined) return undefined;
    const address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    this.#addresses.set(path, address);
    return address;
  }

  close(): void {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
  }
}

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/**
 * Resolves the target of a relationship to a path in the package. A target with a leading slash is relative to the
 * package root.
 */
function resolvePartPath(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '');
  for (const part of target.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return parts.join('/');
}

/** Returns the child elements with this local name. The namespace prefix is ignored. */
export function childElements(element: Element | undefined, name: string): Element[] {
  return element ? [...element.children].filter((child) => child.localName === name) : [];
}

export function childElement(element: Element | undefined, ...path: string[]): Element | undefined {
  let found = element;
  for (const name of path) found = childElements(found, name)[0];
  return found;
}

/** Returns an attribute by its local name. The namespace prefix is ignored. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  return element ? [...element.attributes].find((one) => one.localName === name)?.value : undefined;
}
