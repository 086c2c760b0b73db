import {
  auditedGroup,
  auditedProject,
  auditedUser,
  recordAuditEvents,
} from '../../instance/audit-events/record-audit-events.js';
import type { AuditedEntity } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

interface TokenOwner {
  id: number;
  name: string;
  impersonation: boolean;
  user: { id: number; username: string; namespace_id: number | null };
  project: { id: number; namespace_id: number; full_path: string } | null;
  group: { id: number; full_path: string } | null;
}

/** The kind of a token as events name it, and in whose log they stand: the project's, the group's, or the person's. */
function placeOf({ impersonation, user, project, group }: TokenOwner): { kind: string; entity: AuditedEntity } {
  if (project) return { kind: 'project_access_token', entity: auditedProject(project) };
  if (group) return { kind: 'group_access_token', entity: auditedGroup(group) };
  return { kind: impersonation ? 'impersonation_token' : 'personal_access_token', entity: auditedUser(user) };
}

/**
 * Writes an event for each token, in the caller's transaction: its name and id, never the token.
 * @param what the end of the event's name, such as `created`
 * @param message the sentence, made from the token's kind and name
 */
export async function auditTokens(
  ctx: Context,
  what: 'created' | 'rotated' | 'revoked',
  tokenIds: readonly number[],
  message: (token: string) => string,
): Promise<void> {
  if (tokenIds.length === 0) return;
  const tokens = await ctx.query<TokenOwner>(sql`
    select t.id as "id", t.name as "name", t.impersonation as "impersonation",
           u.id as "user.id", u.username as "user.username", n.id as "user.namespace_id",
           p.id as "project.id", p.namespace_id as "project.namespace_id", pr.path as "project.full_path",
           g.namespace_id as "group.id", g.path as "group.full_path"
      from personal_access_tokens t join users u on u.id = t.user_id
      left join namespaces n on n.owner_id = u.id
      left join projects p on p.id = t.project_id left join routes pr on pr.project_id = p.id
      left join routes g on g.namespace_id = t.namespace_id
     where t.id = any(${tokenIds}::bigint[]) order by t.id`);
  await recordAuditEvents(
    ctx,
    tokens.map((token) => {
      const { kind, entity } = placeOf(token);
      return {
        event: `${kind}_${what}`,
        entity,
        target: { type: 'PersonalAccessToken', id: token.id, details: token.name },
        message: message(`${kind.replaceAll('_', ' ')} ${token.name}`),
      };
    }),
  );
}
