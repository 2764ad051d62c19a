/** The first table of a piece of HTML, as texts; undefined when there is none. The HTML is parsed, never shown. */
export function fromHtml(html: string): string[][] | undefined {
  const table = new DOMParser().parseFromString(onlyTables(html), 'text/html').querySelector('table');
  if (!table) return undefined;
  const rows: string[][] = [];
  const taken = new Set<string>();
  [...table.rows].forEach((line, r) => {
    const row: string[] = (rows[r] ??= []);
    let c = 0;
    for (const cell of line.cells) {
      while (taken.has(`${r},${c}`)) row[c++] ??= '';
      row[c] = textOf(cell);
      const down = Math.min(cell.rowSpan || 1, 1000);
      const across = Math.min(cell.colSpan || 1, 1000);
      for (let i = 0; i < down; i++) for (let j = 0; j < across; j++) if (i + j > 0) taken.add(`${r + i},${c + j}`);
      for (let j = 1; j < across; j++) row[c + j] = '';
      c += across;
    }
  });
  const width = Math.max(0, ...rows.map((row) => row.length));
  return width === 0 ? undefined : rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''));
}

const kept = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'br', 'p', 'div', 'li']);

/** Tags that make up a table, without attributes but spans: the rest would only be something for the browser to refuse. */
function onlyTables(html: string): string {
  return html
    .replaceAll(/<(script|style|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(
      /<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi,
      (_, slash: string, name: string, attributes: string) => {
        if (!kept.has(name.toLowerCase())) return '';
        const spans = [...attributes.matchAll(/\b(colspan|rowspan)\s*=\s*["']?(\d{1,5})/gi)].map(
          ([, which, count]) => ` ${which!.toLowerCase()}="${count}"`,
        );
        return `<${slash}${name}${slash === '' ? spans.join('') : ''}>`;
      },
    );
}

function textOf(cell: HTMLElement): string {
  let text = '';
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) text += (node.textContent ?? '').replaceAll(/[\t\r\n ]+/g, ' ');
    else if (node instanceof HTMLElement || node.nodeType === Node.ELEMENT_NODE) {
      const name = (node as Element).tagName;
      if (name === 'BR') text += '\n';
      else if (name !== 'SCRIPT' && name !== 'STYLE') {
        if (/^(P|DIV|LI)$/.test(name) && text !== '' && !text.endsWith('\n')) text += '\n';
        node.childNodes.forEach(walk);
      }
    }
  };
  cell.childNodes.forEach(walk);
  return text
    .replaceAll(' ', ' ')
    .replaceAll(/ *\n */g, '\n')
    .trim();
}
