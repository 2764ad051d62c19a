interface RevisionMetadata {
  readonly tool: string;
  /** Changed cells as `<sheet_id>$A1:B2`; undefined if the revision changed no cells. */
  readonly range: string | undefined;
  /** API key or session that made the revision; empty if the log does not contain it. */
  readonly keyId: string;
  /** The earlier version that was restored, if the tool is `revert`; otherwise undefined. */
  readonly revertedTo: number | undefined;
  /** Number of the revision that was undone, if the tool is `undo_revision`; otherwise undefined. */
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
