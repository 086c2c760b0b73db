import { containerColumns } from '../../core/operations/container.js';
import { attribute, reserveIds, copiedRows, tables, time } from '../archive-imports/restoring.js';
import type { Restorer } from '../archive-imports/restoring.js';

/** Badges of a group or project. */
export const badgeRestorer = (relation: 'badges' | 'project_badges'): Restorer => ({
  relation,
  async restore(restoring) {
    const { project_id, namespace_id } = containerColumns(restoring.container);
    await reserveIds(restoring, relation, 'badges');
    await tables(restoring)
      .insertInto('badges')
      .columns(['id', 'project_id', 'namespace_id', 'name', 'link_url', 'image_url', 'created_at', 'updated_at'])
      .expression((eb) =>
        eb
          .selectFrom('archive_import_rows as r')
          .select([
            'r.made_id',
            eb.cast<number | null>(eb.val(project_id), 'bigint').as('project_id'),
            eb.cast<number | null>(eb.val(namespace_id), 'bigint').as('namespace_id'),
            attribute('name').as('name'),
            attribute('link_url').as('link_url'),
            attribute('image_url').as('image_url'),
            time(restoring, 'created_at').as('created_at'),
            time(restoring, 'updated_at').as('updated_at'),
          ])
          .where(copiedRows(restoring, relation))
          .orderBy('r.line'),
      )
      .execute();
  },
});
