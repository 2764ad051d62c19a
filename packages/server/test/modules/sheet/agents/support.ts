import { parseInput, refuseUnknownFields } from '../../../../src/kernel/parse-input.ts';
import { Failure } from '../../../../src/kernel/errors.ts';
import { addSheet } from '@sheaf/engine/internal/mutations';
import { WorkerDocuments } from '../../../../src/modules/sheet/host/worker-documents.ts';
import { specifiedTools, tools } from '../../../../src/modules/sheet/tools.ts';

/** A document in a thread of its own, without a server: tools run as they do in the product, one call a revision. */
export interface Desk {
  /** Calls a tool; a refusal is thrown with its word and sentence. */
  call(tool: string, input?: Record<string, unknown>): any;
  /** The refusal of a call that must not succeed. */
  refusal(tool: string, input?: Record<string, unknown>): string;
  /** All that a snapshot keeps, to compare with later. */
  state(): string;
  readonly version: () => number;
}

let ids = 0;

export function desk(...names: string[]): Desk {
  const thread = new WorkerDocuments(tools, (prefix) => `${prefix}${++ids}`);
  const sheets = (names.length > 0 ? names : ['Sheet1']).map((name, at) => addSheet.of({ sheet: `s${at}`, name, at }));
  const first = { version: 1, at: 0, seed: 0, mutations: JSON.stringify(sheets) };
  thread.handle({ do: 'open', file: 'f', snapshot: undefined, version: 0, revisions: [first] });
  let version = 1;
  const call = (name: string, given: Record<string, unknown> = {}): any => {
    const tool = tools.get(name)!;
    const raw = { file_id: 'f', ...given };
    const isOwn = !Object.hasOwn(specifiedTools, name);
    if (isOwn) refuseUnknownFields(tool as never, raw);
    let input = parseInput(tool as never, raw) as Record<string, unknown>;
    if (input instanceof Promise) throw new Error(`${name}: so large an input is read in turns; send less`);
    if (name === 'batch')
      input = {
        ...input,
        calls: (input['calls'] as { tool: string; arguments: Record<string, unknown> }[]).map((one) => {
          const inner = tools.get(one.tool)!;
          const parsed = parseInput(inner as never, { ...one.arguments, file_id: 'f' }) as Record<string, unknown>;
          return { tool: one.tool, arguments: inner.pack ? inner.pack(parsed as never) : parsed };
        }),
      };
    if (tool.pack) input = tool.pack(input as never) as Record<string, unknown>;
    const request = {
      tool: name,
      input,
      userId: 'u',
      isOwner: true,
      at: 1_700_000_000_000,
      seed: 1,
      isAtPage: false,
    };
    const done = thread.handle({ do: 'run', file: 'f', committed: version, calls: [request] }) as {
      answers: { kind: string; json?: string | Uint8Array; word?: string; message?: string }[];
    };
    const [answer] = done.answers;
    if (!answer) throw new Error('no answer');
    if (answer.kind === 'failure') throw new Failure(answer.word!, answer.message!);
    if (answer.kind === 'write') version++;
    return JSON.parse(typeof answer.json === 'string' ? answer.json : new TextDecoder().decode(answer.json));
  };
  return {
    call,
    refusal(tool, input) {
      try {
        call(tool, input);
      } catch (error) {
        if (error instanceof Failure) return `${error.word}: ${error.message}`;
        throw error;
      }
      throw new Error(`${tool} was to be refused`);
    },
    state() {
      const { bytes } = thread.handle({ do: 'snapshot', file: 'f' }) as { bytes: Uint8Array };
      return Buffer.from(bytes).toString('base64');
    },
    version: () => version,
  };
}
