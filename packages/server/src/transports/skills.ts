import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../lib/hash.ts';

/**
 * A skill: written instructions for AI agents, stored as a folder with a file SKILL.md in the format of agentskills.io.
 */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** MCP URI of the skill's SKILL.md file (SEP-2640). */
  readonly uri: string;
  /** HTTP path of the skill's SKILL.md file. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of SKILL.md, in the form `sha256:<hex>`. */
  readonly digest: string;
}

export const skillMimeType = 'text/markdown';

let loaded: readonly Skill[] | undefined;

/** Returns the skills of this package, ordered by name. They stay the same while the server runs. */
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
 * Parses the frontmatter of a skill file. No YAML parser is needed, because every line of our own files is a name, a
 * colon and a plain text.
 */
function frontmatterOf(text: string): Partial<Record<string, string>> {
  const lines = /^---\n([^]*?)\n---\n/.exec(text)?.[1]?.split('\n') ?? [];
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
}

/** Returns the text of the skill without its frontmatter. */
export function skillInstructions({ text }: Skill): string {
  return text.replace(/^---\n[^]*?\n---\n/, '');
}
