import { charge } from '../base/budget.ts';

/**
 * A fitted model of exponential smoothing with additive error, trend and season (Holt-Winters), for evenly spaced
 * values.
 */
export interface SmoothingModel {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly period: number;
  /**
   * The four measures of the model's error: mean absolute scaled error, symmetric mean absolute percentage error, mean
   * absolute error, and root mean square error.
   */
  readonly mase: number;
  readonly smape: number;
  readonly mae: number;
  readonly rmse: number;
  /** Returns the forecast `steps` after the last value; fractional steps are allowed. */
  forecast(steps: number): number;
  /** Returns the standard deviation of the forecast `steps` after the last value. */
  deviation(steps: number): number;
}

interface Start {
  readonly level: number;
  readonly trend: number;
  readonly season: readonly number[];
}

interface Run {
  readonly squares: number;
  readonly fitted: number[];
  readonly level: number;
  readonly trend: number;
  readonly season: number[];
}

type Weights = readonly [alpha: number, beta: number, gamma: number];

const minWeight = 0.001;
const maxWeight = 0.999;

/**
 * Returns the initial level, trend and season. With a period, they are computed from the averages of the complete
 * seasons; without one, from the first and the last value.
 */
function startOf(values: readonly number[], period: number): Start {
  const n = values.length;
  const at = (i: number): number => values[i] as number;
  if (period < 2) return { level: at(0), trend: n > 1 ? (at(n - 1) - at(0)) / (n - 1) : 0, season: [0] };
  const seasons = Math.floor(n / period);
  const averages = Array.from({ length: seasons }, (_, s) => {
    let total = 0;
    for (let i = 0; i < period; i++) total += at(s * period + i);
    return total / period;
  });
  const trend =
    seasons > 1 ? ((averages[seasons - 1] as number) - (averages[0] as number)) / ((seasons - 1) * period) : 0;
  const middle = (period - 1) / 2;
  const season = Array.from({ length: period }, (_, i) => {
    let total = 0;
    for (let s = 0; s < seasons; s++) total += at(s * period + i) - (averages[s] as number) - trend * (i - middle);
    return total / seasons;
  });
  return { level: (averages[0] as number) - trend * (middle + 1), trend, season };
}

function run(values: readonly number[], start: Start, [alpha, beta, gamma]: Weights): Run {
  let { level, trend } = start;
  const season = [...start.season];
  const period = season.length;
  const fitted: number[] = [];
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    const place = i % period;
    const seasonal = season[place] as number;
    const guess = i === 0 && period === 1 ? level : level + trend + seasonal;
    fitted.push(guess);
    squares += (value - guess) ** 2;
    const before = level;
    const expected = i === 0 && period === 1 ? level : level + trend;
    level = alpha * (value - seasonal) + (1 - alpha) * expected;
    trend = i === 0 && period === 1 ? trend : beta * (level - before) + (1 - beta) * trend;
    if (period > 1) season[place] = gamma * (value - level) + (1 - gamma) * seasonal;
  }
  return { squares, fitted, level, trend, season };
}

function clamp(value: number): number {
  return Math.max(minWeight, Math.min(maxWeight, value));
}

/**
 * Finds the smoothing weights (alpha, beta, gamma) with the least cost by a coarse grid search, then by the Nelder-Mead
 * method. Both are deterministic, so the weights are the same on every machine.
 */
function bestWeights(cost: (weights: Weights) => number, seasonal: boolean): Weights {
  const grid = [0.05, 0.275, 0.5, 0.725, 0.95];
  let best: Weights = [0.5, minWeight, minWeight];
  let least = Infinity;
  for (const alpha of grid) {
    for (const beta of [minWeight, ...grid]) {
      for (const gamma of seasonal ? [minWeight, ...grid] : [minWeight]) {
        const value = cost([alpha, beta, gamma]);
        if (value < least) {
          least = value;
          best = [alpha, beta, gamma];
        }
      }
    }
  }
  return descend(cost, best, seasonal ? 3 : 2);
}

