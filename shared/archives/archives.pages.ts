import { expressionBuilder } from 'kysely';
import type { Aliased } from '../core/database/tables.js';
import { containerPageNotification } from '../core/page-changes/page-changes.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { projectPolicy } from '../tenancy/projects/project.policy.js';
import type { ArchivesDatabase } from './archives.entities.js';
import { groupPolicy } from '../tenancy/groups/group.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Progress of all exports of a project, regardless of the requesting user. */
    project_exports: true;
    /** The same of a group. */
    group_exports: true;
    /** How far the making of a group out of an archive is. */
    group_imports: true;
  }
}

/** Who may be notified of the progress of exports and imports: users who may export, and users who can see imports. */
export const archivesLiveKinds: LiveKinds = {
  project_exports: { may: projectPolicy.admin_project },
  group_exports: { group: groupPolicy.admin_group },
  group_imports: { group: groupPolicy.admin_group },
};

const EXPORTS = { project: 'project_exports', group: 'group_exports' } as const;
const IMPORTS = { project: 'project_imports', group: 'group_imports' } as const;

/**
 * The returned columns with which a statement notifies pages of each `archive_exports` row it changed.
 * @param row its alias
 */
export const exportNotification = (row: string) => containerPageNotification(EXPORTS, row).as('notified');

/** The same of each row of `archive_imports`. */
export const importNotification = (row: string) => containerPageNotification(IMPORTS, row).as('notified');

const onImports = expressionBuilder<Aliased<ArchivesDatabase, { p: 'archive_import_relations' }>, 'p'>();

/** The same for each row that belongs to an import. @param importId the column with the id of the import */
export const notificationOfImport = (importId: string) =>
  onImports
    .selectFrom('archive_imports as changed')
    .select(importNotification('changed'))
    .where('changed.id', '=', onImports.ref(importId as 'p.import_id'))
    .as('notified');
