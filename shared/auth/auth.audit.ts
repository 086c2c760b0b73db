import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedGroup, auditedInstance, auditedProject, auditedUser } from '../instance/audit-events/audit-note.js';
import type { AuditedEntity, AuditNote } from '../instance/audit-events/audit-note.js';
import { auditedContainer } from '../tenancy/containers/audited-container.js';
import type { ApplicationEvent, AuthEvents, DeployTokenEvent, TokenSummary, RevocationReason } from './auth.events.js';

const REASONS: Record<RevocationReason, string> = {
  bot_over: ': its bot is over',
  reused: ': an earlier token of its family was used again',
};

/** The kind of a token in the audit log, and whose log records it: the project's, the group's, or the user's. */
function auditedOwner({ impersonation, user, project, group }: TokenSummary): { kind: string; entity: AuditedEntity } {
  if (project) return { kind: 'project_access_token', entity: auditedProject(project) };
  if (group) return { kind: 'group_access_token', entity: auditedGroup(group) };
  return { kind: impersonation ? 'impersonation_token' : 'personal_access_token', entity: auditedUser(user) };
}

function tokenNote(token: TokenSummary, what: 'created' | 'rotated' | 'revoked', reason = ''): AuditNote {
  const { kind, entity } = auditedOwner(token);
  const done = `${what[0]?.toUpperCase()}${what.slice(1)}`;
  return {
    event: `${kind}_${what}`,
    entity,
    target: { type: 'PersonalAccessToken', id: token.id, details: token.name },
    message: `${done} ${kind.replaceAll('_', ' ')} ${token.name}${reason}`,
  };
}

/** Uses the public API's event names: those of groups begin with `group_`. */
function deployTokenNote({ container, token }: DeployTokenEvent, event: string, done: string): AuditNote {
  const { id, name, scopes, expires_at } = token;
  const ends = expires_at ? `until ${expires_at.toISOString()}` : 'without end';
  return {
    event: 'group' in container ? `group_${event}` : event,
    entity: auditedContainer(container),
    target: { type: 'DeployToken', id, details: name },
    message: `${done} deploy token ${name}: ${scopes.join(' ')}, ${ends}`,
  };
}

/** A user's application is recorded in the user's log, all others in the instance's. */
const applicationNote = ({ application, owner }: ApplicationEvent, what: string, done: string): AuditNote => ({
  event: `oauth_application_${what}`,
  entity: owner ? auditedUser(owner) : auditedInstance,
  target: { type: 'OauthApplication', id: application.id, details: application.name },
  message: `${done} ${application.name}`,
});

/** How signing in, and what happens to tokens and applications, reads in the audit log. */
export const authAuditOf: AuditOf<AuthEvents> = {
  'user.signed_in': ({ user }) => ({
    event: 'user_signed_in',
    entity: auditedUser(user),
    message: 'Signed in with a password',
  }),
  'user.sign_in_failed': ({ user, reason }) => ({
    event: 'sign_in_failed',
    entity: user ? auditedUser(user) : auditedInstance,
    message: `Failed to sign in: ${reason}`,
  }),
  'token.created': ({ token }) => tokenNote(token, 'created'),
  'token.rotated': ({ token }) => tokenNote(token, 'rotated'),
  'token.revoked': ({ token, reason }) => tokenNote(token, 'revoked', reason === null ? '' : REASONS[reason]),
  'bot.deleted': ({ user }) => ({
    event: 'user_deleted',
    entity: auditedUser(user),
    message: `Deleted bot ${user.username}: none of its tokens is left`,
  }),
  'deploy_token.created': (event) => deployTokenNote(event, 'deploy_token_created', 'Created'),
  'deploy_token.revoked': (event) => deployTokenNote(event, 'deploy_token_revoked', 'Revoked'),
  'deploy_token.deleted': (event) => deployTokenNote(event, 'deploy_token_destroyed', 'Deleted'),
  'oauth_application.created': (event) => applicationNote(event, 'created', 'Created application'),
  'oauth_application.deleted': (event) => applicationNote(event, 'deleted', 'Deleted application'),
  'oauth_application.secret_renewed': (event) => applicationNote(event, 'secret_renewed', 'Renewed the secret of'),
  'oauth_application.deauthorized': ({ user, application: { id, name } }) => ({
    event: 'oauth_application_deauthorized',
    entity: auditedUser(user),
    target: { type: 'OauthApplication', id, details: name },
    message: `Took back what application ${name} was allowed`,
  }),
  'user.sessions_ended': ({ user, sessions }) =>
    sessions.map(({ id, ip_address: address }) => ({
      event: 'user_session_ended',
      entity: auditedUser(user),
      target: { type: 'UserSession', id, details: address ?? 'unknown address' },
      message: `Ended the session from ${address ?? 'an unknown address'}`,
    })),
  'oauth_application.authorized': ({ user, grant }) => ({
    event: 'oauth_application_authorized',
    entity: auditedUser(user),
    target: { type: 'OauthGrant', id: grant.id, details: grant.application },
    message: `Allowed application ${grant.application}: ${grant.scopes.join(' ')}`,
  }),
};
