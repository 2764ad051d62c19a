import { canonical, descendants, find, plain, type Node, type RawBook, type RawSheet } from './book.ts';
import { chartsOn } from './charts.ts';

/** Something a file has, under a key by which it is found again in another. */
export type Found = Map<string, string>;

export interface Feature {
  readonly name: string;
  /** What a file has of it. Looks are asked at the cells that `at` gives, which are those of the file that came in. */
  find(book: RawBook, at: RawBook): Found;
}

/** Those of finding X4, in its order; macros are looked for in the warnings instead. */
export const features: readonly Feature[] = [
  {
    name: 'document properties',
    find: (book) => {
      const found: Found = new Map();
      for (const { kind, target } of book.relationsOf('').values()) {
        if (!/(?:core|extended|custom)-properties$/.test(kind)) continue;
        for (const one of book.tree(target).children)
          // Programs write who they are and count parts anew.
          if (
            !['TitlesOfParts', 'HeadingPairs', 'Application', 'AppVersion', 'DocSecurity', 'modified'].includes(
              one.name,
            )
          )
            found.set(`${kind} ${one.name} ${one.attributes['name'] ?? ''}`, canonical(one, ['pid']));
      }
      return found;
    },
  },
  {
    name: 'theme',
    find: (book) => part(book, 'theme', (node) => canonical(node)),
  },
  {
    name: 'default sizes',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { attributes } of find(sheet.root, 'sheetFormatPr'))
          for (const key of ['baseColWidth', 'defaultColWidth', 'defaultRowHeight', 'zeroHeight'])
            if (attributes[key] !== undefined) add(key, String(Number(attributes[key])));
      }),
  },
  { name: 'page setup', find: (book) => elements(book, 'pageSetup', 'pageMargins') },
  {
    name: 'named styles',
    find: (book, at) => {
      const found: Found = new Map();
      const bases = find(book.styles, 'cellStyleXfs', 'xf');
      const byBase = new Map<string, string>();
      for (const one of find(book.styles, 'cellStyles', 'cellStyle')) {
        const base = bases[Number(one.attributes['xfId'])];
        // Whatever a language calls it, the usual style is none.
        if (one.attributes['builtinId'] !== '0') byBase.set(one.attributes['xfId'] ?? '', one.attributes['name'] ?? '');
        found.set(`style ${one.attributes['name']}`, base ? lookOf(book, base) : '');
      }
      const looks = find(book.styles, 'cellXfs', 'xf').map(
        ({ attributes }) => byBase.get(attributes['xfId'] ?? '0') ?? '',
      );
      atCells(book, at, found, (look) => looks[look] ?? '');
      return found;
    },
  },
  { name: 'headers and footers', find: (book) => elements(book, 'headerFooter') },
  {
    name: 'print options and areas',
    find: (book) => {
      const found = elements(book, 'printOptions');
      for (const { attributes, text } of find(book.workbook, 'definedNames', 'definedName')) {
        if (!/^_xlnm\.Print_/i.test(attributes['name'] ?? '')) continue;
        const sheet = book.sheets[Number(attributes['localSheetId'])]?.name ?? '';
        found.set(`${sheet} ${attributes['name']}`, text.replaceAll("'", ''));
      }
      return found;
    },
  },
  {
    name: 'tables',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { kind, target } of sheet.relations.values()) {
          if (kind !== 'table') continue;
          const table = book.tree(target);
          const style = find(table, 'tableStyleInfo').map((one) => canonical(one));
          const columns = find(table, 'tableColumns', 'tableColumn').map(
            ({ attributes }) => `${attributes['name']} ${attributes['totalsRowFunction'] ?? ''}`,
          );
          const { displayName, ref, totalsRowCount = '0', headerRowCount = '1' } = table.attributes;
          add(`table ${displayName}`, [ref, totalsRowCount, headerRowCount, ...style, ...columns].join('|'));
        }
      }),
  },
  {
    name: 'conditional formats',
    find: (book) => {
      const formats = find(book.styles, 'dxfs', 'dxf').map((one) => canonical(one));
      const rule = (node: Node): string =>
        canonical(node, ['dxfId']) + (formats[Number(node.attributes['dxfId'] ?? -1)] ?? '');
      return each(book, (sheet, add) => {
        let number = 0;
        // Their order is that of their priorities, wherever they stand in the file; of equal ones the first comes first.
        const rules = find(sheet.root, 'conditionalFormatting')
          .flatMap((block) => find(block, 'cfRule').map((one) => ({ range: block.attributes['sqref'], one })))
          .sort((a, b) => Number(a.one.attributes['priority']) - Number(b.one.attributes['priority']));
        rules.forEach(({ range, one }, place) => add(`rule ${place + 1} on ${range}`, rule(one)));
        for (const block of descendants(sheet.root, 'conditionalFormatting'))
          if (block.attributes['sqref'] === undefined) add(`extension ${++number}`, canonical(block));
      });
    },
  },
  {
    name: 'comments and threads',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { kind, target } of sheet.relations.values()) {
          if (kind !== 'comments' && kind !== 'threadedComment') continue;
          const tree = book.tree(target);
          const authors = find(tree, 'authors', 'author').map((one) => one.text);
          for (const one of [...find(tree, 'commentList', 'comment'), ...find(tree, 'threadedComment')]) {
            const text =
              one.name === 'comment'
                ? plain(one)
                : find(one, 'text')
                    .map((inner) => inner.text)
                    .join('');
            const author = authors[Number(one.attributes['authorId'])] ?? one.attributes['dT'] ?? '';
            add(`${kind} ${one.attributes['ref']} ${one.attributes['id'] ?? ''}`, `${author}: ${text}`);
          }
        }
      }),
  },
  { name: 'gridlines off', find: (book) => view(book, 'showGridLines', (value) => value === '0' || value === 'false') },
  { name: 'zoom', find: (book) => view(book, 'zoomScale', (value) => value !== '100') },
  {
    name: 'hidden sheets',
    find: (book) => new Map(book.sheets.filter((one) => one.state !== 'visible').map((one) => [one.name, one.state])),
  },
  {
    name: 'shapes',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const anchor of anchors(book, sheet))
          for (const one of anchor.children)
            if (['sp', 'grpSp', 'cxnSp'].includes(one.name) || (one.name === 'graphicFrame' && !hasChart(one)))
              add(`shape ${descendants(one, 'cNvPr')[0]?.attributes['name']}`, canonical(one));
      }),
  },
  {
    name: 'pattern fills',
    find: (book, at) => {
      const fills = find(book.styles, 'fills', 'fill').map((one) => {
        const kind = find(one, 'patternFill')[0]?.attributes['patternType'];
        const special = find(one, 'gradientFill').length > 0 || (kind && !['none', 'solid'].includes(kind));
        return special ? (find(one, 'gradientFill').length > 0 ? canonical(one) : kind!) : '';
      });
      return looks(book, at, (xf) => fills[Number(xf.attributes['fillId'] ?? 0)] ?? '');
    },
  },
  { name: 'indent', find: (book, at) => looks(book, at, (xf) => aligned(xf, 'indent')) },
  {
    name: 'data validation',
    find: (book) =>
      each(book, (sheet, add) => {
        let number = 0;
        for (const one of descendants(sheet.root, 'dataValidation'))
          add(
            `validation ${++number}`,
            canonical(one, [
              ...(one.attributes['operator'] === 'between' ? ['operator'] : []),
              // The attribute hides the list; saying that it does not is saying nothing.
              ...(['0', 'false'].includes(one.attributes['showDropDown'] ?? '') ? ['showDropDown'] : []),
            ]),
          );
      }),
  },
  {
    name: 'external links',
    find: (book) => {
      const found: Found = new Map();
      find(book.workbook, 'externalReferences', 'externalReference').forEach(({ attributes }, i) => {
        const target = book.relations.get(attributes['r:id'] ?? '')?.target;
        if (target === undefined) return;
        found.set(`link ${i + 1}`, canonical(book.tree(target)));
        found.set(`address ${i + 1}`, [...book.relationsOf(target).values()].map((one) => one.target).join(' '));
      });
      return found;
    },
  },
  {
    name: 'tab color',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const one of find(sheet.root, 'sheetPr', 'tabColor')) add('tab', canonical(one));
      }),
  },
  {
    name: 'chart sheets',
    find: (book) =>
      new Map(
        book.sheets
          .filter((one) => one.kind === 'chartsheet')
          .map((one) => [
            one.name,
            chartsOn(book, one)
              .map(({ facts }) => facts)
              .join(),
          ]),
      ),
  },
  {
    name: 'outline groups',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const [row, { outlineLevel, collapsed }] of sheet.rows)
          if (Number(outlineLevel ?? 0) > 0 || on(collapsed) === '1')
            add(`row ${row}`, `${outlineLevel ?? 0} ${on(collapsed)}`);
        for (const { attributes } of find(sheet.root, 'cols', 'col'))
          if (Number(attributes['outlineLevel'] ?? 0) > 0 || on(attributes['collapsed']) === '1')
            for (let col = Number(attributes['min']); col <= Math.min(Number(attributes['max']), 1000); col++)
              add(`column ${col}`, `${attributes['outlineLevel'] ?? 0} ${on(attributes['collapsed'])}`);
      }),
  },
  { name: 'text rotation', find: (book, at) => looks(book, at, (xf) => aligned(xf, 'textRotation')) },
  {
    name: 'page breaks',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const kind of ['rowBreaks', 'colBreaks'])
          for (const { attributes } of find(sheet.root, kind, 'brk'))
            add(`${kind} ${attributes['id']}`, on(attributes['man']));
      }),
  },
  {
    name: 'workbook protection',
    find: (book) => {
      const found: Found = new Map();
      for (const one of [...find(book.workbook, 'workbookProtection'), ...find(book.workbook, 'fileSharing')])
        found.set(one.name, canonical(one));
      return found;
    },
  },
  {
    name: 'iterative calculation',
    find: (book) => {
      const found: Found = new Map();
      for (const { attributes } of find(book.workbook, 'calcPr'))
        if (on(attributes['iterate']) === '1')
          found.set('iterate', `${attributes['iterateCount'] ?? '100'} ${attributes['iterateDelta'] ?? '0.001'}`);
      return found;
    },
  },
];

