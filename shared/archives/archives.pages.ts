import { expressionBuilder } from 'kysely';
import type { Aliased } from '../core/database/tables.js';
import { containerPageNotification } from '../core/page-changes/page-changes.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { projectPolicy } from '../tenancy/projects/project.policy.js';
import type { ArchivesDatabase } from './archives.entities.js';
import { groupPolicy } from '../tenancy/groups/group.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** How far exports of a project are, whoever requested them. */
    project_exports: true;
    /** The same of a group. */
    group_exports: true;
    /** How far the making of a group out of an archive is. */
    group_imports: true;
  }
}

/** Who may know that exports and imports moved on: whoever may export, and whoever sees imports. */
export const archivesLiveKinds: LiveKinds = {
  project_exports: { may: projectPolicy.admin_project },
  group_exports: { group: groupPolicy.admin_group },
  group_imports: { group: groupPolicy.admin_group },
};

const EXPORTS = { project: 'project_exports', group: 'group_exports' } as const;
const IMPORTS = { project: 'project_imports', group: 'group_imports' } as const;

/** What a statement returns to notify pages of each row of `archive_exports` that it changed. @param row its alias */
export const exportNotification = (row: string) => containerPageNotification(EXPORTS, row).as('notified');

/** The same of each row of `archive_imports`. */
export const importNotification = (row: string) => containerPageNotification(IMPORTS, row).as('notified');

const onImports = expressionBuilder<Aliased<ArchivesDatabase, { p: 'archive_import_relations' }>, 'p'>();

/** The same of each row that belongs to an import. @param importId the column with the id of that */
export const notificationOfImport = (importId: string) =>
  onImports
    .selectFrom('archive_imports as changed')
    .select(importNotification('changed'))
    .where('changed.id', '=', onImports.ref(importId as 'p.import_id'))
    .as('notified');
