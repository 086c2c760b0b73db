import type { PageChange, PageChangesOf } from '../core/page-changes/publish-page-changes.js';
import type { LiveKinds } from '../tenancy/project-details/page-scope.js';
import { projectPolicy } from '../tenancy/projects/project.policy.js';

declare module '../core/page-changes/page-changes.js' {
  interface PageChangeKinds {
    /** Branches, tags and commits of a project. */
    repositories: true;
    /** How far the mirror of a project is. */
    project_mirrors: true;
    /** Progress of a project's import. */
    project_imports: true;
  }
}

/**
 * Permissions for change notifications: read access to the code for repositories; for mirrors and imports, access to
 * their status.
 */
export const repositoriesLiveKinds: LiveKinds = {
  repositories: { may: projectPolicy.read_code },
  project_mirrors: { may: projectPolicy.admin_project },
  project_imports: { may: projectPolicy.read_project },
};

const ofRepository = ({ project_id }: { project_id: number }): PageChange => ({ kind: 'repositories', project_id });

/** Page changes caused by events. Changes by moved refs and by transfers are sent by the statement that writes them. */
export const repositoriesPageChanges: PageChangesOf = {
  'repository.imported': ofRepository,
  'repository.repaired': ({ project }) => ofRepository({ project_id: project.id }),
  'default_branch.changed': ofRepository,
  'project.mirror_changed': ({ project }) => ({ kind: 'project_mirrors', project_id: project.id }),
};