/** What findings X5 to X7 speak of. */
export const others: readonly Feature[] = [
  {
    name: 'charts',
    find: (book) =>
      each(book, (sheet, add) => {
        if (sheet.kind === 'worksheet') chartsOn(book, sheet).forEach(({ facts }, i) => add(`chart ${i + 1}`, facts));
      }),
  },
  {
    name: 'fonts',
    find: (book, at) => {
      const fonts = find(book.styles, 'fonts', 'font').map((font) =>
        ['name', 'sz', 'b', 'i']
          .map((name) =>
            find(font, name)
              .map(({ attributes }) => attributes['val'] ?? '1')
              .join(),
          )
          .join(' '),
      );
      return looks(book, at, (xf) => fonts[Number(xf.attributes['fontId'] ?? 0)] ?? '');
    },
  },
  {
    name: 'pictures',
    find: (book) =>
      each(book, (sheet, add) => {
        anchors(book, sheet)
          .filter((one) => find(one, 'pic').length > 0)
          .forEach((_, i) => add(`picture ${i + 1}`, ''));
      }),
  },
  {
    name: 'pivot tables',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { kind, target } of sheet.relations.values())
          if (kind === 'pivotTable') {
            const table = book.tree(target);
            add(`pivot table ${table.attributes['name']}`, find(table, 'location')[0]?.attributes['ref'] ?? '');
          }
      }),
  },
  {
    name: 'filters',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const one of find(sheet.root, 'autoFilter')) add('filter', canonical(one));
      }),
  },
  {
    name: 'names',
    find: (book) => {
      const found: Found = new Map();
      for (const { attributes, text } of find(book.workbook, 'definedNames', 'definedName')) {
        if (/^_xlnm\./i.test(attributes['name'] ?? '')) continue;
        const local = attributes['localSheetId'];
        const sheet = local === undefined ? '' : (book.sheets[Number(local)]?.name ?? '');
        found.set(`${sheet} ${attributes['name']}`, text.replaceAll(/['\s]/g, ''));
      }
      return found;
    },
  },
  {
    name: 'links',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { attributes } of find(sheet.root, 'hyperlinks', 'hyperlink')) {
          const target = sheet.relations.get(attributes['r:id'] ?? '')?.target ?? '';
          add(`link ${attributes['ref']}`, `${target}#${attributes['location'] ?? ''}`.replaceAll("'", ''));
        }
      }),
  },
  {
    name: 'merges',
    find: (book) =>
      each(book, (sheet, add) => {
        for (const { attributes } of find(sheet.root, 'mergeCells', 'mergeCell')) add(attributes['ref'] ?? '', '');
      }),
  },
];

