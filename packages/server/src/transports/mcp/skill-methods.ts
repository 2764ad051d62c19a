import { formatValue } from '../../kernel/parse-input.ts';
import { skillInstructions, skillMimeType, skills, type Skill } from '../skills.ts';
import { rpcErrorCodes, isObject, RpcError } from './json-rpc.ts';

/**
 * Name of the MCP extension that serves skills, which are written instructions for agents (SEP-2640). The same skills
 * are also offered as prompts.
 */
export const skillsExtension = 'io.modelcontextprotocol/skills';

type Data = Record<string, unknown>;

export function listSkills(): Data {
  return { skills: skills().map(skillEntry) };
}

export function getSkill({ uri }: Readonly<Data>): Data {
  const skill = skills().find((one) => one.uri === uri);
  if (!skill) throw new RpcError(rpcErrorCodes.invalidParams, `uri: skill not found: ${formatValue(uri)}`);
  return { skill: skillEntry(skill) };
}

function skillEntry({ uri, name, description, digest, text }: Skill): Data {
  return { uri, frontmatter: { name, description }, resources: [{ uri, digest, size: Buffer.byteLength(text) }] };
}

export function skillResources(): Data[] {
  return skills().map(({ uri, name, description }) => ({ uri, name, description, mimeType: skillMimeType }));
}

/** Returns the contents of a skill's file, or undefined if the URI is not the URI of a skill. */
export function readSkill(uri: string): Data[] | undefined {
  const skill = skills().find((one) => one.uri === uri);
  return skill && [{ uri, mimeType: skillMimeType, text: skill.text }];
}

const maxTaskLength = 4000;

export function listPrompts(): Data[] {
  return skills().map(({ name, description }) => ({
    name,
    title: titleOf(name),
    description,
    arguments: [{ name: 'task', description: 'What is to be done.', required: false }],
  }));
}

/**
 * Returns the message of a prompt: the text of the skill of this name, preceded by the task that the user gave.
 * Undefined if there is no such skill.
 */
export function getPrompt({ name, arguments: given }: Readonly<Data>): Data | undefined {
  const skill = skills().find((one) => one.name === name);
  if (!skill) return undefined;
  const task = isObject(given) ? given['task'] : undefined;
  if (task !== undefined && (typeof task !== 'string' || task.length > maxTaskLength))
    throw new RpcError(
      rpcErrorCodes.invalidParams,
      `arguments.task: must be a string of at most ${maxTaskLength} characters (got ${formatValue(task)})`,
    );
  const text = task ? `${task}\n\nWork by this recipe:\n\n${skillInstructions(skill)}` : skillInstructions(skill);
  return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}
