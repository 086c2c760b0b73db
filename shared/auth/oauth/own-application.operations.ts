import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { readAll } from '../../core/database/list.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { AuthDatabase } from '../auth.entities.js';
import { TOKEN_SCOPES } from '../personal-access-tokens/create-token.js';
import { isAvailable } from '../personal-access-tokens/create-token-in-session.js';
import { inSession } from '../personal-access-tokens/personal-access-token.policy.js';
import { findApplications, findOwnApplication } from './oauth-application.finder.js';
import { OauthApplication } from './oauth-application.entity.js';
import type { ApplicationWithSecret } from './oauth-application.serializer.js';
import { applicationParams, registerApplication, removeApplication, renewSecret } from './register-application.js';

const inOwn = { resource: instance, can: inSession } as const;
const applicationParam = { application_id: integer().describe('ID of the application.') };

/** List one's own applications, oldest first. */
export const listOwnApplications = operation({
  name: 'listOwnApplications',
  summary: 'List your own applications',
  ...inOwn,
  kind: 'read',
  run: (ctx) => readAll(ctx, findApplications(ctx.caller.user.id)),
});

/** @throws Invalid where the user has as many applications as one may have */
async function requireRoom(ctx: SignedInContext): Promise<void> {
  const most = ctx.settings.oauth_applications_per_user;
  if (most === 0) return;
  const { id } = ctx.caller.user;
  // A separate locking statement: the next statement then sees what the previous lock holder committed.
  await ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '=', id)
    .forNoKeyUpdate()
    .execute();
  if ((await ctx.em.count(OauthApplication, { owner_id: id })) < most) return;
  throw new Invalid(`The limit of ${most} application${most === 1 ? '' : 's'} is reached; delete one to make another.`);
}

/**
 * Register an application owned by the caller, for any scope that the caller may grant. Only this response shows its
 * secret.
 */
export const createOwnApplication = operation({
  name: 'createOwnApplication',
  summary: 'Create an application of your own',
  ...inOwn,
  kind: 'write',
  params: applicationParams,
  async run(ctx, _instance, input): Promise<ApplicationWithSecret> {
    await requireRoom(ctx);
    const scopes = TOKEN_SCOPES.filter((scope) => isAvailable(ctx, scope));
    return registerApplication(ctx, input, scopes, ctx.caller.user);
  },
});

/** Delete an application of one's own: its tokens are refused from then on. */
export const deleteOwnApplication = operation({
  name: 'deleteOwnApplication',
  summary: 'Delete one of your applications',
  ...inOwn,
  kind: 'write',
  params: applicationParam,
  async run(ctx, _instance, input) {
    const { user } = ctx.caller;
    await removeApplication(ctx, await findOwnApplication(ctx, user.id, input.application_id), user);
  },
});

/** Give an application of one's own another secret. */
export const renewOwnApplicationSecret = operation({
  name: 'renewOwnApplicationSecret',
  summary: 'Renew the secret of one of your applications',
  ...inOwn,
  kind: 'write',
  params: applicationParam,
  async run(ctx, _instance, input): Promise<ApplicationWithSecret> {
    const { user } = ctx.caller;
    return renewSecret(ctx, await findOwnApplication(ctx, user.id, input.application_id), user);
  },
});
