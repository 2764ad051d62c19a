import { mcpTool } from '../../kernel/describe-operation.ts';
import type { OperationEntry, Registry } from '../../kernel/module.ts';
import { rpcErrorCodes, RpcError } from './json-rpc.ts';
import { connectorTools } from './connector-tools.ts';
import { metaTools } from './meta-tools.ts';

/**
 * Selection of the tools that an MCP client gets as the list of tools. Agents read the whole list first, so it should
 * contain only tools that most of them need. The other tools are available through find_tools, call_read_tool and
 * call_tool, and can also be called directly.
 */
export interface ToolSelection {
  /**
   * Size of the list: `core`, `default` or `all`. If undefined, the list is `all` if `modules` is set, and `default`
   * otherwise.
   */
  readonly tools?: string;
  /** Names of the modules whose tools are listed. If undefined, the tools of all modules are listed. */
  readonly modules?: readonly string[];
  /** Whether tools are named `module.name` instead of `module_name`. */
  readonly dotted?: boolean;
  /** True if only operations are listed that a published API specification defines. */
  readonly specifiedOnly?: boolean;
}

/** Reads the options of an MCP connection from its URL parameters or command arguments. */
export function readMcpOptions(parameter: (name: string) => string | null | undefined): {
  listed: ToolSelection;
  confirms: boolean;
  links: boolean;
} {
  const modules = parameter('modules');
  return {
    listed: {
      tools: parameter('tools') ?? undefined,
      modules: modules ? modules.split(',') : undefined,
      dotted: parameter('names') === 'dotted',
    },
    confirms: parameter('confirm') !== 'never',
    links: parameter('links') !== 'never',
  };
}

const choices: Record<string, (entry: OperationEntry) => boolean> = {
  core: ({ module, operation }) => module.core?.includes(operation.name) ?? false,
  default: ({ module, operation }) =>
    (module.specified?.includes(operation.name) ?? false) || (module.essential?.includes(operation.name) ?? false),
  all: ({ operation }) => !operation.isUnlisted,
};

/**
 * If a tool list has more tools than this, it omits the examples of the tools, to save tokens. For tools of the
 * published API specification, the lower limit `maxWithAllExamples` applies.
 */
const maxWithExamples = 120;
const maxWithAllExamples = 40;

export function listTools(registry: Registry, listed: ToolSelection): unknown[] {
  const { modules, dotted, specifiedOnly } = listed;
  const name = listed.tools ?? (modules ? 'all' : 'default');
  const chosen = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (!chosen)
    throw new RpcError(
      rpcErrorCodes.invalidParams,
      `tools: must be one of ${Object.keys(choices).join(', ')} (got ${JSON.stringify(name.slice(0, 60))})`,
    );
  const entries = registry
    .entries()
    .filter((entry) => !modules || modules.includes(entry.module.name))
    .filter((entry) => !specifiedOnly || entry.module.specified?.includes(entry.operation.name))
    .filter(chosen);
  const tools = entries.map((entry) => {
    const isSpecified = entry.module.specified?.includes(entry.operation.name) ?? false;
    const hasExample = entries.length <= (isSpecified ? maxWithAllExamples : maxWithExamples);
    return mcpTool(entry, { dotted, hasExample });
  });
  const searches = registry.modules.some((module) => module.searchAll && (!modules || modules.includes(module.name)));
  const connectors = searches && !specifiedOnly ? connectorTools : [];
  return [...connectors, ...tools, ...(name === 'all' ? [] : metaTools)];
}
