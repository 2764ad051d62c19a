import { account } from './account/index.ts';
import { note } from './note/index.ts';
import type { Module } from './operation/module.ts';
import { wiki } from './wiki/index.ts';

/** Every module of the product. A new one is added here and nowhere else. */
export const modules = { account, note, wiki } as const satisfies Record<string, Module>;

export type Modules = typeof modules;
