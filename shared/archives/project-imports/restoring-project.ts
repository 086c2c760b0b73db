import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { LabelsPlace } from '../archive-imports/named-labels.js';
import { rowsOfRelation } from '../archive-imports/restoring.js';
import type { RowsOf } from '../archive-imports/restoring.js';

/** A project that is being restored; `source` is what rows of projects name as their group. */
export interface RestoringProject extends RowsOf {
  readonly project: ProjectRecord;
}

/** Brings one relation of a project back from the copied rows. */
export interface ProjectRestorer {
  readonly relation: string;
  /** The plan that it takes. */
  readonly plan?: 'premium';
  /** Rows of one step at most, each step a transaction; all in one where it says nothing. */
  readonly step?: number;
  /** Done once before the first step, for all rows. */
  prepare?(restoring: RestoringProject): Promise<void>;
  /**
   * Writes what was made of each row into its `made_id`, and into its `problem` what of it could not be restored. The
   * rows are those of the step.
   */
  restore(restoring: RestoringProject): Promise<void>;
  /** Done once behind the last step, for all rows. */
  finish?(restoring: RestoringProject): Promise<void>;
}

/** What issues and merge requests have alike lies in tables whose names begin with theirs. */
export interface RestoredIssuables {
  readonly relation: 'issues' | 'merge_requests';
  readonly name: 'issue' | 'merge_request';
  /** States that its events tell of. */
  readonly states: readonly string[];
}

/** That a label or milestone `alias` is in force in the project: its own, or one of the groups above. */
export const inForceFor = ({ project }: RestoringProject, alias: Sql): Sql => sql`
  (${alias}.project_id = ${project.id} or ${alias}.namespace_id = any(${[...project.namespace.traversal_ids]}::bigint[]))`;

/** Labels in force in the project: its own and those of the groups above it. */
export const projectLabelsPlace = (restoring: RestoringProject): LabelsPlace => ({
  ctx: restoring.ctx,
  column: sql`project_id`,
  id: restoring.project.id,
  inForce: inForceFor(restoring, sql`l`),
});

/** The id of the label or milestone of a title that is in force in the project: its own, else of the nearest group. */
export const nearestOf = (restoring: RestoringProject, table: Sql, title: Sql): Sql => sql`
  coalesce(
    (select o.id from ${table} o where o.project_id = ${restoring.project.id} and o.title = ${title}),
    (select o.id from ${table} o
      where o.namespace_id = any(${[...restoring.project.namespace.traversal_ids]}::bigint[]) and o.title = ${title}
      order by array_position(${[...restoring.project.namespace.traversal_ids]}::bigint[], o.namespace_id) desc limit 1))`;

/**
 * The milestone that the archive names, in the project's own or of a group above as it was there: both may have one of
 * the title.
 * @param named `{iid, title, group_id, project_id}`
 */
export function milestoneNamed(restoring: RestoringProject, named: Sql): Sql {
  const groups = sql`${[...restoring.project.namespace.traversal_ids]}::bigint[]`;
  return sql`
    coalesce(
      case when ${named} ->> 'group_id' is null then
        (select o.id from milestones o where o.project_id = ${restoring.project.id} and o.title = ${named} ->> 'title') end,
      (select o.id from milestones o where o.namespace_id = any(${groups}) and o.title = ${named} ->> 'title'
        order by (o.iid = (${named} ->> 'iid')::numeric) desc nulls last, array_position(${groups}, o.namespace_id) desc limit 1),
      (select o.id from milestones o where o.project_id = ${restoring.project.id} and o.title = ${named} ->> 'title'))`;
}

