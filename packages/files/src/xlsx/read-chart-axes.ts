import { isTrue } from '../containers/package-parts.ts';
import type { ChartOptions } from '@sheaf/charts/chart-options';
import type { ChartType } from '@sheaf/charts/chart-types';

type AxisOptions = NonNullable<ChartOptions['xAxis']>;

interface ParsedAxis extends AxisOptions {
  readonly tag: string;
  gridLines: boolean;
}

/**
 * Collects the settings of a chart's axes while its XML is read. Axes are in file order: category axis, value axis,
 * then the secondary axes.
 */
export class AxisCollector {
  readonly #found: ParsedAxis[] = [];

  open(name: string, attributes: ReadonlyMap<string, string>, path: readonly string[]): void {
    const parent = path.at(-1) ?? '';
    if (parent === 'plotArea' && /^(?:cat|val|date)Ax$/.test(name)) {
      this.#found.push({ tag: name, gridLines: false });
      return;
    }
    const axis = this.#found.at(-1);
    if (!axis || !path.includes(axis.tag)) return;
    const value = attributes.get('val') ?? '';
    if (parent === 'scaling' && (name === 'min' || name === 'max')) {
      if (value !== '' && Number.isFinite(Number(value))) axis[name] = Number(value);
    } else if (parent !== axis.tag) return;
    else if (name === 'majorGridlines') axis.gridLines = true;
    else if (name === 'delete') {
      if (value !== '0' && value !== 'false') axis.visible = false;
    } else if (name === 'numFmt' && !isTrue(attributes.get('sourceLinked'))) {
      const pattern = attributes.get('formatCode') ?? '';
      if (pattern !== '' && pattern !== 'General') axis.numberFormat = pattern.slice(0, 255);
    }
  }

  title(text: string): void {
    const axis = this.#found.at(-1);
    if (axis) axis.title = ((axis.title ?? '') + text).slice(0, 500);
  }

  /** Returns the axis options that differ from the defaults. */
  options(type: ChartType): ChartOptions {
    const [first, second] = this.#found;
    const third = this.#found.slice(2).find(({ tag }) => tag === 'valAx');
    const along = axisOptions(first, false);
    const up = axisOptions(second, true);
    const other = axisOptions(third, false);
    // In a bar chart the category axis is vertical, and the chart options call the vertical axis y.
    const [xAxis, yAxis] = type.endsWith('_BAR') ? [axisOptions(second, false), axisOptions(first, true)] : [along, up];
    return {
      ...(xAxis ? { xAxis } : {}),
      ...(yAxis ? { yAxis } : {}),
      ...(other ? { secondaryYAxis: other } : {}),
    };
  }
}

function axisOptions(axis: ParsedAxis | undefined, hasGridLines: boolean): AxisOptions | undefined {
  if (!axis) return undefined;
  const { tag: _, gridLines, min, max, ...rest } = axis;
  const hasLimits = min === undefined || max === undefined || (min ?? 0) < (max ?? 0);
  const options = {
    ...rest,
    ...(hasLimits && min !== undefined ? { min } : {}),
    ...(hasLimits && max !== undefined ? { max } : {}),
    ...(gridLines === hasGridLines ? {} : { gridLines }),
  };
  return Object.keys(options).length > 0 ? options : undefined;
}
