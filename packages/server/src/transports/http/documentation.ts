import type { Module } from '../../kernel/module.ts';

const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #161714); --panel: light-dark(#f6f4ef, #1c1d1a); --raised: light-dark(#ffffff, #232521);
  --line: light-dark(#e4e0d6, #33352f); --ink: light-dark(#22231f, #ebe9e2); --soft: light-dark(#5e5f57, #b1b0a6);
  --accent: light-dark(#2a6049, #86c5a4);
  background: var(--paper); color: var(--ink); scroll-padding-top: 4rem; font: 15px/1.55 ui-sans-serif, system-ui, -apple-system,
    'Segoe UI', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'WenQuanYi Zen Hei', sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; }
nav {
  position: sticky; top: 0; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; padding: 0.75rem 1.5rem;
  background: var(--panel); border-bottom: 1px solid var(--line);
}
nav b { font: 600 1.1rem/1.2 ui-serif, 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Songti SC', serif; margin-right: 0.5rem; }
nav a { color: var(--soft); text-decoration: none; }
nav a:hover { color: var(--accent); }
main { max-width: 64rem; margin: 0 auto; padding: 0.5rem 1.5rem 4rem; }
section { overflow-wrap: break-word; }
h1, h2 { font-family: ui-serif, 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Songti SC', 'Noto Serif CJK SC', serif; line-height: 1.2; }
h1 { font-size: 1.9rem; margin: 3rem 0 0.5rem; }
h2 { font-size: 1.25rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
a { color: var(--accent); }
ul { margin: 0.5rem 0 1.25rem; padding-left: 1.2rem; font-size: 0.9rem; }
li { margin: 0.2rem 0; overflow-wrap: anywhere; }
code { font: 0.87em ui-monospace, Menlo, Consolas, monospace; background: var(--panel); border-radius: 0.3rem; padding: 0.1em 0.3em; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.8rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }`;

/**
 * Renders the documentation of all modules as one HTML page. `pages` contains one Markdown text per module, in the same
 * order. The HTML is not sanitized, because the text is our own.
 */
export async function renderDocumentation(modules: readonly Module[], pages: readonly string[]): Promise<string> {
  const { marked } = await import('marked');
  const nav = modules.map((module) => `<a href="#${module.name}">${module.title}</a>`).join('');
  const sections = await Promise.all(
    pages.map(async (page, index) => `<section id="${modules[index]!.name}">${await marked.parse(page)}</section>`),
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>sheaf: operations</title><style>' +
    `${style}</style></head><body><nav><b>sheaf</b>${nav}<a href="/openapi.json">OpenAPI</a></nav>` +
    `<main>${sections.join('')}</main></body></html>`
  );
}
