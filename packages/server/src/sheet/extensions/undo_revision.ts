import { z } from 'zod';
import type { Context } from '../../context.ts';
import { fail } from '../../operation/errors.ts';
import { integer } from '../../operation/fields.ts';
import type { Revision } from '../../ports/sheet-store.ts';
import { besideOf, type Mutation } from '@sheaf/engine/internal/mutations';
import { independentOf } from '../calls/independent.ts';
import { readLogged } from '../calls/logged-tool.ts';
import { changesField, done, fileFields, fileIdOf } from '../schema.ts';
import { maxRevisionBytes } from '../calls/revision-size.ts';
import { againWhenStale, refuseStale } from '../calls/stale.ts';
import { writeTool } from '../calls/tool.ts';

const revisionsTogether = 100;
const maxLater = 5000;

const loaded = z.object({
  from: z.number(),
  inverse: z.string(),
  later: z.array(z.object({ version: z.number(), mutations: z.string() })),
});

const input = z.object({
  ...fileFields,
  version: integer('Revision to undo, from get_history.', { min: 1 }),
  ...changesField,
});

const tool = writeTool({
  name: 'undo_revision',
  summary:
    "Undoes one revision's changes to cells; refused if a later one changed or moved the same cells. To return to an " +
    'earlier state use revert.',
  effect: 'destroy',
  input,
  output: done,
  prepare: load,
  plan(document, given, call) {
    const { from, inverse, later } = loaded.parse((given as { loaded?: unknown }).loaded);
    refuseStale(from, call.version);
    const undoing = JSON.parse(inverse) as Mutation[];
    for (const { version, mutations } of later) {
      const why = independentOf(document, undoing, JSON.parse(mutations) as Mutation[]);
      if (why !== undefined)
        throw fail(
          'conflict',
          `version: revision ${given.version} cannot be undone on its own, because revision ${version} ${why}; use revert`,
        );
    }
    const own = independentOf(document, undoing, []);
    if (own !== undefined) throw fail('conflict', `version: revision ${given.version} ${own}; use revert`);
    // Do not shrink the grid if there are later revisions, since they may use the new cells.
    return { mutations: later.length > 0 ? undoing.filter((one) => besideOf(one).undone !== 'dropped') : undoing };
  },
});

async function load(given: z.output<typeof input>, context: Context): Promise<z.output<typeof input>> {
  const { document } = await context.documents.access(context, fileIdOf(given), 'editor');
  if (given.version > document.version)
    throw fail('no_such_object', `version: the latest version is ${document.version} (got ${given.version})`);
  const revisions: Revision[] = [];
  let bytes = 0;
  for (let after = given.version - 1; ;) {
    const page = await context.sheets.revisions(document.id, after, revisionsTogether);
    for (const one of page) {
      bytes += one.mutations.length;
      revisions.push(one);
    }
    if (revisions.length > maxLater || bytes > maxRevisionBytes)
      throw fail('limit_exceeded', 'version: too much has changed since; use revert');
    if (page.length < revisionsTogether) break;
    after = page.at(-1)!.version;
  }
  const target = revisions[0];
  if (target?.version !== given.version)
    throw fail('no_such_object', `version: there is no revision ${given.version} in the log`);
  const later = standing(revisions, given.version).map(({ version, mutations }) => ({ version, mutations }));
  return { ...given, loaded: { from: revisions.at(-1)!.version, inverse: target.inverse, later } } as z.output<
    typeof input
  >;
}

/** The later revisions that are still in effect: leaves out undone revisions and the ones that undid them. */
function standing(revisions: readonly Revision[], target: number): Revision[] {
  const found: Revision[] = [];
  const gone = new Set<number>();
  for (let version = target + revisions.length - 1; version > target;) {
    const revision = revisions[version - target]!;
    const { revertedTo, undid } = readLogged(revision.tool);
    if (gone.has(version)) version--;
    else if (undid === target || (revertedTo !== undefined && revertedTo < target))
      throw fail('conflict', `version: revision ${target} was already undone by revision ${version}`);
    else if (revertedTo !== undefined) version = revertedTo;
    else {
      if (undid !== undefined && undid > target) gone.add(undid);
      else found.push(revision);
      version--;
    }
  }
  return found;
}

export const undo_revision: typeof tool = { ...tool, run: againWhenStale(tool.run) };
