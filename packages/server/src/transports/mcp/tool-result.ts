import type { BodyLink } from '../../context.ts';
import type { Answer } from '../../operation/invoke.ts';
import { RawJson } from '../../operation/raw-json.ts';
import { suggestion, type UnknownField } from '../../operation/unknown-fields.ts';

type Data = Record<string, unknown>;

/** About 5,000 tokens: whoever knows links gets one instead of a longer body. */
const maxBodyLength = 20_000;
/** What is left of a text that a link stands for. */
const shownLength = 1000;

interface ToolResultOptions {
  /**
   * Fields that nothing read: an agent that mistyped one has to hear of it, behind the text that clients parse.
   */
  readonly ignored?: readonly UnknownField[];
  /** Whether the client knows links to resources. */
  readonly links?: boolean;
}

/** An operation's answer as a tool's result. Clients of older services look for `error` beside code and message. */
export function toolResult(answer: Answer, { ignored = [], links = false }: ToolResultOptions = {}): Data {
  if (answer.word !== 'ok') {
    const { code, msg } = answer;
    return {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify({ code, msg, error: msg }) }],
      _meta: { code },
    };
  }
  const whole = (answer.data instanceof RawJson ? answer.data.parse() : answer.data) as Data;
  const link = links ? answer.link : undefined;
  const { data, said } = link ? withoutBody(whole, link) : { data: whole, said: undefined };
  const result = dataResult(data);
  const told = ignored.map((one) => `${one.path} (${suggestion(one)})`).join(', ');
  const content = [
    ...(result['content'] as unknown[]),
    ...(told === '' ? [] : [{ type: 'text', text: `Ignored unknown fields: ${told}` }]),
    ...(answer.notice === undefined ? [] : [{ type: 'text', text: answer.notice }]),
    ...(said === undefined ? [] : [{ type: 'text', text: said }]),
    ...(link && (said !== undefined || link.field === undefined) ? [linkItem(link)] : []),
  ];
  const meta = {
    ...(answer.version === undefined ? {} : { version: answer.version }),
    ...(answer.notice === undefined ? {} : { notice: answer.notice }),
    ...(ignored.length === 0 ? {} : { ignored: ignored.map(({ path }) => path) }),
  };
  return { ...result, content, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) };
}

/** The answer without the body that the link stands for, and what is said of that; as it is where the body is short. */
function withoutBody(data: Data, { field, mimeType }: BodyLink): { data: Data; said?: string } {
  const body = field === undefined ? undefined : data[field];
  if (field === undefined || typeof body !== 'string' || body.length <= maxBodyLength) return { data };
  if (!mimeType.startsWith('text/')) {
    const { [field]: _, ...rest } = data;
    return { data: rest, said: `${field} is the resource linked here.` };
  }
  // Not in the middle of a character.
  const end = body.codePointAt(shownLength - 1)! > 0xffff ? shownLength + 1 : shownLength;
  return {
    data: { ...data, [field]: body.slice(0, end) },
    said: `${field} holds the first ${end} of ${body.length} characters; the resource linked here has all of it.`,
  };
}

function linkItem({ uri, name, mimeType }: BodyLink): Data {
  return { type: 'resource_link', uri, name, mimeType };
}

export function dataResult(data: Data): Data {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
