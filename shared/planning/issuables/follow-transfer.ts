import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { issueType, mergeRequestType } from './issuable-type.js';
import type { IssuableType } from './issuable-type.js';

/*
 * A project that goes elsewhere leaves the labels and milestones of its old groups behind. As in the public API, those
 * that its issues and merge requests have become its own, or are those of the same title where it goes to.
 */

/** Labels of groups that projects are no longer in, with the project that has them on issues. */
const lostLabels = ({ table, labels, column }: IssuableType, projects: Fragment): Fragment => sql`
  select distinct p.id as project_id, n.traversal_ids, l.id, l.title, l.color, l.description
    from projects p join namespaces n on n.id = p.namespace_id join ${table} i on i.project_id = p.id
    join ${labels} x on x.${column} = i.id join labels l on l.id = x.label_id
   where ${projects} and l.namespace_id is not null and l.namespace_id <> all(n.traversal_ids)`;

/** What a project has of that title, of its own or of its groups. */
const availableLabel: Fragment = sql`
  select a.id from labels a
   where a.title = lost.title and (a.project_id = lost.project_id or a.namespace_id = any(lost.traversal_ids))
   order by a.project_id nulls last, a.id limit 1`;

async function bringLabels(ctx: Context<Caller>, type: IssuableType, projects: Fragment): Promise<void> {
  const { table, labels, column } = type;
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into labels (project_id, title, color, description, archived, created_at, updated_at)
    select lost.project_id, lost.title, min(lost.color), min(lost.description), false, ${now}, ${now}
      from (${lostLabels(type, projects)}) lost where not exists (${availableLabel})
     group by lost.project_id, lost.title order by 1, 2
    on conflict (project_id, title) where project_id is not null do nothing`);
  await ctx.query(sql`
    with lost as materialized (${lostLabels(type, projects)}),
    gone as (
      delete from ${labels} x using lost, ${table} i
       where x.label_id = lost.id and i.id = x.${column} and i.project_id = lost.project_id
      returning x.${column} as record_id, x.project_id, (${availableLabel}) as label_id)
    insert into ${labels} (project_id, ${column}, label_id)
    select distinct gone.project_id, gone.record_id, gone.label_id from gone on conflict do nothing`);
}

interface LostMilestone {
  project_id: number;
  id: number;
  title: string;
  /** What the project has of that title. */
  other: number | null;
}

function lostMilestones(ctx: Context<Caller>, { table }: IssuableType, projects: Fragment): Promise<LostMilestone[]> {
  return ctx.query<LostMilestone>(sql`
    select distinct p.id as "project_id", m.id as "id", m.title as "title",
           (select o.id from milestones o where o.title = m.title
               and (o.project_id = p.id or o.namespace_id = any(n.traversal_ids))
             order by o.project_id nulls last, o.id limit 1) as "other"
      from projects p join namespaces n on n.id = p.namespace_id join ${table} i on i.project_id = p.id
      join milestones m on m.id = i.milestone_id
     where ${projects} and m.namespace_id is not null and m.namespace_id <> all(n.traversal_ids)
     order by 1, 2`);
}

/** The milestones of groups as milestones of the projects, under their next numbers. */
async function copyMilestones(ctx: Context<Caller>, wanted: readonly LostMilestone[]): Promise<void> {
  if (wanted.length === 0) return;
  const now = ctx.clock.now();
  await ctx.query(sql`
    with wanted as (
      select w.project_id, m.title, min(m.id) as id
        from unnest(${wanted.map((one) => one.project_id)}::bigint[], ${wanted.map(({ id }) => id)}::bigint[])
          as w (project_id, id) join milestones m on m.id = w.id group by 1, 2),
    numbers as (
      insert into project_counters (project_id, kind, last_value)
      select w.project_id, 'milestone', count(*) from wanted w group by 1 order by 1
      on conflict (project_id, kind) do update set last_value = project_counters.last_value + excluded.last_value
      returning project_id, last_value)
    insert into milestones (project_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
    select w.project_id, numbers.last_value + 1 - row_number() over (partition by w.project_id order by m.id desc),
           m.title, m.description, m.state, m.start_date, m.due_date, ${now}, ${now}
      from wanted w join numbers on numbers.project_id = w.project_id join milestones m on m.id = w.id`);
}

async function bringMilestones(ctx: Context<Caller>, type: IssuableType, projects: Fragment): Promise<void> {
  const lost = await lostMilestones(ctx, type, projects);
  if (lost.length === 0) return;
  await copyMilestones(
    ctx,
    lost.filter(({ other }) => other === null),
  );
  const found = await lostMilestones(ctx, type, projects);
  await ctx.query(sql`
    update ${type.table} i set milestone_id = u.other
      from unnest(${found.map((one) => one.project_id)}::bigint[], ${found.map(({ id }) => id)}::bigint[],
                  ${found.map(({ other }) => other)}::bigint[]) as u (project_id, id, other)
     where i.project_id = u.project_id and i.milestone_id = u.id`);
}

async function follow(ctx: Context<Caller>, projects: Fragment): Promise<void> {
  for (const type of [issueType, mergeRequestType]) {
    await bringLabels(ctx, type, projects);
    await bringMilestones(ctx, type, projects);
  }
}

/** Gives what a project has on its issues and merge requests to it, once it was transferred. */
export const followProjectTransfer = (ctx: Context<Caller>, projectId: number): Promise<void> =>
  follow(ctx, sql`p.id = ${projectId}`);

/** The same for all projects in and below a group that was transferred. */
export const followGroupTransfer = (ctx: Context<Caller>, groupId: number): Promise<void> =>
  follow(ctx, sql`n.traversal_ids @> array[${groupId}]::bigint[]`);
