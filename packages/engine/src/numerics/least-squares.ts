/**
 * Result of a linear regression. It is computed by Gram-Schmidt orthogonalization, done twice so that nearly dependent
 * columns keep their precision.
 */
export interface Fit {
  /** One coefficient per column; 0 for a column that is a linear combination of earlier ones. */
  readonly coefficients: Float64Array;
  readonly intercept: number;
  readonly errors: Float64Array;
  readonly interceptError: number;
  readonly residualSquares: number;
  readonly regressionSquares: number;
  readonly freedom: number;
  /** Number of independent columns. */
  readonly rank: number;
}

const dependenceLimit = 1e-12;

export function leastSquares(y: Float64Array, columns: readonly Float64Array[], constant: boolean): Fit {
  const n = y.length;
  const k = columns.length;
  const means = columns.map((column) => (constant ? average(column) : 0));
  const meanY = constant ? average(y) : 0;
  const basis: Float64Array[] = [];
  const kept: number[] = [];
  // r[i] holds, for each column that is linearly independent of earlier ones, its component along basis vector i.
  const r: number[][] = [];
  columns.forEach((column, index) => {
    const v = column.map((value) => value - (means[index] as number));
    const before = norm(v);
    const parts = basis.map(() => 0);
    for (let pass = 0; pass < 2; pass++) {
      basis.forEach((q, i) => {
        const share = dot(q, v);
        parts[i] = (parts[i] as number) + share;
        for (let row = 0; row < n; row++) v[row] = (v[row] as number) - share * (q[row] as number);
      });
    }
    const after = norm(v);
    if (!(after > dependenceLimit * before)) return;
    for (let row = 0; row < n; row++) v[row] = (v[row] as number) / after;
    parts.forEach((part, i) => r[i]?.push(part));
    r.push([after]);
    basis.push(v);
    kept.push(index);
  });

  const rank = kept.length;
  const centered = y.map((value) => value - meanY);
  const residual = Float64Array.from(centered);
  const projections = basis.map((q) => {
    const share = dot(q, residual);
    for (let row = 0; row < n; row++) residual[row] = (residual[row] as number) - share * (q[row] as number);
    return share;
  });
  // The first entry of r[i] belongs to column i: r is upper triangular, so the zeros before it are not stored.
  const upper = (i: number, j: number): number => r[i]?.[j - i] ?? 0;
  const solution = new Float64Array(rank);
  for (let i = rank - 1; i >= 0; i--) {
    let value = projections[i] as number;
    for (let j = i + 1; j < rank; j++) value -= upper(i, j) * (solution[j] as number);
    solution[i] = value / upper(i, i);
  }
  const inverse = invertUpper(rank, upper);

  const freedom = n - rank - (constant ? 1 : 0);
  const residualSquares = dot(residual, residual);
  const regressionSquares = Math.max(0, dot(centered, centered) - residualSquares);
  const variance = freedom > 0 ? residualSquares / freedom : 0;
  const coefficients = new Float64Array(k);
  const errors = new Float64Array(k);
  kept.forEach((index, i) => {
    coefficients[index] = solution[i] as number;
    const row = inverse[i] as Float64Array;
    errors[index] = Math.sqrt(variance * dot(row, row));
  });
  let intercept = meanY;
  coefficients.forEach((value, index) => {
    intercept -= value * (means[index] as number);
  });
  let spread = 1 / n;
  for (let j = 0; j < rank; j++) {
    let share = 0;
    kept.forEach((index, i) => {
      share += (means[index] as number) * (inverse[i]?.[j] as number);
    });
    spread += share * share;
  }
  return {
    coefficients,
    intercept: constant ? intercept : 0,
    errors,
    interceptError: constant ? Math.sqrt(variance * spread) : 0,
    residualSquares,
    regressionSquares,
    freedom,
    rank,
  };
}

/** Returns the rows of the inverse of an upper triangular matrix. */
function invertUpper(size: number, upper: (i: number, j: number) => number): Float64Array[] {
  const rows = Array.from({ length: size }, () => new Float64Array(size));
  for (let j = 0; j < size; j++) {
    for (let i = j; i >= 0; i--) {
      let value = i === j ? 1 : 0;
      for (let m = i + 1; m <= j; m++) value -= upper(i, m) * (rows[m]?.[j] as number);
      (rows[i] as Float64Array)[j] = value / upper(i, i);
    }
  }
  return rows;
}

function average(list: Float64Array): number {
  let total = 0;
  for (const value of list) total += value;
  return total / list.length;
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] as number) * (b[i] as number);
  return total;
}

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}
