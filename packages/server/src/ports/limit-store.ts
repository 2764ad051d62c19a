/** What a node took from a bucket since it last said so. */
export interface Taken {
  /** The limit's name and whom it is for: `guess 203.0.113.7`. */
  readonly bucket: string;
  readonly amount: number;
  /** Tokens that come back in a second, and the most there can be. */
  readonly rate: number;
  readonly burst: number;
}

/** The buckets of the rate limits, as all nodes share them and as they outlast a restart. */
export interface LimitStore {
  /** Takes from the shared buckets and tells what is left in each, in the same order; less than nothing when nodes took at once. */
  take(taken: readonly Taken[], at: number): Promise<number[]>;
  /** The buckets touched since then, with what is left in them now. */
  since(time: number, at: number): Promise<{ bucket: string; tokens: number }[]>;
  forgetBefore(time: number): Promise<number>;
}
