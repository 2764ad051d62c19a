import { createHash } from 'node:crypto';

const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfcfa, #161714); --raised: light-dark(#ffffff, #232521); --line: light-dark(#e4e0d6, #33352f);
  --ink: light-dark(#22231f, #ebe9e2); --soft: light-dark(#5e5f57, #b1b0a6); --accent: light-dark(#2a6049, #86c5a4);
  --accent-ink: light-dark(#ffffff, #10231a); --warn: light-dark(#835411, #e3b667); --warn-soft: light-dark(#f9efdb, #3b301b);
  background: var(--paper); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, 'Segoe UI',
    'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'WenQuanYi Zen Hei', sans-serif;
}
[data-theme='light'] { color-scheme: light; }
[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; margin: 0; }
body { min-height: 100vh; display: flex; align-items: center; justify-content: center; padding: 2.5rem 1rem; }
main { width: 100%; max-width: 24rem; display: flex; flex-direction: column; gap: 1.5rem; }
header { display: flex; flex-direction: column; align-items: center; gap: 0.75rem; text-align: center; }
h1 { font: 600 1.875rem/1.2 ui-serif, 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Songti SC', 'Noto Serif CJK SC', serif; }
header p { color: var(--soft); }
rect { fill: var(--accent); }
path { fill: none; stroke: var(--accent-ink); stroke-width: 2.4; stroke-linecap: round; }
form { display: flex; flex-direction: column; gap: 1rem; padding: 1.5rem; background: var(--raised); border: 1px solid var(--line); border-radius: 1rem; }
form p { overflow-wrap: anywhere; }
.warn { padding: 0.75rem 1rem; border-radius: 0.75rem; background: var(--warn-soft); color: var(--warn); }
button {
  padding: 0.5rem 1rem; border: 0; border-radius: 0.5rem; background: var(--accent); color: var(--accent-ink);
  font: inherit; font-weight: 500; cursor: pointer;
}
button.quiet { background: none; color: var(--soft); border: 1px solid var(--line); }
.buttons { display: flex; flex-direction: row-reverse; gap: 0.75rem; }
.buttons button { flex: 1; }
fieldset { border: 0; padding: 0; display: flex; flex-direction: column; }
legend { padding: 0 0 0.25rem; color: var(--soft); font-size: 0.875rem; }
.row { display: flex; justify-content: space-between; gap: 0.75rem; padding: 0.4rem 0; border-bottom: 1px solid var(--line); }
.row label { display: inline-flex; gap: 0.35rem; align-items: center; margin-left: 0.75rem; cursor: pointer; }
.row input { accent-color: var(--accent); }
.small { color: var(--soft); font-size: 0.875rem; }
code { font: 0.9em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); text-align: center; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
html:lang(zh) .en, html:not(:lang(zh)) .zh { display: none; }
`;

/**
 * Returns the headers of a server-rendered page. Its Content-Security-Policy permits scripts only from this server; the
 * page has one, which sets language and colors. `targets` are additional sources that forms may redirect to, because
 * browsers apply `form-action` to redirects too.
 */
export function serverPageHeaders(targets: readonly string[] = []): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "img-src 'self'",
      `form-action ${["'self'", ...targets].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    // Do not use `no-referrer`. Browsers would then send forms with a null origin, and our origin check would fail.
    'referrer-policy': 'same-origin',
  };
}

/** Renders an HTML page in the style of the web app. `body` is HTML and `languages` is the Accept-Language header. */
export function renderServerPage(body: string, languages: string | undefined): string {
  return `<!doctype html>
<html lang="${prefersChinese(languages) ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>sheaf</title><link rel="icon" href="/favicon.svg"><script src="/theme.js"></script><style>${style}</style></head>
<body><main><header>
<svg width="44" height="44" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/>
<path d="M16 26V7M16 19c-4-1-7-4-7-9M16 19c4-1 7-4 7-9M11 21h10"/></svg>
<h1>sheaf</h1><p>${bilingual('Knowledge bases, notes and spreadsheets that people and agents share.', '人与智能体共享的知识库、笔记和表格。')}</p></header>
${body}</main></body></html>
`;
}

/**
 * Renders a text in English and in Chinese; both are given as HTML. CSS shows only the one that matches the document's
 * language.
 */
export function bilingual(english: string, chinese: string): string {
  return `<span class="en" lang="en">${english}</span><span class="zh" lang="zh-CN">${chinese}</span>`;
}

/** Returns whether Chinese comes before English in the Accept-Language header. */
function prefersChinese(languages: string | undefined): boolean {
  const listed = (languages ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  const first = listed.find((one) => one.startsWith('zh') || one.startsWith('en'));
  return first?.startsWith('zh') ?? false;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
