import type { ConditionalFormat, Comment, MarkList, Marks, Validation } from '../document/objects/marks.ts';
import { checkRegion, rectOf } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { alwaysChanges, besideLater, isAmong } from './facts.ts';
import { added, needIndex } from './lists.ts';
import { defineMutation, type MutationKind, type Touch } from './mutation.ts';

type AnyMark = ConditionalFormat | Validation | Comment;

const words: Record<MarkList, string> = {
  formats: 'conditional format',
  validations: 'validation',
  comments: 'comment',
};

export interface PutMark {
  readonly sheet: string;
  readonly list: MarkList;
  /** One with the same id is replaced. */
  readonly mark: AnyMark;
  /** Its place in the list; where it stands, or the end, when absent. */
  readonly at?: number;
}

/** A mark lies over cells without changing them: who may not change those may not mark them. */
function touchesMark(sub: SubSheet, list: MarkList, id: string, mark?: AnyMark): Touch[] {
  const before = marksOf(sub, list).find((one) => one.id === id);
  return [
    { sheet: sub.id, object: `${words[list]} ${id}` },
    ...[before, mark].flatMap((one) => one?.regions ?? []).map((region) => ({ sheet: sub.id, over: rectOf(region) })),
  ];
}

function marksOf(sub: SubSheet, list: MarkList): readonly AnyMark[] {
  return sub[list];
}

function replace(sub: SubSheet, list: MarkList, marks: readonly AnyMark[]): void {
  sub.restore({ [list]: marks } as Partial<Marks>);
}

export const putMark: MutationKind<PutMark> = defineMutation({
  type: 44,
  name: 'put_mark',
  scope: 'objects',
  touches: ({ sheet, list, mark }, document) => touchesMark(document.subSheet(sheet), list, mark.id, mark),
  place: ({ sheet, mark }) => mark.regions.map((region) => ({ sheet, rect: rectOf(region) })),
  isNoOp: ({ sheet, list, mark, at }, document) =>
    at === undefined && isAmong(marksOf(document.subSheet(sheet), list), mark),
  beside: besideLater,
  apply: (document, { sheet, list, mark, at }) => {
    const sub = document.subSheet(sheet);
    if (!(list in words)) throw new RangeError(`list: there is no list '${String(list)}'`);
    if (mark.regions.length === 0) throw new RangeError('mark.regions: at least one is needed');
    for (const region of mark.regions) checkRegion(region, 'mark.regions');
    const marks = marksOf(sub, list);
    const index = marks.findIndex((one) => one.id === mark.id);
    const before = marks[index];
    if (!before) {
      replace(sub, list, added(marks, mark, at, words[list]));
      return [removeMark.of({ sheet, list, id: mark.id })];
    }
    const to = at ?? index;
    replace(sub, list, marks.toSpliced(index, 1).toSpliced(to, 0, mark));
    return [putMark.of({ sheet, list, mark: before, ...(to === index ? {} : { at: index }) })];
  },
});

export interface RemoveMark {
  readonly sheet: string;
  readonly list: MarkList;
  readonly id: string;
}

export const removeMark: MutationKind<RemoveMark> = defineMutation({
  type: 45,
  name: 'remove_mark',
  scope: 'objects',
  touches: ({ sheet, list, id }, document) => touchesMark(document.subSheet(sheet), list, id),
  place: () => [],
  isNoOp: alwaysChanges,
  beside: besideLater,
  apply: (document, { sheet, list, id }) => {
    const sub = document.subSheet(sheet);
    const marks = marksOf(sub, list);
    const at = needIndex(marks, id, words[list]);
    replace(sub, list, marks.toSpliced(at, 1));
    return [putMark.of({ sheet, list, mark: marks[at] as AnyMark, at })];
  },
});
