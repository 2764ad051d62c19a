import { account } from './account/index.ts';
import type { Module } from './operation/module.ts';

/** Every module of the product. A new one is added here and nowhere else. */
export const modules = { account } as const satisfies Record<string, Module>;

export type Modules = typeof modules;
