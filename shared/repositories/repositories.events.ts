import type { ProjectRecord } from '../tenancy/projects/project.finder.js';
import type { MirrorChange } from './project-mirrors/mirror-changes.js';

declare module '../core/events.js' {
  interface DomainEvents {
    /** A mirror that starts pipelines moved refs, as the user who answers for it. */
    'mirror.updated': { readonly project: ProjectRecord; readonly changes: readonly MirrorChange[] };
  }
}
