export interface SignedUrlOptions {
  /** Suggested file name for saving. */
  fileName: string;
  contentType: string;
  seconds: number;
}

/**
 * Signed URLs at which anyone who has the URL can read a blob until it expires. Content that could run scripts in a
 * browser is served as inert.
 */
export interface SignedUrls {
  sign(blobKey: string, options: SignedUrlOptions): string;
  /**
   * The blob that a link grants access to; undefined if the link was altered or has expired. `query` is the link's
   * query.
   */
  verify(blobKey: string, query: URLSearchParams): VerifiedUrl | undefined;
  /** Like `verify`, for a whole URL; undefined if it is not a link of this installation. */
  verifyUrl(url: string): VerifiedUrl | undefined;
}

export interface VerifiedUrl {
  blobKey: string;
  fileName: string;
  contentType: string;
}
