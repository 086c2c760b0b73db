import { GROUP_LABELS, LABELS, PROJECT_LABELS } from './planning.js';
import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH, VERSIONS } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/*
 * Merge requests of the projects that issues lie in: a tenth of them in the first one. Their branches are in the index
 * of refs alone.
 */

/** A commit's id, drawn from a number and a word. */
export const sha = (word: string, of: string): string =>
  `md5('${word}' || ${of}) || substr(md5('${word} ' || ${of}), 1, 8)`;

/** Which project merge request `i` lies in, and its number there. */
const getLocation = ({ planningProjects }: Sizes) => {
  const others = Math.max(1, planningProjects - 1);
  const rank = `(i / 10 * 9 + i % 10 - 1)`;
  return `select case when i % 10 = 0 then 0 else least(1, ${planningProjects} - 1) + ${rank} % ${others} end as at,
                 case when i % 10 = 0 then i / 10 else ${rank} / ${others} + 1 end as iid`;
};

const requests = (sizes: Sizes): string[] => [
  `create temporary table seed_requests on commit drop as
   select ${BASE} + i as id, i, s.at, s.project_id,
          (row_number() over (partition by s.project_id order by i))::int as iid,
          (array['opened', 'closed', 'merged', 'merged', 'merged'])[1 + pg_temp.pick(i, 111, 5)] as state,
          ${EPOCH} + i * interval '1000 days' / ${sizes.mergeRequests} as made,
          ${EPOCH} + i * interval '1000 days' / ${sizes.mergeRequests} + pg_temp.pick(i, 112, 200) * interval '1 hour' as changed
     from generate_series(1, ${sizes.mergeRequests}) i
    cross join lateral (${getLocation(sizes)}) located join seed_planning s on s.at = located.at`,
  `insert into merge_requests (id, project_id, iid, source_project_id, source_branch, target_branch, title, description,
                               state, draft, author_id, merge_user_id, closed_by_id, milestone_id, head_sha, base_sha, start_sha,
                               merge_commit_sha, merged_commit_sha, merge_status, upvotes, prepared_at, merged_at, closed_at,
                               created_at, updated_at)
   select q.id, q.project_id, q.iid, q.project_id, 'story-' || i, 'main',
          case when draft.yes then 'Draft: ' else '' end || initcap(pg_temp.verb(i, 113)) || ' the ' || pg_temp.noun(i, 114) || ' ' || i,
          'So that the ' || pg_temp.noun(i, 115) || ' does ' || pg_temp.verb(i, 116) || ' the ' || pg_temp.noun(i, 117) || ' again.',
          q.state, draft.yes, ${BASE} + 1 + pg_temp.pick(i, 118, ${sizes.users}),
          case when q.state = 'merged' then ${BASE} + 1 + pg_temp.pick(i, 119, ${sizes.users}) end,
          case when q.state = 'closed' then ${BASE} + 1 + pg_temp.pick(i, 120, ${sizes.users}) end,
          (select m.id from milestones m where m.project_id = q.project_id and i % 2 = 0 order by m.id limit 1),
          ${sha('head', `i || '.${VERSIONS}'`)}, ${sha('base', 'i')}, ${sha('base', 'i')},
          case when q.state = 'merged' then ${sha('merge', 'i')} end, case when q.state = 'merged' then ${sha('merge', 'i')} end,
          'can_be_merged', pg_temp.pick(i, 121, 5), q.made, case when q.state = 'merged' then q.changed end,
          case when q.state = 'closed' then q.changed end, q.made, q.changed
     from seed_requests q cross join lateral (select q.state = 'opened' and pg_temp.pick(i, 122, 10) = 0 as yes) draft`,
  `insert into project_counters (project_id, kind, last_value)
   select q.project_id, 'merge_request', max(q.iid) from seed_requests q group by 1`,
  // Open ones have their branches still.
  `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
   select q.project_id, 'branch', 'refs/heads/' || b.name, b.name, b.sha, b.sha, q.made, q.made
     from seed_requests q cross join lateral (
       select 'story-' || q.i as name, ${sha('head', `q.i || '.${VERSIONS}'`)} as sha where q.state = 'opened'
       union all select 'main', ${sha('base', 'q.project_id')} where q.iid = 1) b
       on conflict (project_id, full_name) do nothing`,
  `insert into project_merge_request_counts (project_id, opened)
   select q.project_id, count(*) from seed_requests q where q.state = 'opened' group by 1`,
];

const beside = (sizes: Sizes): string[] => [
  `insert into merge_request_versions (id, project_id, merge_request_id, head_sha, base_sha, start_sha, commits_count,
                                       files_count, created_at)
   select ${BASE} + (q.i - 1) * ${VERSIONS} + n, q.project_id, q.id, ${sha('head', `q.i || '.' || n`)}, ${sha('base', 'q.i')},
          ${sha('base', 'q.i')}, 1, 1 + pg_temp.pick(q.i, 123, 9), q.made + n * interval '10 minutes'
     from seed_requests q, generate_series(1, ${VERSIONS}) n`,
  `insert into merge_request_version_commits (project_id, version_id, position, sha, title, author_name, author_email,
                                              authored_date, committed_date)
   select q.project_id, ${BASE} + (q.i - 1) * ${VERSIONS} + n, 0, ${sha('head', `q.i || '.' || n`)}, 'Step ' || n, 'Ann Example',
          'ann@example.com', to_char(q.made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00',
          to_char(q.made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+00:00'
     from seed_requests q, generate_series(1, ${VERSIONS}) n`,
  `insert into merge_request_labels (project_id, merge_request_id, label_id)
   select q.project_id, q.id, l.id from seed_requests q cross join lateral unnest(array[
     ${BASE} + 1 + pg_temp.pick(q.id, 124, ${GROUP_LABELS / 2}),
     ${PROJECT_LABELS} + q.at * ${LABELS} + 1 + pg_temp.pick(q.id, 125, ${LABELS})]) l (id)`,
  ...['assignees', 'reviewers'].map(
    (people, index) => `
      insert into merge_request_${people} (project_id, merge_request_id, user_id${index === 0 ? '' : ', created_at'})
      select q.project_id, q.id, ${BASE} + 1 + pg_temp.pick(q.id, ${126 + index}, ${sizes.users})${index === 0 ? '' : ', q.made'}
        from seed_requests q where q.i % 2 = ${index}`,
  ),
];

const FULL = [
  'merge_requests',
  'merge_request_versions',
  'merge_request_version_commits',
  'merge_request_labels',
  'merge_request_assignees',
  'merge_request_reviewers',
];

/** Merge requests with their versions, labels and people. */
export const changes: Part = {
  name: 'merge requests',
  statements: (sizes) => [...setAside(FULL), ...requests(sizes), ...beside(sizes), ...putBack(FULL)],
};
