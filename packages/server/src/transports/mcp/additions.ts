import type { RequestMeta } from './request.ts';

/**
 * What a program that embeds the server serves over MCP beside its operations. The product adds nothing; the official
 * conformance suite asks for tools, prompts and resources of given names, and its test adds them.
 */
export interface McpAdditions {
  readonly tools: Readonly<Record<string, AddedTool>>;
  readonly prompts: Readonly<Record<string, AddedPrompt>>;
  readonly resources: readonly AddedResource[];
  /** Templates whose resources `read` knows. */
  readonly templates: readonly Record<string, unknown>[];
  /** The contents of an address, if it is one of the additions'. */
  read(uri: string): Record<string, unknown>[] | undefined;
  complete(params: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined;
  /** Called for every stream that listens: tells which of these notifications it wants. Returns how to stop. */
  listen(kind: ListKind, tell: () => void): () => void;
}

export type ListKind = 'tools' | 'prompts';

export interface AddedTool {
  readonly description: string;
  readonly inputSchema?: Record<string, unknown>;
  /** Not in lists. */
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
  /** Before the answer, where the request has a stream for it. */
  progress(progress: { done: number; total?: number; message?: string }): void;
  /** Runs what may become a task, where the client knows them. */
  long(work: (signal: AbortSignal) => Promise<Record<string, unknown>>): Promise<Record<string, unknown>>;
  seal(state: string): string;
  unseal(state: string): string | undefined;
}
