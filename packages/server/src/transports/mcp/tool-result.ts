import type { BodyLink } from '../../context.ts';
import type { Answer } from '../../kernel/invoker.ts';
import { RawJson } from '../../kernel/raw-json.ts';
import { suggestField, type UnknownField } from '../../kernel/unknown-fields.ts';

type Data = Record<string, unknown>;

/**
 * Maximum length in characters, about 5,000 tokens, of the main text in a tool result. Clients that support resource
 * links get a link instead of a longer text.
 */
const maxBodyLength = 20_000;
/** Length in characters of the excerpt that a tool result shows next to the link to the whole text. */
const shownLength = 1000;

interface ToolResultOptions {
  /**
   * Unknown fields of the input. They are reported in a second text block of the result, so that an agent notices a
   * typo, and clients can still parse the first block as the answer's JSON.
   */
  readonly ignored?: readonly UnknownField[];
  readonly links?: boolean;
  /** The answer's picture, as base64. */
  readonly image?: string | undefined;
}

/**
 * Converts an operation's answer to a tool result. A failed result also has the message in the field `error`, where
 * clients that were written for older services look for it.
 */
export function toolResult(answer: Answer, { ignored = [], links = false, image }: ToolResultOptions = {}): Data {
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
  const field = image === undefined ? undefined : answer.picture?.field;
  const result = dataResult(field === undefined ? data : { ...data, [field]: '' });
  const told = ignored.map((one) => `${one.path} (${suggestField(one)})`).join(', ');
  const content = [
    ...(result['content'] as unknown[]),
    ...(image === undefined ? [] : [{ type: 'image', data: image, mimeType: answer.picture!.mimeType }]),
    ...(told === '' ? [] : [{ type: 'text', text: `Ignored unknown fields: ${told}` }]),
    ...(answer.notice === undefined ? [] : [{ type: 'text', text: answer.notice }]),
    ...(tellsNothing(data, answer) ? [{ type: 'text', text: `version ${answer.version}` }] : []),
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

/**
 * Returns whether an answer has no content except the new version of the changed object. The version is then added as
 * text, because models do not see metadata and need the version to undo the change.
 */
function tellsNothing(data: Data, { version, notice }: Answer): boolean {
  return version !== undefined && notice === undefined && Object.keys(data).length === 0;
}

/** Maximum size in bytes of a stored picture that is sent to a model. Rendered pictures have a limit of pixels instead. */
const maxImageBytes = 3 * 2 ** 20;

/**
 * Returns the picture that belongs to an answer, as base64. Undefined if there is none, or if it is a stored picture
 * that is too large for a model.
 */
export async function loadImage({ data, picture }: Answer): Promise<string | undefined> {
  if (!picture) return undefined;
  if (picture.field !== undefined) {
    const whole = (data instanceof RawJson ? data.parse() : data) as Data;
    return String(whole[picture.field]);
  }
  const bytes = await picture.load?.();
  return bytes && bytes.length <= maxImageBytes
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    : undefined;
}

/**
 * Replaces the linked field of an answer by an excerpt if its text is too long, and returns a remark about this for the
 * model. A short field stays unchanged.
 */
function withoutBody(data: Data, { field, mimeType }: BodyLink): { data: Data; said?: string } {
  const body = field === undefined ? undefined : data[field];
  if (field === undefined || typeof body !== 'string' || body.length <= maxBodyLength) return { data };
  // The content is binary, so there is no excerpt. Keep the field with an empty value, because the tool's output schema
  // requires it.
  if (!mimeType.startsWith('text/'))
    return { data: { ...data, [field]: '' }, said: `${field} is the resource linked here.` };
  // Do not split a surrogate pair (a character of two code units) at the end of the excerpt.
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
