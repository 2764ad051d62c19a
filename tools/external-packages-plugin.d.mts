import type { Plugin } from 'esbuild';

export const externalPackagesPlugin: Plugin;
