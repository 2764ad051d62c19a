// Shows cells that sheet_read returned, and reads on where it ended.
import { act, callTool, connect, dataOf, element, render, status } from './bridge.js';

const number = /^[-+]?[\d.,]+%?$/;

function columnName(index) {
  return index < 26
    ? String.fromCodePoint(65 + index)
    : columnName(Math.floor(index / 26) - 1) + String.fromCodePoint(65 + (index % 26));
}

function columnIndex(letters) {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.codePointAt(0) - 64, 0) - 1;
}

function rowsIn(data, body, left) {
  for (const [row, cells] of Object.entries(data.rows ?? {}).toSorted(([one], [other]) => one - other)) {
    const shown = cells.map((cell) => {
      const text = cell === null ? '' : String(cell);
      return element('td', number.test(text) ? { class: 'number' } : {}, text);
    });
    body.append(element('tr', {}, element('th', { scope: 'row' }, row), ...shown));
    left.width = Math.max(left.width, cells.length);
  }
}

connect((result, input) => {
  let data = dataOf(result);
  const [, letters = 'A'] = /^(?:.*!)?\$?([A-Z]+)/.exec(data.range ?? '') ?? [];
  const columns = { first: columnIndex(letters), width: 0 };
  const heading = element('h1', {}, data.range ?? '');
  const head = element('thead');
  const body = element('tbody');
  const more = element(
    'button',
    {
      type: 'button',
      onclick: () =>
        act(more, async () => {
          data = dataOf(await callTool('sheet_read', { ...input, range: data.next }));
          show();
          more.disabled = false;
        }),
    },
    'More rows',
  );
  function show() {
    rowsIn(data, body, columns);
    const names = Array.from({ length: columns.width }, (_, i) =>
      element('th', { scope: 'col' }, columnName(columns.first + i)),
    );
    head.replaceChildren(element('tr', {}, element('td', {}), ...names));
    more.hidden = data.next === undefined;
    status.textContent = data.next === undefined ? '' : `Next: ${data.next}`;
  }
  const scroll = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Cells' });
  scroll.append(element('table', {}, head, body));
  render(heading, scroll, element('div', { class: 'actions' }, more));
  show();
});
