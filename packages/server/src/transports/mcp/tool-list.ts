import { mcpTool } from '../../operation/describe.ts';
import type { Entry, Registry } from '../../operation/module.ts';
import { codes, RpcError } from './rpc.ts';
import { metaTools } from './meta-tools.ts';

/**
 * Which tools a client is told of. Agents read the whole list before they do anything, so it holds what most of them need, and
 * everything else is reached through find_tools, call_read_tool and call_tool. What is not listed can be called all the same.
 */
export interface ListedTools {
  /** core, default or all; all where modules are named. */
  readonly tools?: string;
  /** Only those of these modules. */
  readonly modules?: readonly string[];
  /** As `module.name` instead of `module_name`. */
  readonly dotted?: boolean;
  /** Only those of the specifications, and none of ours. */
  readonly specifiedOnly?: boolean;
}

const choices: Record<string, (entry: Entry) => boolean> = {
  core: ({ module, operation }) => module.core?.includes(operation.name) ?? false,
  default: ({ module, operation }) =>
    (module.specified?.includes(operation.name) ?? false) || (module.essential?.includes(operation.name) ?? false),
  all: ({ operation }) => !operation.isUnlisted,
};

/** A longer list is read for what there is; examples would make it longer than agents can afford. */
const maxWithExamples = 120;

export function listTools(registry: Registry, listed: ListedTools): unknown[] {
  const { modules, dotted, specifiedOnly } = listed;
  const name = listed.tools ?? (modules ? 'all' : 'default');
  const chosen = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (!chosen)
    throw new RpcError(
      codes.invalidParams,
      `tools: must be one of ${Object.keys(choices).join(', ')} (got ${JSON.stringify(name.slice(0, 60))})`,
    );
  const entries = registry
    .entries()
    .filter((entry) => !modules || modules.includes(entry.module.name))
    .filter((entry) => !specifiedOnly || entry.module.specified?.includes(entry.operation.name))
    .filter(chosen);
  const isOneOfAll = entries.length > maxWithExamples;
  const tools = entries.map((entry) => mcpTool(entry, { dotted, isOneOfAll }));
  return name === 'all' ? tools : [...tools, ...metaTools];
}
