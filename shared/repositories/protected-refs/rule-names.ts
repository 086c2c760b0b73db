import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool, Kysely } from 'kysely';
import { likeLiteral, anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import type { Context } from '../../core/context/context.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';

const MAX_NAME = 255;

/** Problems with the name of a rule: a ref's name, or a pattern with `*`. */
export function ruleNameProblems(name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  return name.length > MAX_NAME ? [`Name is too long (maximum is ${MAX_NAME} characters)`] : [];
}

/** Rules `r` whose name contains a text. */
export const nameContains = (search: string): Expression<SqlBool> =>
  expressionBuilder<Aliased<RepositoriesDatabase, { r: 'protected_branches' }>, 'r'>()(
    'r.name',
    'ilike',
    `%${likeLiteral(search)}%`,
  );

const countBranches = prepareQuery(
  (db: Kysely<RepositoriesDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom('protected_branches as r')
      .innerJoin('repository_refs as f', (join) =>
        join
          .onRef('f.project_id', '=', 'r.project_id')
          .on((on) => on('f.full_name', 'like', on(constant<string>('refs/heads/'), '||', on.ref('r.name_pattern')))),
      )
      .select((eb) => ['r.id', eb.fn.countAll<number>().as('branches')])
      .where('r.id', '=', anyOf(ids, 'bigint'))
      .groupBy('r.id'),
);

/** How many branches each rule, by its id, holds for; a rule that holds for none is missing. */
export async function countMatchingBranches(ctx: Context, ruleIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await countBranches(ctx, { ids: ruleIds });
  return new Map(rows.map((row) => [row.id, row.branches]));
}
