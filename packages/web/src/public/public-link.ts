export type PublicKind = 'sheet' | 'note' | 'notebook' | 'base';

export interface LinkAddress {
  readonly kind: PublicKind;
  readonly secret: string;
}

/** Reads the fragment of a public link's address: `kind.secret`, or the secret alone for a spreadsheet. */
export function parseLinkFragment(fragment: string): LinkAddress {
  const [, kind = 'sheet', secret = ''] = /^#(?:(note|notebook|base)\.)?(.*)$/s.exec(fragment) ?? [];
  return { kind: kind as PublicKind, secret };
}
