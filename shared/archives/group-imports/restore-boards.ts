import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { namespaceAccess, today } from '../../tenancy/access/access.js';
import type { LabelsPlace } from '../archive-imports/named-labels.js';
import { restoreBoards } from '../archive-imports/restore-boards.js';
import { nearestInForce, placesOf, userOf } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

/** What was made of a label or milestone of the archive, by the id that it had, if it is in force in the group. */
const madeOf = ({ importId, ...restoring }: Restoring, relation: 'labels' | 'milestones', id: Sql): Sql => sql`
  (select s.made_id from archive_import_rows s join ${raw(relation)} x on x.id = s.made_id
    where s.import_id = ${importId} and s.relation = ${relation} and s.source_id = ${id}
      and x.namespace_id = any(${placesOf({ importId, ...restoring })}) order by s.source_group limit 1)`;

/** The label here that the archive names by its id, else by its title. */
const labelNamed = (restoring: Restoring, id: Sql, title: Sql): Sql =>
  sql`coalesce(${madeOf(restoring, 'labels', id)}, ${nearestInForce(restoring, sql`labels`, title)})`;

/**
 * The milestone here that the archive names. Groups may have one of a title at each level: so it is the one of the group
 * that the archive tells of; of a group that is not in the archive it is one of a group above the import.
 * @param named `{iid, title, group_id}`
 */
function milestoneNamed(restoring: Restoring, id: Sql, named: Sql): Sql {
  const { importId, group } = restoring;
  const places = placesOf(restoring);
  return sql`
    coalesce(
      ${madeOf(restoring, 'milestones', id)},
      (select s.made_id from archive_import_rows s join milestones x on x.id = s.made_id
        where s.import_id = ${importId} and s.relation = 'milestones' and s.source_group = (${named} ->> 'group_id')::bigint
          and s.data ->> 'title' = ${named} ->> 'title' and x.namespace_id = any(${places}) limit 1),
      (select x.id from milestones x
        where x.namespace_id = any(${places}) and x.title = ${named} ->> 'title'
          and (${named} ->> 'group_id' is null
               or (x.namespace_id <> ${group.id} and not exists (
                     select 1 from archive_import_groups g
                      where g.import_id = ${importId}
                        and (g.group_id = x.namespace_id or g.source_id = (${named} ->> 'group_id')::bigint))))
        order by (x.iid = (${named} ->> 'iid')::numeric) desc nulls last,
                 array_position(${places}, x.namespace_id) desc limit 1))`;
}

/** Whoever here is the user of the archive with this id, if they may be chosen in boards: members, also of groups above. */
const memberOf = (restoring: Restoring, id: Sql): Sql => sql`
  (select u.id from users u cross join namespaces n
    where u.id = ${userOf(restoring, id)} and n.id = ${restoring.group.id} and u.state in ('active', 'deactivated')
      and ${namespaceAccess(sql`u.id`, today(restoring.ctx))} >= 10)`;

/** Labels in force in the group: its own and those of the groups above it. */
export const groupLabelsPlace = (restoring: Restoring): LabelsPlace => ({
  ctx: restoring.ctx,
  column: sql`namespace_id`,
  id: restoring.group.id,
  inForce: sql`l.namespace_id = any(${placesOf(restoring)})`,
});

export const boardRestorer: Restorer = {
  relation: 'boards',
  restore: (restoring) =>
    restoreBoards(restoring, {
      ...groupLabelsPlace(restoring),
      table: sql`namespaces`,
      label: (id, title) => labelNamed(restoring, id, title),
      milestone: (id, named) => milestoneNamed(restoring, id, named),
      member: (id) => memberOf(restoring, id),
    }),
};
