import { posix } from 'node:path';

/**
 * Function that returns the URL of the note or item that was imported from a file, or undefined if the file was not
 * imported.
 */
export type UrlLookup = (path: string) => string | undefined;

/**
 * Resolves links between files of an imported folder, by path or by file name alone. If several files have the same
 * name, the one nearest to the root is used.
 */
export class VaultIndex {
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, string>();

  constructor(paths: readonly string[]) {
    const nearest = paths.toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
    for (const path of nearest) {
      for (const name of namesOf(path)) {
        if (!this.#byPath.has(name)) this.#byPath.set(name, path);
        const last = posix.basename(name);
        if (!this.#byName.has(last)) this.#byName.set(last, path);
      }
    }
  }

  /**
   * Returns the path of the file to which a link in the file `from` points, or undefined if there is none. `byName` is
   * true for wiki links (`[[name]]`), which may name a file without its folder.
   */
  resolve(link: string, from: string, byName: boolean): string | undefined {
    const wanted = link.normalize('NFC').toLowerCase();
    const beside = posix.normalize(posix.join(posix.dirname(from).toLowerCase(), wanted));
    return (
      this.#byPath.get(beside) ??
      this.#byPath.get(posix.normalize(wanted)) ??
      (byName ? this.#byName.get(posix.basename(wanted)) : undefined)
    );
  }
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/**
 * Returns the names by which links can refer to a file, in lower case. A Markdown file can be linked with or without its
 * extension.
 */
function namesOf(path: string): string[] {
  const name = path.normalize('NFC').toLowerCase();
  return /\.(?:md|markdown)$/.test(name) ? [name, name.slice(0, name.lastIndexOf('.'))] : [name];
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
/** Matches inline code, wiki links and Markdown links. Code comes first, so that links inside code are not matched. */
const pieces = new RegExp(
  [
    '(`+)(?:(?!\\1)[^\\n])*\\1',
    String.raw`(!?)\[\[([^[\]\n|]{1,400})(?:\|([^[\]\n]{0,400}))?\]\]`,
    String.raw`(!?)\[([^[\]\n]{0,400})\]\((<[^<>\n]{1,1000}>|[^()\s]{1,1000})((?:\s+"[^"\n]{0,400}")?)\)`,
  ].join('|'),
  'g',
);
const definition = /^( {0,3}\[[^\]\n]{1,400}\]:\s*)(<[^<>\n]{1,1000}>|\S{1,1000})(.*)$/;

export interface RewrittenText {
  text: string;
  broken: number;
}

/**
 * Rewrites links to files of the imported folder as links to the imported notes and items. Links to files that were not
 * imported, and links inside code, are left unchanged.
 */
export function rewriteLinks(text: string, from: string, index: VaultIndex, find: UrlLookup): RewrittenText {
  let lost = 0;
  const addressOf = (link: string, byName: boolean): string | undefined => {
    const [path = ''] = link.split('#');
    if (path === '') return undefined;
    const found = index.resolve(path, from, byName);
    const address = found === undefined ? undefined : find(found);
    if (address === undefined) lost++;
    return address;
  };
  const inLine = (line: string): string =>
    line.replace(
      pieces,
      (
        whole: string,
        code: string | undefined,
        _embed: string | undefined,
        wiki: string | undefined,
        alias: string | undefined,
        _image: string | undefined,
        label: string | undefined,
        target: string | undefined,
      ) => {
        if (code !== undefined) return whole;
        if (wiki !== undefined) {
          const address = addressOf(wiki.trim(), true);
          return address === undefined ? whole : `[${(alias ?? wiki).trim()}](${address})`;
        }
        const path = localPath(target ?? '');
        const address = path === undefined ? undefined : addressOf(path, false);
        return address === undefined ? whole : `[${label === '' ? posix.basename(path!) : label}](${address})`;
      },
    );
  let open: string | undefined;
  const lines = text.split('\n').map((line) => {
    const mark = fence.exec(line)?.[1];
    if (open !== undefined) {
      if (mark?.startsWith(open)) open = undefined;
      return line;
    }
    if (mark !== undefined) {
      open = mark;
      return line;
    }
    const defined = definition.exec(line);
    const path = defined ? localPath(defined[2]!) : undefined;
    const address = path === undefined ? undefined : addressOf(path, false);
    return address === undefined ? inLine(line) : `${defined![1]}${address}${defined![3]}`;
  });
  return { text: lines.join('\n'), broken: lost };
}

/** Decodes a Markdown link target to a relative path. Returns undefined for absolute paths, URLs and anchors. */
function localPath(target: string): string | undefined {
  const bare = target.replace(/^<(.*)>$/, '$1');
  if (/^[a-z][a-z0-9+.-]*:|^[/#]/i.test(bare)) return undefined;
  try {
    return decodeURIComponent(bare);
  } catch (error) {
    if (error instanceof URIError) return bare;
    throw error;
  }
}
