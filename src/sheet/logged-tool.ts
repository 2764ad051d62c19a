/** A revert is logged with the version it went back to: the log says where its state came from. */
export function loggedTool(tool: string, input: Record<string, unknown>): string {
  return tool === 'revert' ? `revert:${String(input['version'])}` : tool;
}

/** The version a logged revert went back to; undefined for every other tool. */
export function revertedTo(logged: string): number | undefined {
  const found = /^revert:(\d{1,15})$/.exec(logged)?.[1];
  return found === undefined ? undefined : Number(found);
}
