import type { SheetSession } from '../sheet-session.ts';
import { pageCssRule, printScale, type PageSetup } from './page-setup.ts';
import { buildPrintTable } from './build-print-table.ts';

let shown: { readonly root: HTMLElement; readonly sheet: CSSStyleSheet } | undefined;

/**
 * Renders a sub-sheet (tab) for printing and opens the browser's print dialog. Returns false if there is nothing to
 * print.
 */
export async function printSheet(session: SheetSession, tab: string, name: string, setup: PageSetup): Promise<boolean> {
  const printed = await buildPrintTable(session, tab, setup);
  if (!printed) return false;
  removePrinted();
  // Element with the content to print. Print styles hide the rest of the page.
  const root = document.createElement('main');
  root.id = 'print-root';
  root.classList.toggle('print-center', setup.options.includes('center_across'));
  printed.table.style.zoom = String(printScale(setup, printed));
  printed.table.style.width = `${printed.width}px`;
  root.append(title(session.info.get().title), printed.table);
  document.body.append(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(pageCssRule(setup, { title: session.info.get().title, sheet: name }));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  shown = { root, sheet };
  window.addEventListener('afterprint', removePrinted, { once: true });
  window.print();
  return true;
}

/** Returns a heading for screen readers. It is not visible on paper, because the page header can show the title. */
function title(text: string): HTMLElement {
  const heading = document.createElement('h1');
  heading.className = 'sr-only';
  heading.textContent = text;
  return heading;
}

function removePrinted(): void {
  if (!shown) return;
  const { root, sheet } = shown;
  shown = undefined;
  root.remove();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
}
