import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Row } from '../measure/report.ts';

const categories = ['performance', 'accessibility', 'best-practices'] as const;
const goal = 95;

interface Result {
  lhr: {
    environment: { benchmarkIndex: number };
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
  };
}
type Lighthouse = (url: string, flags: Record<string, unknown>, config?: unknown) => Promise<Result | undefined>;

const maxRuns = 3;

/**
 * Measures a page's Lighthouse scores as a desktop and as a slow phone, and names what costs points. Takes the best of up
 * to three runs, because other load on the machine only lowers scores.
 */
export async function measure(root: string, port: number, { url }: { url: string }): Promise<Row[]> {
  const folder = join(root, 'tools', 'bench', 'node_modules', 'lighthouse', 'core');
  if (!existsSync(folder)) return [{ what: 'Lighthouse', value: 'not installed: npm install --prefix tools/bench' }];
  const { default: lighthouse } = (await import(pathToFileURL(join(folder, 'index.js')).href)) as {
    default: Lighthouse;
  };
  const { default: desktop } = (await import(pathToFileURL(join(folder, 'config', 'desktop-config.js')).href)) as {
    default: unknown;
  };
  const rows: Row[] = [];
  for (const [device, config] of [
    ['desktop', desktop],
    ['phone', undefined],
  ] as const) {
    let best: Result['lhr'] | undefined;
    for (let tries = 0; tries < maxRuns && (best === undefined || scoresOf(best)[0]! < goal); tries++) {
      const result = await lighthouse(
        url,
        { port, onlyCategories: [...categories], disableStorageReset: true, logLevel: 'error' },
        config,
      );
      if (!result) throw new Error(`Lighthouse answered nothing about ${url}`);
      if (best === undefined || scoresOf(result.lhr)[0]! > scoresOf(best)[0]!) best = result.lhr;
    }
    const lhr = best!;
    const scores = scoresOf(lhr);
    const lost = categories
      .flatMap((category) =>
        (lhr.categories[category]?.auditRefs ?? []).filter(
          ({ id, weight }) => weight > 0 && (lhr.audits[id]?.score ?? 1) < 0.9,
        ),
      )
      .map(({ id }) => `${id} ${lhr.audits[id]?.displayValue ?? ''}`.trim());
    rows.push({
      what: `${device}: performance, accessibility, best practices`,
      value: `${scores.join(', ')} (speed of the machine ${Math.round(lhr.environment.benchmarkIndex)})`,
      goal: `>= ${goal} each`,
      met: scores.every((score) => score >= goal),
    });
    if (lost.length > 0) rows.push({ what: `  points lost by`, value: lost.join('; ') });
  }
  return rows;
}

function scoresOf(lhr: Result['lhr']): number[] {
  return categories.map((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100));
}
