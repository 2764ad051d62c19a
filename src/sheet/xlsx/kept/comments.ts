import { type Carried, type Comment, regionOf } from '../../engine/document.ts';
import { parseRect } from '../../engine/index.ts';
import type { Relation } from '../read-xml.ts';
import { main, xmlEscape } from '../xml-text.ts';
import { hole } from './holes.ts';
import type { Keeper } from './keeper.ts';
import { childrenNamed, parseXml, printXml, scopeOf, textOf, type XmlElement } from './xml-tree.ts';

const threads = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';

/** Comments of a sheet, each for itself: with its author, and how large its box is drawn. */
export function readComments(
  xml: string,
  { kind, target }: Relation,
  drawn: string | undefined,
  keeper: Keeper,
  put: (one: Carried) => void,
  putNote?: (note: Comment) => void,
): void {
  const root = parseXml(xml, target);
  if (!root) return;
  const scope = scopeOf(root);
  const isThread = kind === 'threadedComment';
  const authors = childrenNamed(root, 'authors').flatMap((list) => childrenNamed(list, 'author').map(textOf));
  const boxes = drawn === undefined ? new Map<string, string>() : boxesOf(drawn);
  const list = isThread
    ? childrenNamed(root, 'threadedComment')
    : childrenNamed(root, 'commentList').flatMap((one) => childrenNamed(one, 'comment'));
  for (const [index, comment] of list.entries()) {
    const rect = parseRect(comment.attributes.get('ref') ?? '');
    if (!rect) continue;
    const author = authors[Number(comment.attributes.get('authorId'))] ?? '';
    const [said] = childrenNamed(comment, 'text');
    if (putNote && !isThread && said) {
      const box = boxes.get(`${rect.top} ${rect.left}`);
      putNote({
        id: `comment_${index + 1}`,
        regions: [regionOf({ ...rect, bottom: rect.top, right: rect.left })],
        entries: [{ id: 'entry_1', author, at: 0, text: wordsOf(said) }],
        note: true,
        ...(box === undefined ? {} : { box }),
        kept: printXml(said, scope, main),
      });
      continue;
    }
    comment.attributes.delete('shapeId');
    const printed = printXml(comment, scope, isThread ? threads : main, {
      attribute: (one, name) => {
        if (one !== comment) return undefined;
        if (name === 'ref') return hole('q', 0);
        return name === 'authorId' ? hole('d', 0) : undefined;
      },
    });
    const box = boxes.get(`${rect.top} ${rect.left}`);
    const text = keeper.text({
      xml: printed,
      ...(isThread ? {} : { pieces: [xmlEscape(author), ...(box === undefined ? [] : [box])] }),
    });
    if (text !== undefined)
      put({
        kind: isThread ? 'threadedComment' : 'comment',
        text,
        regions: [regionOf({ ...rect, bottom: rect.top, right: rect.left })],
      });
  }
}

/** The text of a note without its looks; how it is read aloud is no part of it. */
function wordsOf(said: XmlElement): string {
  const runs = childrenNamed(said, 'r').flatMap((one) => childrenNamed(one, 't'));
  return [...childrenNamed(said, 't'), ...runs].map(textOf).join('');
}

/** Where the boxes of notes stand, counted from their cells, and whether they are always shown. The old drawings are often no XML. */
function boxesOf(drawn: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, data = ''] of drawn.matchAll(
    /<x:ClientData\b[^>]*ObjectType="Note"[^>]*>([\s\S]{0,5000}?)<\/x:ClientData>/g,
  )) {
    const row = Number(/<x:Row>\s*(\d+)\s*<\/x:Row>/.exec(data)?.[1] ?? Number.NaN);
    const col = Number(/<x:Column>\s*(\d+)\s*<\/x:Column>/.exec(data)?.[1] ?? Number.NaN);
    const anchor = (/<x:Anchor>([\s\d,-]{1,200})<\/x:Anchor>/.exec(data)?.[1] ?? '').split(',').map(Number);
    if (anchor.length !== 8 || !anchor.every(Number.isInteger) || !(row >= 0) || !(col >= 0)) continue;
    const [left = 0, a, top = 0, b, right = 0, c, bottom = 0, d] = anchor;
    const box = [left - col, a, top - row, b, right - col, c, bottom - row, d].join(',');
    found.set(`${row} ${col}`, `${box}${/<x:Visible\s*\/?>/.test(data) ? ',1' : ''}`);
  }
  return found;
}
