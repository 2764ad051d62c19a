export interface LinkOptions {
  /** Offered as the name when saving. */
  fileName: string;
  contentType: string;
  seconds: number;
}

/** Addresses at which a blob can be read for a while, by whoever has the address. What may run in a browser is served inert. */
export interface Links {
  signedLink(cosKey: string, options: LinkOptions): string;
}
