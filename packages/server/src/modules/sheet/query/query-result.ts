import type { AddressOptions } from '../calls/address.ts';
import type { QueryValue } from './query-value.ts';

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** Number of rows after the query's own LIMIT and OFFSET. The options `skip` and `most` do not reduce this number. */
  readonly total: number;
}

interface ResultColumn {
  readonly name: string;
  /** Number format of the sheet column from which the values come; General if there is no such column. */
  readonly pattern: string;
}

export interface QueryOptions extends AddressOptions {
  /** Maximum number of rows to return. Further rows are counted, but not returned. */
  readonly most: number;
  /** Number of rows to skip, in addition to the query's own offset. */
  readonly skip?: number;
}
