import type { App } from '../../app.ts';
import { markdownPage } from '../../operation/describe.ts';

const prefix = 'sheaf://docs/';

/** The documentation of each module, for agents that read before they call. It never changes while the server runs. */
export function listResources(app: App): unknown[] {
  return app.registry.modules.map((module) => ({
    uri: `${prefix}${module.name}`,
    name: module.name,
    title: module.title,
    description: `Every operation of ${module.name} with its fields and error numbers.`,
    mimeType: 'text/markdown',
  }));
}

export function readResource(app: App, uri: string): unknown {
  const module = uri.startsWith(prefix) ? app.registry.module(uri.slice(prefix.length)) : undefined;
  if (!module) return undefined;
  return { contents: [{ uri, mimeType: 'text/markdown', text: markdownPage(module) }] };
}
