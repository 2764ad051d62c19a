/** Tokens that a node took from the token bucket of a rate limit since its last report. */
export interface BucketUsage {
  /** Name of the limit and of the client, such as `guess 203.0.113.7`. */
  readonly bucket: string;
  readonly amount: number;
  /** Tokens refilled per second. `burst` is the maximum number of tokens. */
  readonly rate: number;
  readonly burst: number;
}

/** Stores the token buckets of rate limits, shared by all nodes and retained across restarts. */
export interface RateLimitStore {
  /**
   * Subtracts tokens from the stored rate limit buckets: the tokens that a node has taken since its last report.
   * Returns the number of tokens left in each bucket, in the order of `taken`. A number is negative if several nodes
   * took the last tokens at the same time.
   */
  take(taken: readonly BucketUsage[], at: number): Promise<number[]>;
  /**
   * Returns the rate limit buckets that changed since `time`, with the tokens that they contain at the time `at`. Nodes
   * use it to learn what other nodes have taken.
   */
  since(time: number, at: number): Promise<{ bucket: string; tokens: number }[]>;
  forgetBefore(time: number): Promise<number>;
}
