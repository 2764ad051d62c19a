import type { Aggregation } from '../objects/sheet-objects.ts';
import { CellError, cellErrors, type Scalar } from '../../base/values.ts';

/** Accumulates the values of one pivot field, so that any aggregation can be computed at the end. */
export class Aggregator {
  #filled = 0;
  #count = 0;
  #sum = 0;
  #product = 1;
  #min = Infinity;
  #max = -Infinity;
  /** Running mean and sum of squared deviations (Welford's algorithm). */
  #mean = 0;
  #squares = 0;
  #error: CellError | undefined;

  add(value: Scalar): void {
    if (value === null) return;
    this.#filled++;
    if (value instanceof CellError) {
      this.#error ??= value;
      return;
    }
    if (typeof value !== 'number') return;
    this.#count++;
    this.#sum += value;
    this.#product *= value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    const distance = value - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (value - this.#mean);
  }

  /** Returns the aggregated value. Except for COUNT and COUNTNUMS, an error among the values is returned instead. */
  result(aggregation: Aggregation): Scalar {
    if (aggregation === 'COUNT') return this.#filled;
    if (aggregation === 'COUNTNUMS') return this.#count;
    if (this.#error) return this.#error;
    return finite(this.#number(aggregation));
  }

  #number(aggregation: Aggregation): number | CellError {
    const count = this.#count;
    switch (aggregation) {
      case 'SUM':
        return this.#sum;
      case 'AVERAGE':
        return count === 0 ? cellErrors.div0 : this.#sum / count;
      case 'MAX':
        return count === 0 ? 0 : this.#max;
      case 'MIN':
        return count === 0 ? 0 : this.#min;
      case 'PRODUCT':
        return count === 0 ? 0 : this.#product;
      case 'VAR':
        return count < 2 ? cellErrors.div0 : this.#squares / (count - 1);
      case 'VARP':
        return count < 1 ? cellErrors.div0 : this.#squares / count;
      case 'STDEV':
        return count < 2 ? cellErrors.div0 : Math.sqrt(this.#squares / (count - 1));
      case 'STDEVP':
        return count < 1 ? cellErrors.div0 : Math.sqrt(this.#squares / count);
      default:
        return cellErrors.value;
    }
  }
}

function finite(value: number | CellError): Scalar {
  return typeof value === 'number' && !Number.isFinite(value) ? cellErrors.num : value;
}
