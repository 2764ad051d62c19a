import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../lib/hash.ts';

/** A recipe for agents: a folder with a file SKILL.md, in the format of agentskills.io. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** URI of its SKILL.md over MCP (SEP-2640). */
  readonly uri: string;
  /** Path of the same file over HTTP. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the file, as `sha256:<hex>`. */
  readonly digest: string;
}

export const skillMimeType = 'text/markdown';

let loaded: readonly Skill[] | undefined;

/** Returns the skills of the package, by name. They never change while the server runs. */
export function skills(): readonly Skill[] {
  return (loaded ??= readSkills(skillsFolder()));
}

/** Returns the folder of the skills: next to the server's bundle, or in the package when run from source. */
function skillsFolder(): string {
  const places = ['./skills', '../../skills'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('the skills are not built; run npm run build');
  return found;
}

function readSkills(folder: string): Skill[] {
  return readdirSync(folder)
    .sort()
    .map((directory) => {
      const text = readFileSync(join(folder, directory, 'SKILL.md'), 'utf8');
      const { name, description } = frontmatterOf(text);
      if (name !== directory || description === undefined)
        throw new Error(`the skill ${directory} must name itself and say what it is for`);
      return {
        name,
        description,
        uri: `skill://${name}/SKILL.md`,
        path: `/skills/${name}/SKILL.md`,
        text,
        digest: `sha256:${sha256(text)}`,
      };
    });
}

/**
 * Returns the fields of the frontmatter. No YAML parser is needed, because in our own files every line is a name, a
 * colon and a plain text.
 */
function frontmatterOf(text: string): Partial<Record<string, string>> {
  const lines = /^---\n([^]*?)\n---\n/.exec(text)?.[1]?.split('\n') ?? [];
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

/** Returns the skill without its frontmatter. */
export function skillBody({ text }: Skill): string {
  return text.replace(/^---\n[^]*?\n---\n/, '');
}
