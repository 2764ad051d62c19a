export type PublicKind = 'sheet' | 'note' | 'notebook' | 'base';

export interface LinkAddress {
  readonly kind: PublicKind;
  readonly secret: string;
}

/** Parses the fragment of a public link's URL. It has the form `kind.secret`, or only the secret for a spreadsheet. */
export function parseLinkFragment(fragment: string): LinkAddress {
  const [, kind = 'sheet', secret = ''] = /^#(?:(note|notebook|base)\.)?(.*)$/s.exec(fragment) ?? [];
  return { kind: kind as PublicKind, secret };
}
