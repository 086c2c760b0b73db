import type { Context } from '../../core/context.js';
import { Conflict, NotFound } from '../../core/errors.js';
import { can, operation } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import { FAILURES_SHOWN } from '../archive-imports/failures.js';
import type { GroupImportRecord } from './group-import.shape.js';
import { endArchiveImport } from '../archive-imports/import-state.js';

/** The newest import of a group. @throws NotFound for a group that no archive was sent for */
async function newestImport(ctx: Context, groupId: number): Promise<GroupImportRecord> {
  const found = await ctx.queryOne<GroupImportRecord>(sql`
    select ${textColumns(ArchiveImport, 'i')},
           (select jsonb_build_object('total', count(*), 'imported', count(*) filter (where g.status = 'done'),
                                      'skipped', count(*) filter (where g.status = 'skipped'))
              from archive_import_groups g where g.import_id = i.id) as "groups",
           (select coalesce(jsonb_agg(jsonb_build_object('relation', p.relation, 'total', p.total,
                                      'imported', p.imported, 'skipped', p.skipped) order by p.relation), '[]')
              from archive_import_relations p where p.import_id = i.id) as "relations",
           (select count(*)::integer from archive_import_failures f where f.import_id = i.id) as "failures_count",
           (select coalesce(jsonb_agg(jsonb_build_object('file', f.file, 'line', f.line, 'relation', f.relation,
                                      'reason', f.reason) order by f.id), '[]')
              from (select * from archive_import_failures f where f.import_id = i.id order by f.id
                     limit ${FAILURES_SHOWN}) f) as "failures"
      from archive_imports i
     where i.namespace_id = ${groupId} and i.project_id is null order by i.id desc limit 1`);
  if (!found) throw new NotFound('Import');
  return found;
}

/** Read how far the import of a group is: its Owners. */
export const getGroupImport = operation({
  name: 'getGroupImport',
  summary: 'Read how far the import of a group is',
  subject: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'read',
  run: (ctx, { id }) => newestImport(ctx, id),
});

/** Cancel the import of a group: its Owners. What was imported stays. */
export const cancelGroupImport = operation({
  name: 'cancelGroupImport',
  summary: 'Cancel the import of a group',
  subject: group,
  can: can(groupPolicy, 'admin_group'),
  kind: 'write',
  async run(ctx, found): Promise<GroupImportRecord> {
    const { id } = await newestImport(ctx, found.id);
    if (!(await endArchiveImport(ctx, id, 'The import was cancelled.'))) throw new Conflict('The import is over.');
    ctx.record({ type: 'group_import.cancelled', group: found });
    return newestImport(ctx, found.id);
  },
});
