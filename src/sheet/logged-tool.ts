/** What the log keeps of the call that made a revision: its tool, where it worked, by which key, and where a revert went back to. */
interface Logged {
  readonly tool: string;
  /** `<sheet_id>$A1:B2`. */
  readonly range: string | undefined;
  /** The API key or session; empty where the log does not say. */
  readonly keyId: string;
  /** Reverts: the version whose state they brought back. */
  readonly revertedTo: number | undefined;
}

const nowhere = '-';

export function loggedTool(tool: string, input: Record<string, unknown>, range: string | undefined, keyId: string): string {
  const name = tool === 'revert' ? `revert:${String(input['version'])}` : tool;
  return `${name} ${range ?? nowhere} ${keyId}`.trimEnd();
}

export function readLogged(logged: string): Logged {
  const [name = '', range = nowhere, keyId = ''] = logged.split(' ', 3);
  const back = /^revert:(\d{1,15})$/.exec(name)?.[1];
  return { tool: back === undefined ? name : 'revert', range: range === nowhere ? undefined : range, keyId, revertedTo: back === undefined ? undefined : Number(back) };
}
