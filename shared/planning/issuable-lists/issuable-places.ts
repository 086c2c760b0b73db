import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

/** That project `p` is not archived: it counts as that with its group too. */
export const notArchived: Fragment = sql`
  not p.archived and not exists (select 1 from namespaces n where n.id = p.namespace_id and n.archived)`;

/** The labels `l` that things in a project can have. */
export const labelsInProject = (found: ProjectRecord): Fragment =>
  sql`(l.project_id = ${found.id} or l.namespace_id = any(${found.namespace.traversal_ids}::bigint[]))`;

/** Ids of a group and all groups below it, as an array. */
const below = ({ id }: GroupRecord): Fragment =>
  sql`array(select d.id from namespaces d where d.traversal_ids @> array[${id}]::bigint[])`;

/** That project `p` lies in a group or below it. */
export const inGroup = (found: GroupRecord): Fragment => sql`p.namespace_id = any(${below(found)})`;

/** The labels `l` that things in the projects in and below a group can have. */
export const labelsInGroup = (found: GroupRecord): Fragment => sql`
  (l.namespace_id = any(${found.traversal_ids}::bigint[]) or l.namespace_id = any(${below(found)})
    or l.project_id in (select p.id from projects p where p.namespace_id = any(${below(found)})))`;
