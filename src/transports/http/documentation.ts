import type { Module } from '../../operation/module.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; font-size: 0.9rem; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
code { font-size: 0.9em; }
h1 { margin-top: 3rem; } h2 { border-top: 1px solid var(--line); padding-top: 1rem; }
nav a { margin-right: 1rem; }`;

/** The Markdown pages of all modules as one page. Our own text only, so its HTML is trusted. */
export async function documentationHtml(modules: readonly Module[], pages: readonly string[]): Promise<string> {
  const { marked } = await import('marked');
  const nav = modules.map((module) => `<a href="#${module.name}">${module.title}</a>`).join('');
  const sections = await Promise.all(
    pages.map(async (page, index) => `<section id="${modules[index]!.name}">${await marked.parse(page)}</section>`),
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>sheaf: operations</title><style>' +
    `${style}</style></head><body><nav>${nav}<a href="/openapi.json">OpenAPI</a></nav>` +
    `${sections.join('')}</body></html>`
  );
}