/** Adds to the problem of rows of the step, as `r`, that of what was made of them something is missing. */
export async function nameMissing(
  restoring: RestoringProject,
  relation: string,
  { what, when }: { what: Sql; when: Sql },
): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = concat_ws('; ', r.problem, 'is made without ' || ${what})
     where ${rowsOfRelation(restoring, relation)} and r.made_id is not null and ${when}`);
}

/** Names milestones of issues or merge requests that were of a group and that no group here has. */
export const nameMissingMilestones = (restoring: RestoringProject, { relation, name }: RestoredIssuables) =>
  nameMissing(restoring, relation, {
    what: sql`concat('its milestone ', r.data -> 'milestone' ->> 'title')`,
    when: sql`r.data -> 'milestone' ->> 'title' is not null and exists (
      select 1 from ${raw(`${name}s`)} i where i.id = r.made_id and i.milestone_id is null)`,
  });

/** The elements of a list of each row's data, as `e`, of what was made. */
export const elementsOf = (restoring: RestoringProject, relation: string, list: string): Sql => sql`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> ${list}, 'null'), '[]')) with ordinality as e (data, at)
  where ${rowsOfRelation(restoring, relation)} and r.made_id is not null`;

/** When something of an element happened: as it says, else when its row was made. */
export const elementTime = ({ ctx }: RestoringProject, name = 'created_at'): Sql => sql`
  coalesce((e.data ->> ${name})::timestamptz, (r.data ->> 'created_at')::timestamptz, ${ctx.clock.now()}::timestamptz)`;

/**
 * Keeps the numbers of a project from being given out until the transaction ends.
 * @returns the last one
 */
export async function lockProjectNumbers(
  { ctx, project }: RestoringProject,
  kind: 'issue' | 'merge_request' | 'milestone',
): Promise<number> {
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into project_counters as c (project_id, kind, last_value) values (${project.id}, ${kind}, 0)
    on conflict (project_id, kind) do update set last_value = c.last_value returning c.last_value as "last_value"`);
  return row?.last_value ?? 0;
}

/**
 * Numbers for the rows of `rows` (columns `line` and `iid`): the own one where it is free, else the next ones behind
 * all others. Columns `line` and `number`.
 */
export const projectNumbersFor = (rows: Sql, table: Sql, projectId: number, last: number): Sql => sql`
  (select k.line, case when k.kept then k.iid else
            greatest(${last}::bigint, max(k.iid) filter (where k.kept) over ()) +
              row_number() over (partition by k.kept order by k.line) end as number
     from (select s.line, s.iid, s.iid is not null and row_number() over (partition by s.iid order by s.line) = 1
                  and not exists (select 1 from ${table} t where t.project_id = ${projectId} and t.iid = s.iid) as kept
             from ${rows} s) k)`;

/** Writes down the last number that was given out. */
export async function keepProjectNumbers(
  { ctx, project }: RestoringProject,
  kind: 'issue' | 'milestone',
  table: Sql,
): Promise<void> {
  await ctx.query(sql`
    update project_counters c
       set last_value = greatest(c.last_value, (select max(t.iid) from ${table} t where t.project_id = ${project.id}))
     where c.project_id = ${project.id} and c.kind = ${kind}`);
}

/**
 * Gives all rows that have no problem their numbers and ids, before any is restored: what is made meanwhile by others
 * gets later ones.
 */
export async function numberRows(restoring: RestoringProject, { relation, name }: RestoredIssuables): Promise<void> {
  const { ctx, project } = restoring;
  const last = await lockProjectNumbers(restoring, name);
  const table = raw(`${name}s`);
  const rows = sql`
    (select f.line, (f.data ->> 'iid')::integer as iid from archive_import_rows f
      where ${rowsOfRelation(restoring, relation, sql`f`)} and f.problem is null)`;
  await ctx.query(sql`
    update archive_import_rows r set number = n.number, made_id = nextval(pg_get_serial_sequence(${`${name}s`}, 'id'))
      from ${projectNumbersFor(rows, table, project.id, last)} n
     where ${rowsOfRelation(restoring, relation)} and r.line = n.line`);
  await ctx.query(sql`
    update project_counters c
       set last_value = greatest(c.last_value, (select max(r.number) from archive_import_rows r
                                                 where ${rowsOfRelation(restoring, relation)}))
     where c.project_id = ${project.id} and c.kind = ${name}`);
}
