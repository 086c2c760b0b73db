import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/*
 * One group has many projects with issues, the first of them a tenth of all issues, the others two tenths. The rest lies
 * in projects all over the instance.
 */

/** Labels of the group with many projects. */
export const GROUP_LABELS = 40;
/** Labels of each project with issues. */
export const LABELS = 10;
/** Links that the oldest issue of the fullest project has. */
const MANY_LINKS = 100;

/** Ids of labels of groups lie below these. */
export const PROJECT_LABELS = BASE + 100;

/** The group whose projects have the most issues. */
export const planningGroupId = (sizes: Sizes): number => groupId(sizes, 1);
/** The project with a tenth of all issues. */
export const PLANNING_PROJECT = BASE + 1;
/** The oldest issue there has links to a hundred others. */
export const LINKED_ISSUE = 1;
/** A project of the same group, with 200 issues. */
export const ISSUE_PROJECT = BASE + 41;
/** A project of the same group whose issues belong to epics. */
export const EPIC_ISSUES_PROJECT = BASE + 81;

/** Every fortieth project goes into the one group, before anything names its path; a group is never less visible. */
const gathered = (sizes: Sizes): string[] => [
  `create temporary table seed_planning on commit drop as
   select (i - 1) as at, ${BASE} + 1 + (i - 1) * 40 as project_id from generate_series(1, ${sizes.planningProjects}) i
   union all
   select ${sizes.planningProjects} + i - 1, ${BASE} + 2 + (i - 1) * 10 from generate_series(1, ${sizes.issueProjects}) i`,
  `delete from seed_planning s where not exists (select 1 from projects p where p.id = s.project_id)`,
  `create unique index seed_planning_at on seed_planning (at) include (project_id)`,
  `create unique index seed_planning_project on seed_planning (project_id) include (at)`,
  `update projects p set namespace_id = n.id, visibility = n.visibility
     from namespaces n, seed_planning s
    where n.id = ${planningGroupId(sizes)} and p.id = s.project_id and s.at < ${sizes.planningProjects}`,
  `update routes r set path = g.path || '/' || p.path, name = g.name || ' / ' || p.name
     from routes g, projects p, seed_planning s
    where g.namespace_id = ${planningGroupId(sizes)} and r.project_id = p.id and p.id = s.project_id
      and s.at < ${sizes.planningProjects}`,
];

const color = (of: string) => `'#' || lpad(to_hex(pg_temp.pick(${of}, 71, 16777216)), 6, '0')`;

function labels({ planningProjects, ...sizes }: Sizes): string[] {
  const group = groupId({ planningProjects, ...sizes }, 1);
  return [
    `insert into labels (id, namespace_id, title, color, description, created_at, updated_at)
     select ${BASE} + i, ${group}, 'group::' || pg_temp.noun(i, 72) || '-' || i, ${color('i')}, 'For all projects.', ${EPOCH}, ${EPOCH}
       from generate_series(1, ${GROUP_LABELS}) i`,
    `insert into labels (id, project_id, title, color, created_at, updated_at)
     select ${PROJECT_LABELS} + s.at * ${LABELS} + i, s.project_id, pg_temp.adjective(i, 73) || '-' || i, ${color('i')}, ${EPOCH}, ${EPOCH}
       from seed_planning s, generate_series(1, ${LABELS}) i`,
    `insert into label_priorities (project_id, label_id, priority)
     select s.project_id, ${PROJECT_LABELS} + s.at * ${LABELS} + i, i - 1
       from seed_planning s, generate_series(1, 3) i where s.at < ${planningProjects}`,
  ];
}

const milestoneProjects = (sizes: Sizes) => sizes.planningProjects + sizes.issueProjects;

const milestones = (sizes: Sizes): string[] => [
  `insert into milestones (id, project_id, iid, title, state, start_date, due_date, created_at, updated_at)
   select ${BASE} + i + 1, s.project_id, i / ${milestoneProjects(sizes)} + 1, 'Release ' || i / ${milestoneProjects(sizes)} + 1,
          case when i / ${milestoneProjects(sizes)} < 5 then 'closed' else 'active' end, due.day - 90, due.day, ${EPOCH}, ${EPOCH}
     from generate_series(0, ${sizes.milestones - 1}) i
     join seed_planning s on s.at = i % ${milestoneProjects(sizes)}
    cross join lateral (select date '2026-04-01' + (i / ${milestoneProjects(sizes)} * 100 + pg_temp.pick(i, 74, 90))::int as day) due`,
];

/** Which project issue `i` lies in, and its number there: they are made in turn, as in life. */
const getLocation = ({ planningProjects, issueProjects }: Sizes) => `
  select case when i % 10 = 0 then 0 when i % 10 <= 2 then 1 + q.place % ${Math.max(1, planningProjects - 1)}
              else ${planningProjects} + q.place % ${issueProjects} end as at,
         case when i % 10 = 0 then i / 10 when i % 10 <= 2 then q.place / ${Math.max(1, planningProjects - 1)} + 1
              else q.place / ${issueProjects} + 1 end as iid
    from (select case when i % 10 <= 2 then i / 10 * 2 + i % 10 - 1 else i / 10 * 7 + i % 10 - 3 end as place) q`;