function on(value: string | undefined): string {
  return value === '1' || value === 'true' ? '1' : '0';
}

function each(book: RawBook, visit: (sheet: RawSheet, add: (key: string, value: string) => void) => void): Found {
  const found: Found = new Map();
  for (const sheet of book.sheets) visit(sheet, (key, value) => void found.set(`${sheet.name}: ${key}`, value));
  return found;
}

function elements(book: RawBook, ...names: string[]): Found {
  return each(book, (sheet, add) => {
    for (const name of names) for (const one of find(sheet.root, name)) add(name, canonical(one));
  });
}

function view(book: RawBook, attribute: string, isSpecial: (value: string) => boolean): Found {
  return each(book, (sheet, add) => {
    const value = find(sheet.root, 'sheetViews', 'sheetView')[0]?.attributes[attribute];
    if (value !== undefined && isSpecial(value)) add(attribute, value === 'false' ? '0' : value);
  });
}

function part(book: RawBook, kind: string, read: (node: Node) => string): Found {
  const target = [...book.relations.values()].find((one) => one.kind === kind)?.target;
  return new Map(target !== undefined && book.bytes(target) ? [[kind, read(book.tree(target))]] : []);
}

function aligned(xf: Node, key: string): string {
  const value = find(xf, 'alignment')[0]?.attributes[key] ?? '0';
  return value === '0' ? '' : value;
}

