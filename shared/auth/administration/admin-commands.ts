import type { UserRecord } from '../../tenancy/users/user.entity.js';
import { randomBytes } from 'node:crypto';
import { Context } from '../../core/context/context.js';
import { createToken } from '../personal-access-tokens/create-personal-access-token.js';
import { TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { daysFromNow } from '../personal-access-tokens/token-values.js';
import { changeUser } from '../../tenancy/users/update-user.js';
import { listPeople, AdminCommandError, requirePerson } from './admin-users.js';
import { credentialLines, RETENTION_NOTE, openCredentials, readSealedCredentials } from './initial-credentials.js';

/** A command as the launcher read it from the command line (`shared/command-line.ts`). */
export interface AdminRequest {
  command: 'reset-password' | 'create-token' | 'list-users' | 'show-initial-credentials';
  user?: string;
  'password-stdin'?: boolean;
  name?: string;
  scopes?: string;
  'expires-in-days'?: string;
  search?: string;
}

/** `text` is the requested output, `notes` holds additional remarks. */
export interface AdminAnswer {
  text: string;
  notes: string[];
}

/** The command does not change the user's state: new credentials do not help a user who may not sign in. */
function stateNotes(user: UserRecord): string[] {
  if (user.state === 'active') return [];
  return [
    `${user.username} is ${user.state.replaceAll('_', ' ')} and stays so: an administrator must change that first.`,
  ];
}

async function resetPassword(ctx: Context, reference: string, newPassword: string | null): Promise<AdminAnswer> {
  const password = newPassword ?? randomBytes(15).toString('base64url');
  const user = await ctx.transaction(async () => {
    const found = await requirePerson(ctx, reference);
    return changeUser(ctx, found, { password, avatar: undefined });
  });
  return {
    text:
      newPassword === null ? `New password of ${user.username}: ${password}` : `${user.username} has the new password.`,
    notes: [
      ...(newPassword === null ? ['It is shown this once and stored nowhere in plain text.'] : []),
      'Sessions of the user, and what applications were allowed in them, ended; access tokens stay.',
      ...stateNotes(user),
    ],
  };
}

function getScopes(text: string): string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.filter((scope) => !TOKEN_SCOPES.some((allowed) => allowed === scope));
  if (unknown.length > 0)
    throw new AdminCommandError(`--scopes has "${unknown.join('", "')}"; there are ${TOKEN_SCOPES.join(', ')}.`);
  return scopes;
}

function getDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= 365) return days;
  throw new AdminCommandError(`--expires-in-days is "${text}"; it should be a number of days from 1 to 365.`);
}

async function makeToken(ctx: Context, reference: string, request: AdminRequest): Promise<AdminAnswer> {
  const scopes = getScopes(request.scopes ?? 'api');
  const days = request['expires-in-days'] === undefined ? undefined : getDays(request['expires-in-days']);
  const expiresAt = days === undefined ? undefined : daysFromNow(ctx, days);
  return ctx.transaction(async () => {
    const user = await requirePerson(ctx, reference);
    const name = request.name ?? 'Made on the command line';
    const { plain } = await createToken(ctx, user.id, { name, scopes, expires_at: expiresAt });
    const end = expiresAt === undefined ? 'never ends by itself' : `ends when ${expiresAt} begins, UTC`;
    return {
      text: `Access token of ${user.username} (${scopes.join(', ')}): ${plain}`,
      notes: [`It is shown this once and stored nowhere in plain text; it ${end}.`, ...stateNotes(user)],
    };
  });
}

async function showInitialCredentials(ctx: Context): Promise<AdminAnswer> {
  const credentials = await readSealedCredentials(ctx);
  const found = credentials && openCredentials(ctx, credentials);
  const lines = found ? credentialLines(found) : [];
  if (lines.length === 0)
    throw new AdminCommandError(
      'The first password and token are not kept any more: the password was changed, a day has passed, or they came ' +
        'from INITIAL_ROOT_PASSWORD and INITIAL_ROOT_TOKEN. Make others: reset-password root, create-token root.',
    );
  return { text: lines.join('\n'), notes: [RETENTION_NOTE] };
}

async function listUsers(ctx: Context, search: string | undefined): Promise<AdminAnswer> {
  const { text, more } = await listPeople(ctx, search);
  return { text, notes: more > 0 ? [`${more} more: narrow them with --search.`] : [] };
}

/**
 * Runs an administrative command without sign-in, for operators with access to the machine. Audit events have no
 * author, only the command line.
 * @param password from standard input; null generates one
 * @throws AdminCommandError, Invalid
 */
export async function runAdminCommand(
  services: Context['services'],
  caller: Context['caller'],
  request: AdminRequest,
  password: string | null,
): Promise<AdminAnswer> {
  const origin = { requestId: 'command-line', ip: null, actor: 'The command line on this machine' };
  const ctx = new Context(services, caller, origin);
  const user = request.user ?? '';
  if (request.command === 'reset-password') return resetPassword(ctx, user, password);
  if (request.command === 'create-token') return makeToken(ctx, user, request);
  if (request.command === 'show-initial-credentials') return showInitialCredentials(ctx);
  return listUsers(ctx, request.search);
}
