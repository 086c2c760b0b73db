import type { ContainerRef } from '../core/container.js';

declare module '../core/events.js' {
  interface DomainEvents {
    /**
     * Somebody has less access to a project, or to a group with everything below it, than before: a user, the members
     * of a group, or everybody.
     */
    'access.reduced': {
      readonly to: ContainerRef;
      readonly of: { user_id: number } | { group_id: number } | 'everybody';
    };
    /** A user may not sign in any more: blocked, banned or deactivated. */
    'user.stopped': { readonly user_id: number };
    /** What a user signs in with is another one. */
    'user.password_changed': { readonly user_id: number };
    /** A project is gone, with all that was in it. */
    'project.removed': { readonly project_id: number; readonly repository_created: boolean };
  }
}
