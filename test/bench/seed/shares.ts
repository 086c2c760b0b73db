import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part } from './sizes.js';

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
