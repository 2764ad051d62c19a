/** What a node took from a bucket since its last report. */
export interface BucketUsage {
  /** Name of the limit and the client: `guess 203.0.113.7`. */
  readonly bucket: string;
  readonly amount: number;
  /** Token bucket: tokens refilled per second, and the maximum. */
  readonly rate: number;
  readonly burst: number;
}

/** Token buckets of the rate limits, shared by all nodes and kept across restarts. */
export interface RateLimitStore {
  /** Takes tokens and returns what is left in each bucket, in the same order; negative if nodes took at the same time. */
  take(taken: readonly BucketUsage[], at: number): Promise<number[]>;
  /** Buckets changed since `time`, with the tokens left at `at`. */
  since(time: number, at: number): Promise<{ bucket: string; tokens: number }[]>;
  forgetBefore(time: number): Promise<number>;
}
