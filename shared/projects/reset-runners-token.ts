import { auditedProject, recordAuditEvent } from '../audit-events/record-audit-events.js';
import { can, operation } from '../core/operation.js';
import { ProjectSettings } from './project-settings.entity.js';
import { newRunnersToken } from './project-secrets.js';
import { project } from './project.finder.js';
import { projectPolicy } from './project.policy.js';

/** Replace the token that runners register with; the one before it is worth nothing any more. */
export const resetRunnersToken = operation({
  name: 'resetRunnersToken',
  summary: "Reset a project's runner registration token",
  subject: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  async run(ctx, found) {
    const { plain, sealed } = newRunnersToken(ctx, found.id);
    await ctx.em.nativeUpdate(ProjectSettings, { project_id: found.id }, { runners_token: sealed });
    await recordAuditEvent(ctx, {
      event: 'project_runners_token_reset',
      entity: auditedProject(found),
      message: 'Reset the runner registration token',
    });
    return { token: plain, token_expires_at: null };
  },
});
