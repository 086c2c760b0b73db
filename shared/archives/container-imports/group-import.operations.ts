import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import { failuresCount, firstFailures, importedRelations } from './import-progress.js';
import { tables } from '../archive-imports/restoring.js';
import type { GroupImportRecord } from './group-import.shape.js';
import { closeArchiveImport } from '../archive-imports/import-state.js';

/** The newest import of a group. @throws NotFound for a group that no archive was sent for */
async function newestImport(ctx: Context, groupId: number): Promise<GroupImportRecord> {
  const found = await tables({ ctx })
    .selectFrom('archive_imports as i')
    .select(columns(ArchiveImport, 'i'))
    .select((eb) => [
      eb
        .selectFrom('archive_import_groups as g')
        .select(({ fn }) =>
          jsonBuildObject({
            total: fn.countAll<number>(),
            imported: fn.countAll<number>().filterWhere('g.status', '=', constant('done')),
            skipped: fn.countAll<number>().filterWhere('g.status', '=', constant('skipped')),
          }).as('groups'),
        )
        .whereRef('g.import_id', '=', 'i.id')
        .$asScalar()
        .$notNull()
        .as('groups'),
      importedRelations.as('relations'),
      failuresCount.as('failures_count'),
      jsonArrayFrom(firstFailures.select(['f.file', 'f.line', 'f.relation', 'f.reason'])).as('failures'),
    ])
    .where('i.namespace_id', '=', groupId)
    .where('i.project_id', 'is', null)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst();
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
    if (!(await closeArchiveImport(ctx, id, 'The import was cancelled.'))) throw new Conflict('The import is over.');
    ctx.record({ type: 'group_import.cancelled', group: found });
    return newestImport(ctx, found.id);
  },
});
