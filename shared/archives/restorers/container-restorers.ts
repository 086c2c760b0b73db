import type { ContainerKind } from '../../core/operations/container.js';
import { attribute, containerIds, copiedRows, reserveIds, tables, time } from '../archive-imports/restoring.js';
import type { Restorer } from '../archive-imports/restoring.js';
import { boardRestorer } from './restore-boards.js';
import { labelRestorer } from './restore-labels.js';
import { contributorRestorer, memberRestorer } from './restore-members.js';
import { milestoneRestorer } from './restore-milestones.js';

/** Badges of a group or project. */
const badgeRestorer = (relation: 'badges' | 'project_badges'): Restorer => ({
  relation,
  async restore(restoring) {
    await reserveIds(restoring, relation, 'badges');
    await tables(restoring)
      .insertInto('badges')
      .columns(['id', 'project_id', 'namespace_id', 'name', 'link_url', 'image_url', 'created_at', 'updated_at'])
      .expression((eb) =>
        eb
          .selectFrom('archive_import_rows as r')
          .select([
            'r.made_id',
            ...containerIds(restoring),
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

/** Restorers of what groups and projects both have. */
export const containerRestorers = (kind: ContainerKind) => ({
  contributors: contributorRestorer,
  members: memberRestorer(kind === 'group' ? 'members' : 'project_members'),
  labels: labelRestorer,
  milestones: milestoneRestorer,
  badges: badgeRestorer(kind === 'group' ? 'badges' : 'project_badges'),
  boards: boardRestorer,
});
