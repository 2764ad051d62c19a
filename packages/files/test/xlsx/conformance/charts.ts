import { descendants, find, plain, type Node, type RawBook, type RawSheet } from './book.ts';

/** A chart as a file has it. */
export interface RawChart {
  /** The file's word for its kind, with how it stands and stacks. */
  readonly kind: string;
  /** Kind, title and series. */
  readonly facts: string;
}

/** The charts of a sheet in the order of its drawing; what programs show that do not know one is none. */
export function chartsOn(book: RawBook, sheet: RawSheet): RawChart[] {
  return [...sheet.relations.values()]
    .filter((one) => one.kind === 'drawing')
    .flatMap(({ target }) => {
      const relations = book.relationsOf(target);
      const tree = book.tree(target);
      const instead = new Set(descendants(tree, 'Fallback').flatMap((one) => descendants(one, 'chart')));
      return descendants(tree, 'chart').flatMap((one) => {
        const chart = instead.has(one) ? undefined : relations.get(one.attributes['r:id'] ?? '')?.target;
        return chart === undefined ? [] : [factsOf(book.tree(chart))];
      });
    });
}

function factsOf(chart: Node): RawChart {
  const plot = find(chart, 'chart', 'plotArea')[0];
  const groups = (plot?.children ?? []).filter((one) => one.name.endsWith('Chart'));
  const title = `title ${find(chart, 'chart', 'title').map(plain).join('')}`;
  const newer = descendants(chart, 'series');
  if (groups.length === 0 && newer.length > 0) {
    const kind = newer.map(({ attributes }) => attributes['layoutId'] ?? '').join(' + ');
    return { kind, facts: [title, kind, ...formulas(chart)].join(' | ') };
  }
  const kinds = groups.map((group) => {
    const value = (name: string): string => find(group, name)[0]?.attributes['val'] ?? '';
    return `${group.name} ${value('barDir')} ${value('grouping')}`.replaceAll(/ +/g, ' ').trim();
  });
  const series = groups.map((group) =>
    find(group, 'ser').map((one) =>
      ['tx', 'cat', 'xVal', 'val', 'yVal', 'bubbleSize'].flatMap((name) => find(one, name).flatMap(formulas)).join(' '),
    ),
  );
  return {
    kind: kinds.join(' + '),
    facts: [title, ...kinds.map((kind, i) => `${kind} [${series[i]!.join('; ')}]`)].join(' | '),
  };
}

function formulas(node: Node): string[] {
  return descendants(node, 'f').map((one) => one.text.replaceAll("'", ''));
}

/** What became of the charts of a workbook. */
export interface ChartReport {
  readonly sheet: string;
  readonly kind: string;
  /** On the same sheet, with kind, series and titles as they were. */
  readonly isKept: boolean;
}

export function compareCharts(before: RawBook, after: RawBook): ChartReport[] {
  return before.sheets.flatMap((sheet) => {
    const again = after.sheets.find((one) => one.name === sheet.name);
    const left = again ? chartsOn(after, again).map(({ facts }) => facts) : [];
    return chartsOn(before, sheet).map(({ kind, facts }) => {
      const place = left.indexOf(facts);
      if (place >= 0) left.splice(place, 1);
      return { sheet: sheet.name, kind, isKept: place >= 0 };
    });
  });
}

/** By kind, and how many of all are drawn here; a warning names the others. */
export function chartLines(
  reports: readonly { charts: readonly ChartReport[]; drawn: number; warned: number }[],
): string[] {
  const charts = reports.flatMap((one) => one.charts);
  if (charts.length === 0) return ['no charts'];
  const sum = (pick: 'drawn' | 'warned'): number => reports.reduce((total, one) => total + one[pick], 0);
  const kinds = [...new Set(charts.map(({ kind }) => kind))].sort();
  return [
    `${'chart'.padEnd(40)} found   kept`,
    ...kinds.map((kind) => {
      const own = charts.filter((one) => one.kind === kind);
      const kept = own.filter(({ isKept }) => isKept).length;
      return `${kind.padEnd(40)} ${String(own.length).padStart(5)}  ${String(kept).padStart(5)}`;
    }),
    `${charts.length} charts, ${charts.filter(({ isKept }) => isKept).length} with sheet, kind, series and titles as they were; ` +
      `${sum('drawn')} drawn here, ${sum('warned')} kept for export and named in a warning`,
  ];
}
