import { EPIC_ISSUES_PROJECT, ISSUE_PROJECT, planningGroupId } from './planning.js';
import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/** Labels of the group with many issues that its epics have. */
const EPIC_LABELS = 2;
/** Groups elsewhere that have epics. */
const GROUPS = 2000;
/** Snippets of the project whose list is measured. */
const SNIPPETS_OF_ONE = 200;

/** One group has a twentieth of all epics, others ten each. */
function epics(sizes: Sizes): string[] {
  const many = Math.max(1, Math.round(sizes.epics / 20));
  const groups = Math.max(1, Math.min(GROUPS, sizes.groups - 2));
  const rank = `case when i <= ${many} then ${planningGroupId(sizes)} else ${groupId(sizes, 2)} + (i - ${many} - 1) % ${groups} end`;
  const iid = `case when i <= ${many} then i else (i - ${many} - 1) / ${groups} + 1 end`;
  return [
    `insert into epics (id, namespace_id, iid, title, description, state, color, author_id, start_date_is_fixed, start_date_fixed,
                        due_date_is_fixed, due_date_fixed, upvotes, closed_at, created_at, updated_at)
     select ${BASE} + i, n.id, ${iid}, initcap(pg_temp.verb(i, 121)) || ' every ' || pg_temp.noun(i, 122) || ' of theme ' || i,
            'All about the ' || pg_temp.adjective(i, 123) || ' ' || pg_temp.noun(i, 124) || '.',
            case when i % 4 = 0 then 'closed' else 'opened' end, '#1068bf', ${BASE} + 1 + pg_temp.pick(i, 125, ${sizes.users}),
            i % 2 = 0, case when i % 2 = 0 then date '2026-01-01' + (i % 500)::int end,
            i % 2 = 0, case when i % 2 = 0 then date '2026-03-01' + (i % 500)::int end,
            pg_temp.pick(i, 126, 5), case when i % 4 = 0 then made.at + interval '9 days' end, made.at,
            made.at + case when i % 4 = 0 then interval '9 days' else interval '5 hours' end
       from generate_series(1, ${sizes.epics}) i
      cross join lateral (select ${EPOCH} + i * interval '900 days' / ${sizes.epics} as at) made
       join namespaces n on n.id = ${rank}`,
    `insert into namespace_counters (namespace_id, kind, last_value)
     select e.namespace_id, 'epic', max(e.iid) from epics e group by 1`,
    `insert into epic_labels (namespace_id, epic_id, label_id)
     select e.namespace_id, e.id, l.id from epics e
       join (select l.id, l.namespace_id, row_number() over (partition by l.namespace_id order by l.id) as place from labels l) l
         on l.namespace_id = e.namespace_id and l.place > e.id % 10 and l.place <= e.id % 10 + ${EPIC_LABELS}`,
    // Issues of the one group are planned in its epics, ten in each.
    `insert into epic_issues (project_id, epic_id, issue_id)
     select i.project_id, ${BASE} + 1 + i.at / 10, i.id from (
       select i.project_id, i.id, row_number() over (order by i.id) - 1 as at
         from issues i where i.project_id = ${EPIC_ISSUES_PROJECT}) i where i.at / 10 < ${many}`,
  ];
}

/** Every project and group has a board by itself; these have one more, with lists of the labels of the group. */
const boards = (sizes: Sizes): string[] => [
  `insert into boards (project_id, name, created_at, updated_at)
   select p.id, 'Delivery', ${EPOCH}, ${EPOCH} from projects p order by p.id limit ${sizes.boards}`,
  `insert into board_lists (board_id, list_type, label_id, position, created_at, updated_at)
   select b.id, 'label', l.id, l.place - 1, ${EPOCH}, ${EPOCH}
     from boards b join projects p on p.id = b.project_id and p.namespace_id = ${planningGroupId(sizes)}
     join (select l.id, row_number() over (order by l.id) as place from labels l where l.namespace_id = ${planningGroupId(sizes)}) l
       on l.place <= 5
    where b.name = 'Delivery'`,
];

/** Half of them are personal; one project has many, others at most a few. Their repositories are not on disk. */
const snippets = (sizes: Sizes): string[] => [
  `insert into snippets (id, project_id, author_id, title, description, visibility, file_paths, created_at, updated_at)
   select ${BASE} + i, p.id, ${BASE} + 1 + pg_temp.pick(i, 131, ${sizes.users}), 'How to ' || pg_temp.verb(i, 132) || ' a ' || pg_temp.noun(i, 133),
          'In short.', (array['private', 'internal', 'public'])[1 + i % 3], array[pg_temp.noun(i, 134) || '.rb'], made.at, made.at
     from generate_series(1, ${sizes.snippets}) i
    cross join lateral (select ${EPOCH} + i * interval '900 days' / ${sizes.snippets} as at) made
     left join projects p on i % 2 = 0
      and p.id = case when i <= ${SNIPPETS_OF_ONE * 2} then ${ISSUE_PROJECT} else ${BASE} + 1 + pg_temp.pick(i, 135, ${sizes.projects}) end`,
  `insert into content_repositories (snippet_id, branch, head_sha, size_bytes, created_at, updated_at)
   select s.id, 'main', substr(encode(sha256(s.id::text::bytea), 'hex'), 1, 40), 20_000, s.created_at, s.created_at from snippets s`,
];

const FULL = ['epics', 'epic_labels', 'snippets', 'content_repositories'];

/** Epics, boards and snippets. */
export const themes: Part = {
  name: 'epics, boards and snippets',
  statements: (sizes) => [...setAside(FULL), ...epics(sizes), ...boards(sizes), ...snippets(sizes), ...putBack(FULL)],
};
