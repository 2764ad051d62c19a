/** The door to mutations: the only things that change a document. */
export * from './mutations/index.ts';
export { CutsMerge } from './mutations/cuts-merge.ts';
export { type MoveDimension } from './mutations/move-dimension.ts';
export { type RestoreStyles } from './mutations/restore-styles.ts';
export { type SetBorder, linesOf } from './mutations/set-border.ts';
export { type SetRangeBlock } from './mutations/set-range-block.ts';
export { type SetValues } from './mutations/set-values.ts';
export { keepStyles } from './mutations/support.ts';
