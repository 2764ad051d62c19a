import type { z } from 'zod';
import { invalid } from '../errors.ts';
import { validateBySchema } from '../../../kernel/parse-input.ts';
import { chartOptionsSchema, type ChartOptions } from '@sheaf/charts/chart-options';

/**
 * Parses the input field options_json, which holds the options of a chart. Throws if it is not valid JSON or contains
 * an option that is not supported.
 */
export function parseChartOptions(json: string): ChartOptions {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    throw invalid(`options_json: is not JSON (${(error as Error).message})`);
  }
  return validateBySchema(chartOptionsSchema, raw, (reason, issue) =>
    invalid(`options_json: ${fault(issue) ?? reason}`),
  );
}

/** Throws if an axis has a minimum that is not below its maximum. */
export function checkAxisBounds(options: ChartOptions): void {
  for (const name of ['xAxis', 'yAxis', 'secondaryYAxis'] as const) {
    const { min, max } = options[name] ?? {};
    if (typeof min === 'number' && typeof max === 'number' && min >= max)
      throw invalid(`options_json: ${name}.min: must be less than max, ${max} (got ${min})`);
  }
}

function fault(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const path = [...issue.path, issue.keys[0]].join('.');
  return `${path}: is not a chart option`;
}
