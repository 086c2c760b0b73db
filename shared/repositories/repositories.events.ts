import type { ProjectRecord, Project } from '../tenancy/projects/project.entity.js';
import type { ProjectSettings } from '../tenancy/projects/project-settings.entity.js';
import type { ProjectSummary } from '../tenancy/tenancy.events.js';
import type { DeployKey } from './deploy-keys/deploy-key.entity.js';
import type { ProjectDeployKey } from './deploy-keys/deploy-key.finder.js';
import type { MirrorChange } from './project-mirrors/mirror-changes.js';
import type { MirrorAttributes } from './project-mirrors/record-mirror-change.js';
import type { AccessEntryRecord } from './protected-refs/access-levels.js';
import type { PushedRef } from './repositories/pushed-ref.js';
import type { MovePurpose } from './repositories/ref-moves.js';
import type { RefChange } from './repositories/write-refs.js';
import type { ContentRef } from './repositories/content-ref.js';

interface ContentEvents {
  /** The branch of a non-project repository moved, by a commit, a push, or a repair of its index. */
  'content.updated': { readonly content: ContentRef; readonly from: string | null; readonly to: string | null };
  /** What such a repository takes on disk was counted. */
  'content.measured': { readonly content: ContentRef; readonly size_bytes: number };
}

/** A project's own row, with its settings. Secrets in them are encrypted. */
type ProjectInFull = Project & { readonly settings: ProjectSettings };

/** A rule over refs, and the roles and users that it admits. */
export interface AdmittingRule {
  readonly rule: {
    readonly id: number;
    readonly name: string;
    readonly allow_force_push?: boolean;
    readonly code_owner_approval_required?: boolean;
  };
  readonly entries: readonly AccessEntryRecord[];
}

/** The import or mirror source of a project, without the secrets of the URL, and the mirror's rules. */
interface AutoRefresh {
  readonly url: string | null;
  readonly rules: MirrorAttributes;
}

interface ProjectEvents {
  'project.created': { readonly project: Project & { readonly full_path: string } };
  /** `project` in the state before the edit, including its path. */
  'project.updated': {
    readonly project: ProjectRecord;
    readonly before: ProjectInFull;
    readonly after: ProjectInFull;
  };
  'project.mirror_changed': {
    readonly project: ProjectRecord;
    readonly before: AutoRefresh;
    readonly after: AutoRefresh;
    /** Also true for the same URL with other credentials. */
    readonly url_changed: boolean;
  };
  /** A project went to another namespace. */
  'project.transferred': { readonly before: ProjectRecord; readonly after: ProjectRecord };
  'project.archived': { readonly project: ProjectRecord };
  'project.unarchived': { readonly project: ProjectRecord };
  /**
   * A project was marked for deletion after some days, unless restored. `project` is in the state before its path was
   * released.
   */
  'project.deletion_marked': { readonly project: ProjectRecord };
  'project.restored': { readonly project: ProjectRecord };
  'project.fork_linked': { readonly project: ProjectRecord; readonly upstream: ProjectRecord };
  'project.fork_unlinked': { readonly project: ProjectRecord; readonly upstream_id: number | null };
}

interface RefEvents {
  /** Branches or tags were made, moved or deleted. */
  'refs.updated': {
    readonly project_id: number;
    readonly changes: readonly RefChange[];
    /** Whether pipelines may be made for the new commits. */
    readonly starts_pipelines: boolean;
    /** `--push-option` of a push. */
    readonly push_options: readonly string[];
  };
  /** A push over git: the changes that were applied, in the same transaction as `refs.updated`. */
  'repository.pushed': {
    readonly project_id: number;
    /** How many branches and tags it made, moved and deleted. */
    readonly refs: number;
    /** Each of them. */
    readonly pushes: readonly PushedRef[];
  };
  /** A repository came as a whole, by an import or a fork, with these refs. */
  'repository.imported': { readonly project_id: number; readonly changes: readonly RefChange[] };
  /** The index of a repository's refs differed from git and was rebuilt: the changes of the index. */
  'repository.repaired': { readonly project: ProjectSummary; readonly changes: readonly RefChange[] };
  /**
   * A process died after moving refs, before completing the related work; the index now matches git. May be recorded
   * several times, and also if git never moved the refs.
   */
  'repository.move_left': { readonly project_id: number; readonly purpose: MovePurpose };
  'default_branch.changed': { readonly project_id: number; readonly from: string | null; readonly to: string };
  'protected_branch.created': { readonly project: ProjectRecord } & AdmittingRule;
  'protected_branch.updated': {
    readonly project: ProjectRecord;
    readonly before: AdmittingRule;
    readonly after: AdmittingRule;
  };
  'protected_branch.removed': { readonly project: ProjectRecord } & AdmittingRule;
  'protected_tag.created': { readonly project: ProjectRecord } & AdmittingRule;
  'protected_tag.removed': { readonly project: ProjectRecord } & AdmittingRule;
}

interface DeployKeyEvents {
  /** A project got a key that nothing had before, or one that another project has. */
  'deploy_key.created': { readonly project: ProjectRecord; readonly key: ProjectDeployKey };
  'deploy_key.enabled': { readonly project: ProjectRecord; readonly key: ProjectDeployKey };
  'deploy_key.updated': {
    readonly project: ProjectRecord;
    readonly before: ProjectDeployKey;
    readonly after: ProjectDeployKey;
  };
  /** A key was removed from a project. */
  'deploy_key.deleted': { readonly project: ProjectRecord; readonly key: ProjectDeployKey };
  /** Every project may enable a key, or none any more. */
  'public_deploy_key.created': { readonly key: DeployKey };
  'public_deploy_key.deleted': { readonly key: DeployKey };
}

interface MirrorEvents {
  /** A user requested an immediate update of a mirror. */
  'mirror.update_requested': { readonly project: ProjectRecord };
  /** A mirror that starts pipelines moved refs, as the user who answers for it. */
  'mirror.updated': { readonly project: ProjectRecord; readonly changes: readonly MirrorChange[] };
}

export interface RepositoriesEvents extends ProjectEvents, RefEvents, DeployKeyEvents, MirrorEvents, ContentEvents {}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends RepositoriesEvents {}
}