function descend(cost: (weights: Weights) => number, from: Weights, free: number): Weights {
  const point = (weights: readonly number[]): { weights: Weights; value: number } => {
    const inside: Weights = [clamp(weights[0] as number), clamp(weights[1] as number), clamp(weights[2] as number)];
    return { weights: inside, value: cost(inside) };
  };
  const mix = (a: Weights, b: Weights, t: number): number[] => a.map((x, i) => x + t * ((b[i] as number) - x));
  let simplex = [point(from)];
  for (let i = 0; i < free; i++) {
    const corner: number[] = [...from];
    corner[i] = (corner[i] as number) + ((corner[i] as number) > 0.5 ? -0.1 : 0.1);
    simplex.push(point(corner));
  }
  for (let step = 0; step < 150; step++) {
    charge(16);
    simplex = simplex.toSorted((a, b) => a.value - b.value);
    const first = simplex[0] as (typeof simplex)[number];
    const last = simplex[free] as (typeof simplex)[number];
    if (last.value - first.value <= 1e-13 * Math.abs(first.value)) break;
    const rest = simplex.slice(0, free);
    const center = [0, 1, 2].map(
      (i) => rest.reduce((total, p) => total + (p.weights[i] as number), 0) / free,
    ) as unknown as Weights;
    const mirrored = point(mix(center, last.weights, -1));
    let next = mirrored;
    if (mirrored.value < first.value) {
      const further = point(mix(center, last.weights, -2));
      if (further.value < mirrored.value) next = further;
    } else if (mirrored.value >= (simplex[free - 1] as (typeof simplex)[number]).value) {
      next = point(mix(center, last.weights, 0.5));
    }
    if (next.value < last.value) simplex[free] = next;
    else simplex = simplex.map((p, i) => (i === 0 ? p : point(mix(first.weights, p.weights, 0.5))));
  }
  return (simplex.toSorted((a, b) => a.value - b.value)[0] as (typeof simplex)[number]).weights;
}

/**
 * Assumed maximum number of weight combinations that one fit of an exponential smoothing model tries. Each try visits
 * every value, so callers charge this many steps per value to the calculation budget.
 */
export const maxFitAttempts = 800;

export function fitSmoothing(values: readonly number[], period: number): SmoothingModel {
  const start = startOf(values, period);
  const weights = bestWeights((candidate) => run(values, start, candidate).squares, period > 1);
  const [alpha, beta, gamma] = weights;
  const end = run(values, start, weights);
  const n = values.length;
  let absolute = 0;
  let symmetric = 0;
  let naive = 0;
  for (let i = 0; i < n; i++) {
    const value = values[i] as number;
    const guess = end.fitted[i] as number;
    const error = Math.abs(value - guess);
    absolute += error;
    const size = (Math.abs(value) + Math.abs(guess)) / 2;
    if (size > 0) symmetric += error / size;
    if (i > 0) naive += Math.abs(value - (values[i - 1] as number));
  }
  const mae = absolute / n;
  const rmse = Math.sqrt(end.squares / n);
  const whole = (steps: number): number =>
    end.level + steps * end.trend + (end.season[(n + steps - 1) % end.season.length] as number);
  return {
    alpha,
    beta,
    gamma,
    period,
    mase: naive > 0 ? mae / (naive / (n - 1)) : 0,
    smape: symmetric / n,
    mae,
    rmse,
    forecast: (steps) => {
      const below = Math.floor(steps);
      const low = below === 0 ? (values[n - 1] as number) : whole(below);
      return steps === below ? low : low + (steps - below) * (whole(below + 1) - low);
    },
    deviation: (steps) => {
      let total = 1;
      for (let j = 1; j < Math.ceil(steps); j++) {
        if ((j & 63) === 0) charge(64);
        const seasonal = period > 1 && j % period === 0 ? gamma * (1 - alpha) : 0;
        total += (alpha * (1 + j * beta) + seasonal) ** 2;
      }
      return rmse * Math.sqrt(total);
    },
  };
}

/** Returns the season length: the number of values in the strongest repeating pattern, or 1 if there is none. */
export function findPeriod(values: readonly number[]): number {
  const n = values.length;
  const middle = (n - 1) / 2;
  const average = values.reduce((total, value) => total + value, 0) / n;
  let sxx = 0;
  let sxy = 0;
  values.forEach((value, i) => {
    sxx += (i - middle) ** 2;
    sxy += (i - middle) * (value - average);
  });
  const flat = values.map((value, i) => value - average - (sxy / sxx) * (i - middle));
  const power = flat.reduce((total, value) => total + value * value, 0);
  if (!(power > 1e-20 * (1 + average * average) * n)) return 1;
  const correlation = (lag: number): number => {
    let total = 0;
    charge((n - lag) >> 4);
    for (let i = lag; i < n; i++) total += (flat[i] as number) * (flat[i - lag] as number);
    return (total / power) * (n / (n - lag));
  };
  const longest = Math.min(Math.floor(n / 2), 8760);
  let best = 1;
  let strongest = Math.max(0.3, 2 / Math.sqrt(n));
  let previous = correlation(1);
  let current = longest >= 2 ? correlation(2) : 0;
  for (let lag = 2; lag <= longest; lag++) {
    const next = lag + 1 < n ? correlation(lag + 1) : -1;
    // In the autocorrelation, a peak at a longer lag must be 5 % higher to replace the best one, because multiples of
    // the true period give peaks of about the same height.
    if (current >= previous && current >= next && current > strongest * (best === 1 ? 1 : 1.05)) {
      strongest = current;
      best = lag;
    }
    previous = current;
    current = next;
  }
  return best;
}