function lookOf(book: RawBook, xf: Node): string {
  const piece = (list: string, item: string, id: string): string => {
    const node = find(book.styles, list, item)[Number(xf.attributes[id] ?? 0)];
    return node ? canonical(node) : '';
  };
  return piece('fonts', 'font', 'fontId') + piece('fills', 'fill', 'fillId') + piece('borders', 'border', 'borderId');
}

function looks(book: RawBook, at: RawBook, read: (xf: Node) => string): Found {
  const values = find(book.styles, 'cellXfs', 'xf').map(read);
  const found: Found = new Map();
  atCells(book, at, found, (look) => values[look] ?? '');
  return found;
}

function atCells(book: RawBook, at: RawBook, found: Found, read: (look: number) => string): void {
  for (const sheet of at.sheets) {
    const own = book === at ? sheet : book.sheets.find((one) => one.name === sheet.name);
    if (!own) continue;
    for (const ref of sheet.cells.keys()) {
      const value = read(book.lookAt(own, ref));
      if (value !== '') found.set(`${sheet.name}!${ref}`, value);
    }
  }
}

function anchors(book: RawBook, sheet: RawSheet): Node[] {
  return [...sheet.relations.values()]
    .filter((one) => one.kind === 'drawing')
    .flatMap(({ target }) => book.tree(target).children);
}

function hasChart(node: Node): boolean {
  return descendants(node, 'chart').length > 0;
}
