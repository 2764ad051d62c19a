import { toNumber } from '../../base/coerce.ts';
import { dateOfSerial } from '../../base/serial-date.ts';
import { maxFitAttempts, findPeriod, fitSmoothing, type SmoothingModel } from '../../numerics/exponential-smoothing.ts';
import { normalInverse } from '../../numerics/normal.ts';
import { CellError, cellErrors, type Grid, type Scalar, type Value } from '../../base/values.ts';
import type { CallContext } from '../call-context.ts';
import { define, type Definition } from '../define.ts';

const maxPeriod = 8760;
/**
 * Maximum share of missing points in a forecast timeline. A timeline with more missing points counts as irregular and
 * gives #NUM!.
 */
const maxMissing = 0.3;

interface Series {
  readonly values: number[];
  readonly step: number;
  /** Returns the number of steps from the first point of the forecast timeline to `time`. */
  position(time: number): number;
}

function cellsOf(grid: Grid): Scalar[] {
  const list: Scalar[] = [];
  for (let row = 0; row < grid.rows; row++) {
    for (let col = 0; col < grid.cols; col++) {
      const value = grid.at(row, col);
      if (value instanceof CellError) throw value;
      list.push(value);
    }
  }
  return list;
}

function aggregate(list: readonly number[], kind: number): number {
  const total = list.reduce((sum, value) => sum + value, 0);
  switch (kind) {
    case 1:
      return total / list.length;
    case 2:
    case 3:
      return list.length;
    case 4:
      return list.reduce((a, b) => Math.max(a, b));
    case 5: {
      const sorted = list.toSorted((a, b) => a - b);
      const middle = sorted.length >> 1;
      const upper = sorted[middle] as number;
      return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
    }
    case 6:
      return list.reduce((a, b) => Math.min(a, b));
    case 7:
      return total;
    default:
      throw cellErrors.num;
  }
}

/**
 * If all times are whole days that fall on the same day of the month, returns a function that converts a time to a
 * number of months. Monthly times are evenly spaced in months, but not in days. Otherwise returns undefined.
 */
function monthly(times: readonly number[]): ((time: number) => number) | undefined {
  const first = dateOfSerial(times[0] as number)?.day;
  for (const time of times) {
    if (!Number.isInteger(time) || time < 61 || dateOfSerial(time)?.day !== first) return undefined;
  }
  return (time) => {
    const date = dateOfSerial(time);
    if (date === undefined) throw cellErrors.num;
    return date.year * 12 + date.month + (date.day - (first as number)) / 31;
  };
}

function smallestStep(times: readonly number[]): number {
  let step = Infinity;
  for (let i = 1; i < times.length; i++) step = Math.min(step, (times[i] as number) - (times[i - 1] as number));
  return step;
}

function seriesOf(call: CallContext, data: Grid, timeline: Grid, completion: number, aggregation: number): Series {
  if (data.rows * data.cols !== timeline.rows * timeline.cols) throw cellErrors.na;
  call.budget.spend(data.rows * data.cols * 4);
  const times = cellsOf(timeline);
  const groups = new Map<number, number[]>();
  cellsOf(data).forEach((value, i) => {
    const time = times[i] as Scalar;
    if (typeof time !== 'number') throw cellErrors.value;
    if (typeof value !== 'number') throw cellErrors.value;
    const group = groups.get(time);
    if (group) group.push(value);
    else groups.set(time, [value]);
  });
  const sorted = [...groups.keys()].toSorted((a, b) => a - b);
  if (sorted.length < 2) throw cellErrors.num;
  const scale = monthly(sorted) ?? ((time: number): number => time);
  const scaled = sorted.map(scale);
  const step = smallestStep(scaled);
  const origin = scaled[0] as number;
  const values: number[] = [];
  sorted.forEach((time, i) => {
    const place = ((scaled[i] as number) - origin) / step;
    const whole = Math.round(place);
    if (Math.abs(place - whole) > 1e-6) throw cellErrors.num;
    if (whole >= sorted.length / (1 - maxMissing) + 1) throw cellErrors.num;
    const value = aggregate(groups.get(time) as number[], aggregation);
    const before = values[values.length - 1] ?? value;
    const gap = whole - values.length + 1;
    for (let k = 1; k < gap; k++) values.push(completion === 0 ? 0 : before + ((value - before) * k) / gap);
    values.push(value);
  });
  return { values, step, position: (time) => (scale(time) - origin) / step };
}

