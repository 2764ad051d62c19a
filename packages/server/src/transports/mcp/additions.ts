import type { RequestMeta } from './request-meta.ts';

/**
 * Tools, prompts and resources that are served over MCP in addition to the operations. A program that embeds the server
 * passes them. The sheaf server itself adds none; the test with the official conformance suite adds those that the
 * suite requires.
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
   * Called for every stream on which a client subscribed to changes of the list of the given kind. The embedding
   * program must call `tell` when this list changes, which notifies the client. Returns a function that removes the
   * listener.
   */
  listen(kind: ListKind, tell: () => void): () => void;
}

export type ListKind = 'tools' | 'prompts';

export interface AddedTool {
  readonly description: string;
  readonly inputSchema?: Record<string, unknown>;
  /** True if the tool is omitted from tool lists. It can be called nevertheless. */
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
  /**
   * Runs work whose answer may take long. If it does and the client supports tasks, the client gets an MCP task and
   * asks for the result later.
   */
  long(work: (signal: AbortSignal) => Promise<Record<string, unknown>>): Promise<Record<string, unknown>>;
  seal(state: string): string;
  unseal(state: string): string | undefined;
}
