export interface LinkOptions {
  /** Offered as the name when saving. */
  fileName: string;
  contentType: string;
  seconds: number;
}

/** Addresses at which a blob can be read for a while, by whoever has the address. What may run in a browser is served inert. */
export interface Links {
  signedLink(blobKey: string, options: LinkOptions): string;
  /** What a link allows to read; undefined when it was changed or has run out. `query` is the link's own. */
  open(blobKey: string, query: URLSearchParams): OpenedLink | undefined;
  /** The same for a whole address; undefined where it is none of this installation's. */
  openUrl(url: string): OpenedLink | undefined;
}

export interface OpenedLink {
  blobKey: string;
  fileName: string;
  contentType: string;
}
