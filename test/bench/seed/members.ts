import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

const level = (salt: number) => `case
  when pg_temp.pick(i, ${salt}, 100) < 10 then 10 when pg_temp.pick(i, ${salt}, 100) < 15 then 15
  when pg_temp.pick(i, ${salt}, 100) < 35 then 20 when pg_temp.pick(i, ${salt}, 100) < 75 then 30
  when pg_temp.pick(i, ${salt}, 100) < 93 then 40 else 50 end`;

/** One of a hundred memberships is over, one of a hundred ends in a time to come. */
const expiry = (salt: number) =>
  `case pg_temp.pick(i, ${salt}, 100) when 0 then date '2020-01-01' when 1 then date '2999-01-01' end`;

/** Steps between the slots of one user: prime, and so large that no slot repeats. */
const GROUP_STEP = 7919;
const PROJECT_STEP = 15_485_863;

/** The slot of a user in a row of `count`: all slots of a user are distinct. */
const rank = (salt: number, users: number, step: number, count: number) =>
  `(pg_temp.pick(i % ${users}, ${salt}, ${count}) + (i / ${users})::bigint * ${step}) % ${count}`;

/** The number of a project in a group: every fourth project belongs to no group. */
const getProject = (at: string) => `${at} + ${at} / 3 + 1`;

function memberships(sizes: Sizes): string[] {
  const inGroups = (sizes.projects * 3) / 4;
  return [
    `insert into group_members (namespace_id, user_id, access_level, expires_on, created_at)
     select ${groupId(sizes, 1)} + ${rank(41, sizes.users, GROUP_STEP, sizes.groups)}, ${BASE} + 1 + i % ${sizes.users},
            ${level(42)}, ${expiry(43)}, ${EPOCH}
       from generate_series(0, ${sizes.groupMembers} - 1) i on conflict do nothing`,
    // Their owners are members of personal projects, as the service writes it.
    `insert into project_members (project_id, user_id, access_level, created_at)
     select p.id, n.owner_id, 50, p.created_at from projects p join namespaces n on n.id = p.namespace_id
      where n.owner_id is not null and p.id > ${BASE}`,
    `insert into project_members (project_id, user_id, access_level, expires_on, created_at)
     select ${BASE} + ${getProject('x.at')}, ${BASE} + 1 + i % ${sizes.users}, ${level(45)}, ${expiry(46)}, ${EPOCH}
       from generate_series(0, ${sizes.projectMembers} - 1) i
       cross join lateral (select ${rank(44, sizes.users, PROJECT_STEP, inGroups)} as at) x on conflict do nothing`,
  ];
}

/** Roles in groups and projects: at scale 1 they are 300,000. */
export const members: Part = { name: 'memberships', statements: memberships };

const LEVEL = '(array[10, 20, 30, 30, 40])[1 + pg_temp.pick(i, 53, 5)]';

/** Projects and groups that other groups were invited to. Some of the invitations are over. */
export const shares: Part = {
  name: 'shares',
  statements: (sizes) => [
    `insert into project_shares (project_id, group_id, group_access, expires_on, created_at)
     select p.id, ${groupId(sizes, 1)} + pg_temp.pick(i, 52, ${sizes.groups}), ${LEVEL},
            case when i % 40 = 0 then date '2020-01-01' end, ${EPOCH}
       from generate_series(1, ${sizes.projectShares}) i
       join projects p on p.id = ${BASE} + 1 + pg_temp.pick(i, 51, ${sizes.projects}) / 4 * 4
      where p.namespace_id <> ${groupId(sizes, 1)} + pg_temp.pick(i, 52, ${sizes.groups}) on conflict do nothing`,
    `insert into group_shares (namespace_id, group_id, group_access, created_at)
     select s.host, s.guest, s.level, ${EPOCH} from (
       select ${groupId(sizes, 1)} + pg_temp.pick(i, 54, ${sizes.groups}) as host,
              ${groupId(sizes, 1)} + pg_temp.pick(i, 55, ${sizes.groups}) as guest, ${LEVEL} as level
         from generate_series(1, ${sizes.groupShares}) i) s
      where s.host <> s.guest on conflict do nothing`,
  ],
};
