import type { Kysely } from 'kysely';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Context } from '../../core/context/context.js';
import { project } from './project.finder.js';
import { projectPolicy } from './project.policy.js';

export interface LanguageShare {
  name: string;
  /** Percent of the bytes, to two decimals. */
  share: number;
}

interface Row {
  project_id: number;
  name: string;
  bytes: number;
}

function getShares(rows: readonly Row[]): LanguageShare[] {
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return rows.map(({ name, bytes }) => ({ name, share: Math.round((bytes / all) * 10_000) / 100 }));
}

const findLanguages = prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('project_languages as l')
    .select(['l.project_id', 'l.name', 'l.bytes'])
    .where('l.project_id', '=', anyOf(ids, 'bigint'))
    .orderBy('l.bytes', 'desc')
    .orderBy('l.name'),
);

/** The languages of projects by their ids, the largest share first; a project without any is not in it. */
export async function languagesById(ctx: Context, ids: readonly number[]): Promise<Map<number, LanguageShare[]>> {
  const rows = await findLanguages(ctx, { ids });
  const byProject = Map.groupBy(rows, (row) => row.project_id);
  return new Map([...byProject].map(([id, found]) => [id, getShares(found)]));
}

/** Read the languages of a project. Requires read access to its code. */
export const getProjectLanguages = operation({
  name: 'getProjectLanguages',
  summary: 'Read the languages of a project',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 3,
  run: async (ctx, found) =>
    Object.fromEntries(
      ((await languagesById(ctx, [found.id])).get(found.id) ?? []).map(({ name, share }) => [name, share]),
    ),
});
