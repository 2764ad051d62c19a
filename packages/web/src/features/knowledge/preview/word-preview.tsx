import type { ReactNode } from 'react';
import { attribute, childElement, childElements, type OfficePackage } from './office-package.ts';

const part = 'word/document.xml';
/**
 * Maximum number of elements (paragraphs, tables and the paragraphs in their cells) that are rendered. The page's text
 * tab shows the complete text.
 */
const maxBlocks = 5000;

/** Renders a Word file with headings, lists, tables, links and images. Returns undefined if the file has no body. */
export function renderWordDocument(file: OfficePackage): ReactNode | undefined {
  const body = childElement(file.xml(part)?.documentElement, 'body');
  if (!body) return undefined;
  return new WordReader(file).blocks(body);
}

class WordReader {
  readonly #file: OfficePackage;
  readonly #relations: ReturnType<OfficePackage['relations']>;
  /**
   * Heading level of each heading style of the document, by style id. Levels are derived from style names, which are
   * always English, and not from style ids, which depend on the language of Word.
   */
  readonly #headings = new Map<string, number>();
  #left = maxBlocks;

  constructor(file: OfficePackage) {
    this.#file = file;
    this.#relations = file.relations(part);
    for (const style of childElements(file.xml('word/styles.xml')?.documentElement, 'style')) {
      const name = attribute(childElement(style, 'name'), 'val')?.toLowerCase() ?? '';
      const level = name === 'title' ? 1 : Number(/^heading (\d)$/.exec(name)?.[1] ?? 0);
      const id = attribute(style, 'styleId');
      if (id !== undefined && level > 0) this.#headings.set(id, level);
    }
  }

  blocks(parent: Element, depth = 0): ReactNode[] {
    const shown: ReactNode[] = [];
    let items: ReactNode[] = [];
    const endList = (): void => {
      if (items.length > 0) shown.push(<ul key={shown.length}>{items}</ul>);
      items = [];
    };
    for (const element of parent.children) {
      if (this.#left <= 0) break;
      this.#left -= 1;
      if (element.localName === 'p' && childElement(element, 'pPr', 'numPr') && !this.#levelOf(element)) {
        items.push(<li key={items.length}>{this.#runs(element)}</li>);
        continue;
      }
      endList();
      if (element.localName === 'p') shown.push(this.#paragraph(element, shown.length));
      else if (element.localName === 'tbl' && depth < 3) shown.push(this.#table(element, shown.length, depth));
      else if (element.localName === 'sdt')
        shown.push(...this.blocks(childElement(element, 'sdtContent') ?? element, depth + 1));
    }
    endList();
    return shown;
  }

  #levelOf(paragraph: Element): number {
    return this.#headings.get(attribute(childElement(paragraph, 'pPr', 'pStyle'), 'val') ?? '') ?? 0;
  }

  #paragraph(paragraph: Element, key: number): ReactNode {
    const level = Math.min(6, this.#levelOf(paragraph));
    const runs = this.#runs(paragraph);
    if (level === 0) return <p key={key}>{runs}</p>;
    const Heading = `h${level}` as 'h1';
    return <Heading key={key}>{runs}</Heading>;
  }

  #table(table: Element, key: number, depth: number): ReactNode {
    return (
      <table key={key}>
        <tbody>
          {childElements(table, 'tr').map((row, rowAt) => (
            <tr key={rowAt}>
              {childElements(row, 'tc').map((cell, cellAt) => {
                const span = Number(attribute(childElement(cell, 'tcPr', 'gridSpan'), 'val') ?? 1);
                return (
                  <td key={cellAt} colSpan={span > 1 && span < 100 ? span : undefined}>
                    {this.blocks(cell, depth + 1)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    );
  }

  #runs(parent: Element): ReactNode[] {
    return [...parent.children].flatMap((element, key): ReactNode[] => {
      if (element.localName === 'r') return [this.#run(element, key)];
      if (element.localName === 'hyperlink') {
        const target = this.#relations.get(attribute(element, 'id') ?? '');
        const runs = this.#runs(element);
        return target?.isExternal && /^(https?|mailto):/i.test(target.target)
          ? [
              <a key={key} href={target.target} target="_blank" rel="noopener noreferrer nofollow">
                {runs}
              </a>,
            ]
          : runs;
      }
      // Show the text inside tracked insertions (`ins`) and smart tags. Omit tracked deletions and all other elements.
      return element.localName === 'ins' || element.localName === 'smartTag' ? this.#runs(element) : [];
    });
  }

  #run(run: Element, key: number): ReactNode {
    const isOn = (name: string): boolean => {
      const found = childElement(run, 'rPr', name);
      return found !== undefined && !['0', 'false', 'none'].includes(attribute(found, 'val') ?? '');
    };
    let shown: ReactNode = [...run.children].map((element, index) => {
      if (element.localName === 't') return element.textContent;
      if (element.localName === 'tab') return ' ';
      if (element.localName === 'br') return <br key={index} />;
      if (element.localName === 'drawing') return this.#picture(element, index);
      return null;
    });
    if (isOn('b')) shown = <strong>{shown}</strong>;
    if (isOn('i')) shown = <em>{shown}</em>;
    if (isOn('strike')) shown = <s>{shown}</s>;
    return <span key={key}>{shown}</span>;
  }

  #picture(drawing: Element, key: number): ReactNode {
    const blip = drawing.getElementsByTagNameNS('*', 'blip')[0];
    const target = this.#relations.get(attribute(blip, 'embed') ?? '')?.target;
    const address = target === undefined ? undefined : this.#file.picture(target);
    const name = attribute(drawing.getElementsByTagNameNS('*', 'docPr')[0], 'descr') ?? '';
    return address === undefined ? null : <img key={key} src={address} alt={name} />;
  }
}
