import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { arrayFrom, scalar } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import { inSession } from '../personal-access-tokens/personal-access-token.policy.js';
import { revokeGrantsFor } from './revoke-grants.js';

/** An application with all that a user allowed it and did not take back. */
interface AuthorizedApplication {
  id: number;
  name: string;
  scopes: string[];
  allowed_at: Date;
  last_used_at: Date | null;
}

/** An application that a user has authorized. */
export const authorizedApplicationSerializer = serializer<AuthorizedApplication>('AuthorizedApplication', {
  id: out.integer((application) => application.id),
  name: out.text((application) => application.name),
  scopes: out.texts((application) => application.scopes),
  allowed_at: out.instant((application) => application.allowed_at),
  last_used_at: out.nullableInstant((application) => application.last_used_at),
});

/** List the applications that the caller allowed something, by their names. */
export const listAuthorizedApplications = operation({
  name: 'listAuthorizedApplications',
  summary: 'List applications that you authorized',
  resource: instance,
  kind: 'read',
  can: inSession,
  run: (ctx) =>
    ctx.em
      .getKysely<AuthDatabase>()
      .with('own', (db) =>
        db
          .selectFrom('oauth_grants as g')
          .select(['g.id', 'g.application_id', 'g.scopes', 'g.created_at'])
          .where('g.user_id', '=', ctx.caller.user.id)
          .where('g.revoked_at', 'is', null),
      )
      .selectFrom('own')
      .innerJoin('oauth_applications as a', 'a.id', 'own.application_id')
      .select((eb) => {
        const scopes = eb
          .selectFrom('own as o')
          .select(({ fn }) => fn<string>('unnest', ['o.scopes']).as('scope'))
          .distinct()
          .whereRef('o.application_id', '=', 'a.id')
          .orderBy('scope');
        const lastUsed = eb
          .selectFrom('own as o')
          .innerJoin('oauth_access_tokens as t', 't.grant_id', 'o.id')
          .select(({ fn }) => fn.max('t.last_used_at').as('at'))
          .whereRef('o.application_id', '=', 'a.id');
        return [
          'a.id',
          'a.name',
          eb.fn.max('own.created_at').as('allowed_at'),
          arrayFrom(scopes).as('scopes'),
          scalar(lastUsed).as('last_used_at'),
        ];
      })
      .groupBy(['a.id', 'a.name'])
      .orderBy(({ fn }) => fn('lower', ['a.name']))
      .orderBy('a.id')
      .execute(),
});

/** Take back all that the caller allowed an application: its tokens are refused from then on. */
export const revokeAuthorizedApplication = operation({
  name: 'revokeAuthorizedApplication',
  summary: 'Revoke your authorization of an application',
  resource: instance,
  kind: 'write',
  can: inSession,
  params: { application_id: integer().describe('ID of the application.') },
  async run(ctx, _instance, input) {
    const { user } = ctx.caller;
    const application = await ctx.em
      .getKysely<AuthDatabase>()
      .selectFrom('oauth_applications as a')
      .select(['a.id', 'a.name'])
      .where('a.id', '=', input.application_id)
      .executeTakeFirst();
    if (!application || (await revokeGrantsFor(ctx, user.id, application.id)) === 0) throw new NotFound('Application');
    ctx.record({ type: 'oauth_application.deauthorized', user, application });
  },
});
