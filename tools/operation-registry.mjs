import { useBundled } from './bundle-module.mjs';

const contents = `
  export { modules } from '@sheaf/server/modules.ts';
  export { renderModuleMarkdown } from '@sheaf/server/kernel/markdown-docs.ts';
  export { generateClientOperations } from '@sheaf/server/kernel/typescript-client.ts';`;

/** Loads the operation registry and its documentation from the sources. */
export function loadRegistry() {
  return useBundled({ contents }, async (registry) => registry);
}
