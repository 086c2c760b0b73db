import { toExpression } from '../core/database/fragments.js';
import { raw, sql } from '../core/sql.js';
import type { Fragment } from '../core/sql.js';
import { rowOfEitherToldToPages } from '../core/page-changes/page-changes.js';
import type { FollowedKinds } from '../tenancy/live-pages/page-scope.js';
import { projectPolicy } from '../tenancy/projects/project.policy.js';
import { groupPolicy } from '../tenancy/groups/group.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** How far exports of a project are, whoever asked for them. */
    project_exports: true;
    /** The same of a group. */
    group_exports: true;
    /** How far the making of a group out of an archive is. */
    group_imports: true;
  }
}

/** Who may know that exports and imports moved on: whoever may export, and whoever is told of imports. */
export const archivesFollowed: FollowedKinds = {
  project_exports: { may: projectPolicy.admin_project },
  group_exports: { group: groupPolicy.admin_group },
  group_imports: { group: groupPolicy.admin_group },
};

const EXPORTS = { project: 'project_exports', group: 'group_exports' } as const;
const IMPORTS = { project: 'project_imports', group: 'group_imports' } as const;

/** SQL for what a statement returns of each row of `archive_exports` that it changed. @param row its alias */
export const exportNotification = (row: string): Fragment => sql`${rowOfEitherToldToPages(EXPORTS, row)} as "told"`;

/** The same of each row of `archive_imports`, as what a typed statement returns. */
export const importNotification = (row: string) =>
  toExpression<unknown>(rowOfEitherToldToPages(IMPORTS, row)).as('told');

/** The same of each row that belongs to an import. @param importId SQL for the id of that */
export const notificationOfImport = (importId: string): Fragment => sql`
  (select ${rowOfEitherToldToPages(IMPORTS, 'told')} from archive_imports told where told.id = ${raw(importId)})`;
