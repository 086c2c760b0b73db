import { sql } from 'kysely';
import { unnested } from '../../core/database/expressions.js';
import {
  arrayElements,
  attribute,
  containerId,
  copiedRows,
  flag,
  integerAt,
  r,
  tables,
  time,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

/** Both kinds of rules have tables with the same structure, except for branch flags: typed like those of branches. */
const RULES = {
  protected_branches: { levels: 'protected_branch_access_levels', column: 'protected_branch_id' },
  protected_tags: {
    levels: 'protected_tag_access_levels' as 'protected_branch_access_levels',
    column: 'protected_tag_id' as 'protected_branch_id',
  },
} as const;
type Rules = keyof typeof RULES;

/** Creates the rules whose names are free. There is one row per name. */
async function makeRules(restoring: RestoringProject, relation: Rules): Promise<void> {
  const { ctx } = restoring;
  const isBranches = relation === 'protected_branches';
  const name = attribute('name').$notNull();
  const rows = copiedRows(restoring, relation);
  await tables(restoring)
    .with('inserted', (db) =>
      db
        .insertInto(relation as 'protected_branches')
        .columns([
          ...(['project_id', 'name', 'created_at', 'updated_at'] as const),
          ...(isBranches ? (['allow_force_push', 'code_owner_approval_required'] as const) : []),
        ])
        .expression((eb) =>
          eb
            .selectFrom('archive_import_rows as r')
            .select([
              containerId(restoring).as('project_id'),
              name.as('name'),
              time(restoring, 'created_at').as('created_at'),
              time(restoring, 'updated_at').as('updated_at'),
            ])
            .$if(isBranches, (query) =>
              query.select([
                flag('allow_force_push').as('allow_force_push'),
                eb
                  .and([flag('code_owner_approval_required'), sql.lit(ctx.hasPlan('premium'))])
                  .as('code_owner_approval_required'),
              ]),
            )
            .where(rows)
            .orderBy('r.line'),
        )
        .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
        .returning(['id', 'name']),
    )
    .updateTable('archive_import_rows as r')
    .from('inserted as m')
    .set((eb) => ({ made_id: eb.ref('m.id') }))
    .where(rows)
    .where('m.name', '=', name)
    .execute();
}

/** Rules by name: where there is one already, the archive's is left out. */
async function restoreRules(restoring: RestoringProject, relation: Rules, actions: string[]): Promise<void> {
  const { levels, column } = RULES[relation];
  const rows = copiedRows(restoring, relation);
  await makeRules(restoring, relation);
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: 'name has already been taken' })
    .where(rows)
    .where('r.made_id', 'is', null)
    .execute();
  await tables(restoring)
    .insertInto(levels)
    .columns(['project_id', column, 'action', 'access_level'])
    .expression((eb) =>
      eb
        .selectFrom([
          'archive_import_rows as r',
          unnested(actions, 'text').as('a'),
          arrayElements(sql`${r.ref('r.data')} -> (${sql.ref('a.value')} || '_access_levels')`),
        ])
        .select([
          containerId(restoring).as('project_id'),
          'r.made_id',
          'a.value',
          integerAt('e.data', 'access_level').as('access_level'),
        ])
        .where(rows)
        .where('r.made_id', 'is not', null)
        .orderBy('r.line')
        .orderBy('a.value'),
    )
    .execute();
}

export const protectedBranchRestorer: Restorer<RestoringProject> = {
  relation: 'protected_branches',
  restore: (restoring) => restoreRules(restoring, 'protected_branches', ['push', 'merge', 'unprotect']),
};

export const protectedTagRestorer: Restorer<RestoringProject> = {
  relation: 'protected_tags',
  restore: (restoring) => restoreRules(restoring, 'protected_tags', ['create']),
};
