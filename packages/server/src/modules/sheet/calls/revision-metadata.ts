interface RevisionMetadata {
  readonly tool: string;
  /** Changed range as `<sheet_id>$A1:B2`. */
  readonly range: string | undefined;
  /** API key or session that made the revision; empty if the log does not contain it. */
  readonly keyId: string;
  /** For reverts: the version that was restored. */
  readonly revertedTo: number | undefined;
  /** For undo_revision: the revision that was undone. */
  readonly undid: number | undefined;
  /** Reason that the caller gave for the revision; empty if none was given. */
  readonly reason: string;
}

const toolsWithVersion = new Set(['revert', 'undo_revision']);

const noRange = '-';

export function formatRevisionMetadata(
  tool: string,
  input: Record<string, unknown>,
  range: string | undefined,
  keyId: string,
  reason = '',
): string {
  const name = toolsWithVersion.has(tool) ? `${tool}:${String(input['version'])}` : tool;
  const parts = `${name} ${range ?? noRange} ${keyId}`;
  return reason === '' ? parts.trimEnd() : `${parts} ${encodeURIComponent(reason)}`;
}

export function parseRevisionMetadata(logged: string): RevisionMetadata {
  const [name = '', range = noRange, keyId = '', reason = ''] = logged.split(' ', 4);
  const [, tool = name, version] = /^([a-z_]+):(\d{1,15})$/.exec(name) ?? [];
  const number = version === undefined ? undefined : Number(version);
  return {
    tool,
    range: range === noRange ? undefined : range,
    keyId,
    revertedTo: tool === 'revert' ? number : undefined,
    undid: tool === 'undo_revision' ? number : undefined,
    reason: decodeURIComponent(reason),
  };
}
