import type { RequestMeta } from './request-meta.ts';

/**
 * Tools, prompts and resources that an embedding program serves over MCP in addition to the operations. The product
 * adds none. The test with the official conformance suite adds those that the suite requires.
 */
export interface McpAdditions {
  readonly tools: Readonly<Record<string, AddedTool>>;
  readonly prompts: Readonly<Record<string, AddedPrompt>>;
  readonly resources: readonly AddedResource[];
  /** URI templates of resources that `read` can return. */
  readonly templates: readonly Record<string, unknown>[];
  /** Returns the contents of a resource that the embedding program adds, or undefined if it adds none with this URI. */
  read(uri: string): Record<string, unknown>[] | undefined;
  complete(params: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined;
  /**
   * Called for every subscription stream. `tell` notifies the client that the list of the given kind has changed.
   * Returns a function that removes the listener.
   */
  listen(kind: ListKind, tell: () => void): () => void;
}

export type ListKind = 'tools' | 'prompts';

export interface AddedTool {
  readonly description: string;
  readonly inputSchema?: Record<string, unknown>;
  /** Whether the tool is omitted from lists. */
  readonly hidden?: true;
  call(request: AddedRequest): Record<string, unknown> | Promise<Record<string, unknown>>;
}

export interface AddedPrompt {
  readonly description: string;
  readonly arguments?: readonly Record<string, unknown>[];
  get(request: AddedRequest): Record<string, unknown>;
}

export interface AddedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface AddedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: RequestMeta;
  /** Sends a progress notification before the answer, if the request has a stream. */
  progress(progress: { done: number; total?: number; message?: string }): void;
  /** Runs work that becomes an MCP task if it takes long and the client supports tasks. */
  long(work: (signal: AbortSignal) => Promise<Record<string, unknown>>): Promise<Record<string, unknown>>;
  seal(state: string): string;
  unseal(state: string): string | undefined;
}
