import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { newRunnersToken } from '../../tenancy/projects/project-secrets.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** A token that runners register with, as its reset answers it. */
export const runnersTokenSerializer = serializer<{ token: string }>('RunnersToken', {
  token: out.text(({ token }) => token, { secret: true }),
  token_expires_at: out.any(() => null, { type: 'null' }),
});

/** Replace the token that runners register with; the one before it is worth nothing any more. */
export const resetRunnersToken = operation({
  name: 'resetRunnersToken',
  summary: "Reset a project's runner registration token",
  resource: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  async run(ctx, found) {
    const { plain, columns } = newRunnersToken(ctx, found.id);
    await ctx.em.nativeUpdate(ProjectSettings, { project_id: found.id }, columns);
    ctx.record({ type: 'project.runners_token_reset', project: found });
    return { token: plain };
  },
});
