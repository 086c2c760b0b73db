import { raw, sql } from '../../core/sql.js';
import { rowsOfRelation, timeOf } from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

/** Rules by name: where there is one already, the archive's is left out. */
async function restoreRules(restoring: RestoringProject, kind: 'branch' | 'tag', actions: string[]): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const relation = kind === 'branch' ? 'protected_branches' : 'protected_tags';
  const flags = kind === 'branch' ? sql`, allow_force_push, code_owner_approval_required` : sql``;
  const values =
    kind === 'branch'
      ? sql`, coalesce((r.data ->> 'allow_force_push')::boolean, false),
              coalesce((r.data ->> 'code_owner_approval_required')::boolean, false) and ${ctx.hasPlan('premium')}::boolean`
      : sql``;
  await ctx.query(sql`
    with made as (
      insert into ${raw(relation)} (project_id, name ${flags}, created_at, updated_at)
      select ${project.id}::bigint, r.data ->> 'name' ${values},
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, relation)} order by r.line
      on conflict (project_id, name) do nothing returning id, name)
    update archive_import_rows r set made_id = m.id from made m
     where ${rowsOfRelation(restoring, relation)} and m.name = r.data ->> 'name'
       and not exists (select 1 from archive_import_rows b where ${rowsOfRelation(restoring, relation, sql`b`)}
                         and b.data ->> 'name' = m.name and b.line < r.line)`);
  await ctx.query(sql`
    update archive_import_rows r set problem = 'name has already been taken'
     where ${rowsOfRelation(restoring, relation)} and r.made_id is null`);
  await ctx.query(sql`
    insert into ${raw(`protected_${kind}_access_levels`)} (project_id, ${raw(`protected_${kind}_id`)}, action, access_level)
    select ${project.id}::bigint, r.made_id, a.action, (e.data ->> 'access_level')::integer
      from archive_import_rows r cross join unnest(${actions}::text[]) as a (action),
           jsonb_array_elements(r.data -> (a.action || '_access_levels')) e (data)
     where ${rowsOfRelation(restoring, relation)} and r.made_id is not null
     order by r.line, a.action`);
}

export const protectedBranchRestorer: Restorer<RestoringProject> = {
  relation: 'protected_branches',
  restore: (restoring) => restoreRules(restoring, 'branch', ['push', 'merge', 'unprotect']),
};

export const protectedTagRestorer: Restorer<RestoringProject> = {
  relation: 'protected_tags',
  restore: (restoring) => restoreRules(restoring, 'tag', ['create']),
};
