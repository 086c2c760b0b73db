import type { OauthApplication } from './oauth/oauth-application.entity.js';
import type { ContainerSummary, GroupSummary, ProjectSummary, EventUser } from '../tenancy/tenancy.events.js';

/** A token by its name, without the secret, with the user that it acts as and its origin. */
export interface TokenSummary {
  readonly id: number;
  readonly name: string;
  readonly impersonation: boolean;
  readonly user: EventUser;
  readonly project: ProjectSummary | null;
  readonly group: GroupSummary | null;
}

/** A deploy token by its name and scopes, without the secret, and the container it belongs to. */
export interface DeployTokenEvent {
  readonly container: ContainerSummary;
  readonly token: {
    readonly id: number;
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires_at?: Date | null;
  };
}

/**
 * Why tokens are revoked without an explicit request: their bot has no other token, or an earlier token of the family
 * was reused.
 */
export type RevocationReason = 'bot_over' | 'reused';

export type SignInFailure = 'wrong password' | 'unknown account' | 'account is blocked';

/** `owner` is null for an application of the instance. */
export interface ApplicationEvent {
  readonly application: OauthApplication;
  readonly owner: EventUser | null;
}

export interface AuthEvents {
  'user.signed_in': { readonly user: EventUser };
  /** A failed sign-in attempt, so no user is signed in; `user` is null if the account does not exist. */
  'user.sign_in_failed': { readonly user: EventUser | null; readonly reason: SignInFailure };
  'token.created': { readonly token: TokenSummary };
  /** A token was replaced; the event holds the new one. */
  'token.rotated': { readonly token: TokenSummary };
  'token.revoked': { readonly token: TokenSummary; readonly reason: RevocationReason | null };
  /** The bot of a project or group has no token left; a job removes it. */
  'bot.deleted': { readonly user: EventUser };
  'deploy_token.created': DeployTokenEvent;
  'deploy_token.revoked': DeployTokenEvent;
  'deploy_token.deleted': DeployTokenEvent;
  'oauth_application.created': ApplicationEvent;
  'oauth_application.deleted': ApplicationEvent;
  'oauth_application.secret_renewed': ApplicationEvent;
  /** A user took back everything that they had allowed an application. */
  'oauth_application.deauthorized': {
    readonly user: EventUser;
    readonly application: { readonly id: number; readonly name: string };
  };
  /** A user ended sessions of their own, by the list of them. */
  'user.sessions_ended': {
    readonly user: EventUser;
    readonly sessions: readonly { readonly id: number; readonly ip_address?: string | null }[];
  };
  /** A user allowed an application something. */
  'oauth_application.authorized': {
    readonly user: EventUser;
    readonly grant: { readonly id: number; readonly application: string; readonly scopes: readonly string[] };
  };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends AuthEvents {}
}
