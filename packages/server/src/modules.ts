import { account } from './account/index.ts';
import { manage } from './manage/index.ts';
import { note } from './note/index.ts';
import type { Module } from './operation/module.ts';
import { sheet } from './sheet/index.ts';
import { wiki } from './wiki/index.ts';

/** All modules of the product; a new module is registered here only. */
export const modules = { account, note, wiki, sheet, manage } as const satisfies Record<string, Module>;

export type Modules = typeof modules;
