/** What the log keeps of the call that made a revision: its tool, where it worked, and where a revert went back to. */
interface Logged {
  readonly tool: string;
  /** `<sheet_id>$A1:B2`. */
  readonly range: string | undefined;
  /** Reverts: the version whose state they brought back. */
  readonly revertedTo: number | undefined;
}

export function loggedTool(tool: string, input: Record<string, unknown>, range: string | undefined): string {
  const name = tool === 'revert' ? `revert:${String(input['version'])}` : tool;
  return range === undefined ? name : `${name} ${range}`;
}

export function readLogged(logged: string): Logged {
  const [name = '', range] = logged.split(' ', 2);
  const back = /^revert:(\d{1,15})$/.exec(name)?.[1];
  return { tool: back === undefined ? name : 'revert', range, revertedTo: back === undefined ? undefined : Number(back) };
}
