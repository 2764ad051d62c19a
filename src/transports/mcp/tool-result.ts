import type { Answer } from '../../operation/invoke.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { suggestion, type UnknownField } from '../../operation/unknown-fields.ts';

/**
 * An operation's answer as a tool's result. Clients of older services look for `error` beside code and message. `ignored` are
 * fields that nothing read: an agent that mistyped one has to hear of it, behind the text that clients parse.
 */
export function toolResult(answer: Answer, ignored: readonly UnknownField[] = []): Record<string, unknown> {
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
  const meta = {
    ...(answer.version === undefined ? {} : { version: answer.version }),
    ...(ignored.length === 0 ? {} : { ignored: ignored.map(({ path }) => path) }),
  };
  if (ignored.length === 0) return answer.version === undefined ? result : { ...result, _meta: meta };
  const told = ignored.map((one) => `${one.path} (${suggestion(one)})`).join(', ');
  const content = [...(result['content'] as unknown[]), { type: 'text', text: `Ignored unknown fields: ${told}` }];
  return { ...result, content, _meta: meta };
}

export function dataResult(data: Record<string, unknown>): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