const issues = (sizes: Sizes): string[] => [
  `insert into issues (id, project_id, iid, title, description, state, confidential, author_id, milestone_id, weight, due_date,
                       upvotes, user_notes_count, closed_at, closed_by_id, created_at, updated_at)
   select ${BASE} + i, s.project_id, located.iid,
          initcap(pg_temp.verb(i, 75)) || ' the ' || pg_temp.adjective(i, 76) || ' ' || pg_temp.noun(i, 77) || ' of number ' || i,
          'The ' || pg_temp.noun(i, 78) || ' does not ' || pg_temp.verb(i, 79) || ' the ' || pg_temp.adjective(i, 80) || ' '
            || pg_temp.noun(i, 81) || ' any more, since the ' || pg_temp.noun(i, 82) || ' is ' || pg_temp.adjective(i, 83) || '.',
          case when made.closed then 'closed' else 'opened' end, pg_temp.pick(i, 84, 50) = 0,
          ${BASE} + 1 + pg_temp.pick(i, 85, ${sizes.users}),
          case when pg_temp.pick(i, 86, 2) = 0 then ${BASE} + 1 + s.at
            + pg_temp.pick(i, 87, ${Math.max(1, Math.floor(sizes.milestones / milestoneProjects(sizes)))}) * ${milestoneProjects(sizes)} end,
          case when pg_temp.pick(i, 88, 2) = 0 then pg_temp.pick(i, 89, 20) end,
          case when pg_temp.pick(i, 90, 3) = 0 then date '2026-02-01' + pg_temp.pick(i, 91, 1000)::int end,
          pg_temp.pick(i, 92, 10) * pg_temp.pick(i, 93, 10) / 9, 0,
          case when made.closed then made.at + interval '20 days' end,
          case when made.closed then ${BASE} + 1 + pg_temp.pick(i, 94, ${sizes.users}) end,
          made.at, made.at + case when made.closed then interval '20 days' else pg_temp.pick(i, 95, 60) * interval '7 hours' end
     from generate_series(1, ${sizes.issues}) i
    cross join lateral (${getLocation(sizes)}) located
    cross join lateral (select ${EPOCH} + i * interval '1000 days' / ${sizes.issues} as at, pg_temp.pick(i, 96, 5) < 3 as closed) made
     join seed_planning s on s.at = located.at`,
  `insert into project_counters (project_id, kind, last_value)
   select i.project_id, 'issue', max(i.iid) from issues i group by 1
   union all
   select m.project_id, 'milestone', max(m.iid) from milestones m where m.project_id is not null group by 1`,
  `insert into project_issue_counts (project_id, opened, opened_confidential)
   select i.project_id, count(*), count(*) filter (where i.confidential) from issues i where i.state = 'opened' group by 1`,
];

/** In the one group an issue has two labels of it and one of its project; elsewhere three of its project. */
const getLabels = (sizes: Sizes) => `case when s.at < ${sizes.planningProjects} then array[
    ${BASE} + 1 + pg_temp.pick(i.id, 97, ${GROUP_LABELS / 2}),
    ${BASE} + 1 + ${GROUP_LABELS / 2} + pg_temp.pick(i.id, 98, ${GROUP_LABELS / 2}),
    ${PROJECT_LABELS} + s.at * ${LABELS} + 1 + pg_temp.pick(i.id, 99, ${LABELS})]
  else array[
    ${PROJECT_LABELS} + s.at * ${LABELS} + 1 + pg_temp.pick(i.id, 97, 4),
    ${PROJECT_LABELS} + s.at * ${LABELS} + 5 + pg_temp.pick(i.id, 98, 3),
    ${PROJECT_LABELS} + s.at * ${LABELS} + 8 + pg_temp.pick(i.id, 99, 3)] end`;

const related = (sizes: Sizes): string[] => [
  `insert into issue_labels (project_id, issue_id, label_id, closed, confidential)
   select i.project_id, i.id, l.id, i.state = 'closed', i.confidential
     from issues i join seed_planning s on s.project_id = i.project_id cross join lateral unnest(${getLabels(sizes)}) l (id)`,
  `insert into issue_assignees (project_id, issue_id, user_id)
   select i.project_id, i.id, ${BASE} + 1 + pg_temp.pick(i.id, 101, ${sizes.users}) from issues i where i.id % 2 = 0`,
  // Each names a later issue, so that no pair comes twice; most lie near each other.
  `insert into issue_links (project_id, source_id, target_id, link_type, created_at, updated_at)
   select source.project_id, source.id, target.id, case when n % 3 = 0 then 'blocks' else 'relates_to' end,
          target.created_at, target.created_at
     from (select n, case when n <= ${MANY_LINKS} then ${BASE} + 10 else ${BASE} + 1000 + n * 4 end as source_id,
                  case when n <= ${MANY_LINKS} then ${BASE} + 10 * (n + 1)
                    else ${BASE} + 1000 + n * 4 + 10 * (1 + pg_temp.pick(n, 102, 20)) end as target_id
             from generate_series(1, ${sizes.issueLinks}) n) pair
     join issues source on source.id = pair.source_id join issues target on target.id = pair.target_id`,
];

const FULL = ['labels', 'milestones', 'issues', 'issue_labels', 'issue_assignees', 'issue_links'];

/** Issues, their labels, milestones and links. */
export const planning: Part = {
  name: 'issues',
  statements: (sizes) => [
    ...gathered(sizes),
    ...setAside(FULL),
    ...labels(sizes),
    ...milestones(sizes),
    ...issues(sizes),
    `analyze issues`,
    ...related(sizes),
    ...putBack(FULL),
  ],
};
