export interface SignedUrlOptions {
  fileName: string;
  contentType: string;
  seconds: number;
}

/**
 * Signs URLs at which anyone who has the URL can read a blob (stored file) until the URL expires. Files that could run
 * scripts in a browser are served with headers that prevent it.
 */
export interface UrlSigner {
  sign(blobKey: string, options: SignedUrlOptions): string;
  /**
   * Returns the blob that a link gives access to, or undefined if the link was altered or has expired. `query` is the
   * link's query string.
   */
  verify(blobKey: string, query: URLSearchParams): VerifiedUrl | undefined;
  /** Verifies a whole URL. Returns undefined if the URL is not a valid link of this installation. */
  verifyUrl(url: string): VerifiedUrl | undefined;
}

export interface VerifiedUrl {
  blobKey: string;
  fileName: string;
  contentType: string;
}