function wholeOption(value: number | undefined, otherwise: number, most: number): number {
  const whole = Math.trunc(value ?? otherwise);
  if (whole < 0 || whole > most) throw cellErrors.num;
  return whole;
}

function modelOf(
  call: CallContext,
  data: Grid,
  timeline: Grid,
  seasonality: number | undefined,
  completion: number | undefined,
  aggregation: number | undefined,
): { series: Series; model: SmoothingModel } {
  const wanted = wholeOption(seasonality, 1, maxPeriod);
  const series = seriesOf(call, data, timeline, wholeOption(completion, 1, 1), wholeOption(aggregation, 1, 7));
  const count = series.values.length;
  call.budget.spend(count * maxFitAttempts);
  const period = wanted === 1 ? periodOf(call, series) : Math.max(1, wanted);
  if (period > 1 && period * 2 > count) throw cellErrors.num;
  return { series, model: fitSmoothing(series.values, period) };
}

function periodOf(call: CallContext, series: Series): number {
  call.budget.spend(series.values.length ** 2 / 4);
  return findPeriod(series.values);
}

/** Returns the number of steps from the last point to `time`. Throws #NUM! for an earlier time. */
function ahead(series: Series, time: Scalar): number {
  const target = toNumber(time);
  if (target instanceof CellError) throw target;
  const steps = series.position(target) - (series.values.length - 1);
  if (steps < -1e-9) throw cellErrors.num;
  return Math.max(0, Math.abs(steps - Math.round(steps)) < 1e-9 ? Math.round(steps) : steps);
}

/**
 * Calls `answer` for every target time with the number of steps from the last point of the series, and returns the
 * results. An error for one target time does not affect the others.
 */
function forEachTarget(call: CallContext, target: Value, series: Series, answer: (steps: number) => number): Value {
  return call.broadcast([target], (time) => {
    try {
      return answer(ahead(series, time ?? null));
    } catch (error) {
      if (error instanceof CellError) return error;
      throw error;
    }
  });
}

export const smoothingFunctions: readonly Definition[] = [
  define(
    'FORECAST.ETS',
    'value array array number? number? number?',
    (call, target, data, timeline, seasonality, completion, aggregation) => {
      const { series, model } = modelOf(call, data, timeline, seasonality, completion, aggregation);
      return forEachTarget(call, target, series, (steps) => model.forecast(steps));
    },
  ),
  define(
    'FORECAST.ETS.CONFINT',
    'value array array number? number? number? number?',
    (call, target, data, timeline, level = 0.95, seasonality, completion, aggregation) => {
      if (!(level > 0 && level < 1)) return cellErrors.num;
      const { series, model } = modelOf(call, data, timeline, seasonality, completion, aggregation);
      const width = -normalInverse((1 - level) / 2);
      return forEachTarget(call, target, series, (steps) => width * model.deviation(steps));
    },
  ),
  define('FORECAST.ETS.SEASONALITY', 'array array number? number?', (call, data, timeline, completion, aggregation) => {
    const series = seriesOf(call, data, timeline, wholeOption(completion, 1, 1), wholeOption(aggregation, 1, 7));
    return periodOf(call, series);
  }),
  define(
    'FORECAST.ETS.STAT',
    'array array number number? number? number?',
    (call, data, timeline, type, seasonality, completion, aggregation) => {
      const { series, model } = modelOf(call, data, timeline, seasonality, completion, aggregation);
      const { alpha, beta, gamma, mase, smape, mae, rmse } = model;
      return (
        [alpha, beta, model.period > 1 ? gamma : 0, mase, smape, mae, rmse, series.step][Math.trunc(type) - 1] ??
        cellErrors.num
      );
    },
  ),
];
