import { sql } from 'kysely';
import { recordLineProblems, r, copiedRows, tables } from '../archive-imports/restoring.js';
import type { RowsOf } from '../archive-imports/restoring.js';

/** The values of a label or milestone, in the archive and here. */
type Values = Readonly<Record<string, unknown>>;

/** Attributes that are reported where they differ: those that are short with both values. */
const COMPARED = {
  label: { short: ['color'], long: ['description'], flags: ['archived'] },
  milestone: { short: ['start_date', 'due_date', 'state'], long: ['description'], flags: [] },
} as const;

const label = (name: string): string => name.replace('_', ' ');
const formatted = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : 'none');

function differences(kind: keyof typeof COMPARED, archived: Values, existing: Values): string[] {
  const { short, long, flags } = COMPARED[kind];
  return [
    ...short
      .filter((name) => (archived[name] ?? null) !== (existing[name] ?? null))
      .map((name) => `${label(name)} ${formatted(existing[name])} instead of ${formatted(archived[name])}`),
    ...long.filter((name) => (archived[name] ?? '') !== (existing[name] ?? '')).map((name) => `another ${name}`),
    ...flags
      .filter((name) => (archived[name] ?? false) !== (existing[name] ?? false))
      .map((name) => (existing[name] ? name : `not ${name}`)),
  ];
}

/**
 * Why no record is created for a row of an archive: an existing one with its title is used instead.
 * @param path of the group that owns the existing one; null for the project itself
 */
export function reusedProblem(
  kind: keyof typeof COMPARED,
  archived: Values,
  existing: Values,
  path: string | null,
): string {
  const found = differences(kind, archived, existing);
  const what = found.length === 0 ? 'nothing differs' : found.join(', ');
  return `the ${kind} of this title that is there already is used (${what}): ${path ?? 'of the project'}`;
}

const AT_ONCE = 1000;

/** Records of each row that something existing was used for what that is, and how it differs. */
export async function recordReused(
  restoring: RowsOf,
  relation: 'labels' | 'milestones',
  kind: keyof typeof COMPARED,
): Promise<void> {
  const rows = copiedRows(restoring, relation);
  for (let after = 0; ;) {
    const found = await tables(restoring)
      .selectFrom('archive_import_rows as r')
      .innerJoin(`${relation} as x` as 'labels as x', 'x.id', 'r.made_id')
      .leftJoin('routes as ro', 'ro.namespace_id', 'x.namespace_id')
      .select((eb) => [
        'r.line',
        // Without its id: an object whose id is null is read as a missing one.
        sql<Values>`${r.ref('r.data')} - 'id'`.as('data'),
        eb.fn.toJson('x').$castTo<Values>().as('existing'),
        'ro.path',
      ])
      .where(rows)
      .where('r.reused', '=', true)
      .where('r.line', '>', after)
      .orderBy('r.line')
      .limit(AT_ONCE)
      .execute();
    const problems = found.map(({ line, data, existing, path }) => ({
      line,
      problem: reusedProblem(kind, data, existing, path),
    }));
    await recordLineProblems(restoring, relation, problems);
    const last = problems.at(-1);
    if (last === undefined || problems.length < AT_ONCE) return;
    after = last.line;
  }
}
