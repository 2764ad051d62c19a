export interface LinkOptions {
  /** Suggested file name for saving. */
  fileName: string;
  contentType: string;
  seconds: number;
}

/**
 * Signed URLs at which anyone who has the URL can read a blob until it expires. Content that could run scripts in a
 * browser is served as inert.
 */
export interface Links {
  signedLink(blobKey: string, options: LinkOptions): string;
  /**
   * The blob that a link grants access to; undefined if the link was altered or has expired. `query` is the link's
   * query.
   */
  open(blobKey: string, query: URLSearchParams): OpenedLink | undefined;
  /** Like `open`, for a whole URL; undefined if it is not a link of this installation. */
  openUrl(url: string): OpenedLink | undefined;
}

export interface OpenedLink {
  blobKey: string;
  fileName: string;
  contentType: string;
}
