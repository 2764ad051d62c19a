import type { Answer } from '../../operation/invoke.ts';
import { RawJson } from '../../operation/raw-json.ts';

/** An operation's answer as a tool's result. Clients of older services look for `error` beside code and message. */
export function toolResult(answer: Answer): Record<string, unknown> {
  if (answer.word !== 'ok') {
    const { code, msg } = answer;
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify({ code, msg, error: msg }) }],
      _meta: { code },
    };
  }
  const data = answer.data instanceof RawJson ? answer.data.parse() : answer.data;
  const result = dataResult(data as Record<string, unknown>);
  return answer.version === undefined ? result : { ...result, _meta: { version: answer.version } };
}

export function dataResult(data: Record<string, unknown>): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
