/** Public entry for mutations, the only way to change a document. */
export * from './mutations/index.ts';
export { CutsArray } from './mutations/array-formula-checks.ts';
export { CutsMerge } from './mutations/merge-split-error.ts';
export { type RestoreStyles, keepStyles } from './mutations/restore-styles.ts';
export { type SetBorder } from './mutations/set-border.ts';
