import { sql } from '../../core/sql.js';
import { rowsOfRelation, timeOf } from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

const ENVIRONMENTS = 'environments';
const PROTECTED = 'protected_environments';

/** The first row of each name gets an id, where the project has nothing of that name; of others it is told why not. */
async function giveIds(restoring: RestoringProject, table: 'environments' | 'protected_environments'): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const taken =
    table === ENVIRONMENTS
      ? sql`exists (select 1 from environments t where t.project_id = ${project.id} and t.name = r.data ->> 'name')`
      : sql`exists (select 1 from protected_environments t where t.project_id = ${project.id} and t.name = r.data ->> 'name')`;
  await ctx.query(sql`
    update archive_import_rows r
       set made_id = case when x.free then nextval(pg_get_serial_sequence(${table}, 'id')) end,
           problem = case when not x.free then 'name has already been taken' end
      from (select r.line, not ${taken} and row_number() over (partition by r.data ->> 'name' order by r.line) = 1 as free
              from archive_import_rows r where ${rowsOfRelation(restoring, table)}) x
     where ${rowsOfRelation(restoring, table)} and r.line = x.line`);
}

export const environmentRestorer: Restorer<RestoringProject> = {
  relation: ENVIRONMENTS,
  async restore(restoring) {
    const {
      ctx,
      container: { record: project },
    } = restoring;
    await giveIds(restoring, ENVIRONMENTS);
    // A slug that is taken gets another end, as that of a name does which cannot be a slug.
    await ctx.query(sql`
      insert into environments (id, project_id, name, slug, external_url, description, state, tier, auto_stop_at,
                                auto_stop_setting, kubernetes_namespace, flux_resource_path, created_at, updated_at)
      select r.made_id, ${project.id}::bigint, r.data ->> 'name',
             case when row_number() over (partition by r.data ->> 'slug' order by r.line) = 1
                   and not exists (select 1 from environments t where t.project_id = ${project.id} and t.slug = r.data ->> 'slug')
                  then r.data ->> 'slug'
                  else left(r.data ->> 'slug', 17) || '-' || left(md5(gen_random_uuid()::text), 6) end,
             r.data ->> 'external_url', r.data ->> 'description', r.data ->> 'state', r.data ->> 'tier',
             (r.data ->> 'auto_stop_at')::timestamptz, r.data ->> 'auto_stop_setting', r.data ->> 'kubernetes_namespace',
             r.data ->> 'flux_resource_path', ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, ENVIRONMENTS)} and r.made_id is not null
       order by r.line`);
  },
};

/** Who may deploy where, by roles. */
export const protectedEnvironmentRestorer: Restorer<RestoringProject> = {
  relation: PROTECTED,
  plan: 'premium',
  async restore(restoring) {
    const {
      ctx,
      container: { record: project },
    } = restoring;
    const made = sql`${rowsOfRelation(restoring, PROTECTED)} and r.made_id is not null`;
    await giveIds(restoring, PROTECTED);
    await ctx.query(sql`
      insert into protected_environments (id, project_id, name, required_approval_count, created_at, updated_at)
      select r.made_id, ${project.id}::bigint, r.data ->> 'name', (r.data ->> 'required_approval_count')::integer,
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${made} order by r.line`);
    await ctx.query(sql`
      insert into protected_environment_deploy_levels (protected_environment_id, access_level, group_inheritance_type)
      select r.made_id, (e.data ->> 'access_level')::integer, (e.data ->> 'group_inheritance_type')::integer
        from archive_import_rows r cross join jsonb_array_elements(r.data -> 'deploy_access_levels')
             with ordinality as e (data, at)
       where ${made} order by r.line, e.at`);
    await ctx.query(sql`
      insert into protected_environment_approval_rules
        (protected_environment_id, access_level, group_inheritance_type, required_approvals)
      select r.made_id, (e.data ->> 'access_level')::integer, (e.data ->> 'group_inheritance_type')::integer,
             (e.data ->> 'required_approvals')::integer
        from archive_import_rows r cross join jsonb_array_elements(r.data -> 'approval_rules')
             with ordinality as e (data, at)
       where ${made} order by r.line, e.at`);
  },
};
