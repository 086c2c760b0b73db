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
  /** The branch of a repository that is no project's moved, by a commit, a push, or because it was read anew. */
  'content.updated': { readonly content: ContentRef; readonly from: string | null; readonly to: string | null };
  /** What such a repository takes on disk was counted. */
  'content.measured': { readonly content: ContentRef; readonly size_bytes: number };
}

/** A project's own row, with its settings. What is secret in them is sealed. */
type ProjectInFull = Project & { readonly settings: ProjectSettings };

/** A rule over refs, and whom it admits. */
export interface AdmittingRule {
  readonly rule: {
    readonly id: number;
    readonly name: string;
    readonly allow_force_push?: boolean;
    readonly code_owner_approval_required?: boolean;
  };
  readonly entries: readonly AccessEntryRecord[];
}

/** Where a project is imported or mirrored from, without what is secret in the URL, and by what rules. */
interface AutoRefresh {
  readonly url: string | null;
  readonly rules: MirrorAttributes;
}

interface ProjectEvents {
  'project.created': { readonly project: Project & { readonly full_path: string } };
  /** `project` as it was found: by its path before the edit. */
  'project.updated': {
    readonly project: ProjectRecord;
    readonly before: ProjectInFull;
    readonly after: ProjectInFull;
  };
  'project.mirror_changed': {
    readonly project: ProjectRecord;
    readonly before: AutoRefresh;
    readonly after: AutoRefresh;
    /** Also where it is the same place, with other credentials. */
    readonly url_changed: boolean;
  };
  /** A project went to another namespace. */
  'project.transferred': { readonly before: ProjectRecord; readonly after: ProjectRecord };
  'project.archived': { readonly project: ProjectRecord };
  'project.unarchived': { readonly project: ProjectRecord };
  /** A project is removed after some days, unless it is restored. As it was before its path was given free. */
  'project.deletion_marked': { readonly project: ProjectRecord };
  'project.restored': { readonly project: ProjectRecord };
  'project.runners_token_reset': { readonly project: ProjectRecord };
  'project.fork_linked': { readonly project: ProjectRecord; readonly upstream: ProjectRecord };
  'project.fork_unlinked': { readonly project: ProjectRecord; readonly upstream_id: number | null };
}

interface RefEvents {
  /** Branches or tags were made, moved or deleted. */
  'refs.updated': { readonly project_id: number; readonly changes: readonly RefChange[] };
  /** Somebody pushed over git: what of it landed, in the same transaction as `refs.updated`. */
  'repository.pushed': {
    readonly project_id: number;
    /** How many branches and tags it made, moved and deleted. */
    readonly refs: number;
    /** Each of them. */
    readonly pushes: readonly PushedRef[];
  };
  /** A repository came as a whole, by an import or a fork, with these refs. */
  'repository.imported': { readonly project_id: number; readonly changes: readonly RefChange[] };
  /** The index of a repository's refs was not as in git, and was read anew: how the index changed. */
  'repository.repaired': { readonly project: ProjectSummary; readonly changes: readonly RefChange[] };
  /**
   * Whoever moved refs ended before all was done that belongs to it; the index is as git has them by now. Told several
   * times, and also where git never moved.
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
  /** A project has a key no more. */
  'deploy_key.deleted': { readonly project: ProjectRecord; readonly key: ProjectDeployKey };
  /** Every project may enable a key, or none any more. */
  'public_deploy_key.created': { readonly key: DeployKey };
  'public_deploy_key.deleted': { readonly key: DeployKey };
}

interface MirrorEvents {
  /** Somebody asked for a mirror to be brought up to date at once. */
  'mirror.update_requested': { readonly project: ProjectRecord };
  /** A mirror that starts pipelines moved refs, as the user who answers for it. */
  'mirror.updated': { readonly project: ProjectRecord; readonly changes: readonly MirrorChange[] };
}

export interface RepositoriesEvents extends ProjectEvents, RefEvents, DeployKeyEvents, MirrorEvents, ContentEvents {}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends RepositoriesEvents {}
}
