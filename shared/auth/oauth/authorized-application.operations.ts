import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { instance, operation } from '../../core/operation.js';
import { out, shape } from '../../core/shape.js';
import { sql } from '../../core/sql.js';
import { inSession } from '../personal-access-tokens/in-session.js';
import { revokeGrantsFor } from './revoke-grants.js';

/** An application with all that a user allowed it and did not take back. */
interface AuthorizedApplication {
  id: number;
  name: string;
  scopes: string[];
  allowed_at: Date;
  last_used_at: Date | null;
}

/** What a person allowed an application. */
export const authorizedApplicationShape = shape<AuthorizedApplication>('AuthorizedApplication', {
  id: out.integer((application) => application.id),
  name: out.text((application) => application.name),
  scopes: out.texts((application) => application.scopes),
  allowed_at: out.instant((application) => application.allowed_at),
  last_used_at: out.nullableInstant((application) => application.last_used_at),
});

/** List the applications that the caller allowed something, by their names. */
export const listAuthorizedApplications = operation({
  name: 'listAuthorizedApplications',
  summary: 'List the applications that one allowed something',
  subject: instance,
  kind: 'read',
  can: inSession,
  run: (ctx) =>
    ctx.query<AuthorizedApplication>(sql`
      with own as (
        select g.id, g.application_id, g.scopes, g.created_at from oauth_grants g
         where g.user_id = ${ctx.caller.user.id} and g.revoked_at is null)
      select a.id as "id", a.name as "name", max(own.created_at) as "allowed_at",
             array(select distinct s.scope from own o, unnest(o.scopes) as s (scope)
                    where o.application_id = a.id order by s.scope) as "scopes",
             (select max(t.last_used_at) from own o join oauth_access_tokens t on t.grant_id = o.id
               where o.application_id = a.id) as "last_used_at"
        from own join oauth_applications a on a.id = own.application_id
       group by a.id, a.name order by lower(a.name), a.id`),
});

/** Take back all that the caller allowed an application: its tokens are refused from then on. */
export const revokeAuthorizedApplication = operation({
  name: 'revokeAuthorizedApplication',
  summary: 'Take back what one allowed an application',
  subject: instance,
  kind: 'write',
  can: inSession,
  params: { application_id: integer().describe('Id of the application.') },
  async run(ctx, _instance, input) {
    const { user } = ctx.caller;
    const application = await ctx.queryOne<{ id: number; name: string }>(sql`
      select a.id as "id", a.name as "name" from oauth_applications a where a.id = ${input.application_id}`);
    if (!application || (await revokeGrantsFor(ctx, user.id, application.id)) === 0) throw new NotFound('Application');
    ctx.record({ type: 'oauth_application.deauthorized', user, application });
  },
});
