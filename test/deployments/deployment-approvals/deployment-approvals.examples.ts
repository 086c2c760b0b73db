import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

/** Has a deployment wait for the approval of a Developer, unanswered. */
async function makeWaiting(sandbox: Sandbox, { id, deployment_id: deployment }: Record<string, string>): Promise<void> {
  const author = sandbox.app.as(sandbox.people.author);
  const { body } = await author.get(`/projects/${id}/deployments/${deployment}`);
  await author.post(`/projects/${id}/protected_environments`, {
    name: body.environment.name,
    deploy_access_levels: [{ access_level: 30 }],
    approval_rules: [{ access_level: 30 }],
  });
  const ctx = sandbox.app.context();
  await ctx.query(sql`delete from deployment_approvals where deployment_id = ${deployment}`);
  await ctx.query(sql`update deployments set status = 'blocked', finished_at = null where id = ${deployment}`);
}

export default {
  needs: [{ path: /\/deployments\/[^/]+\/approval$/, plan: 'premium' }],
  requests: {
    'POST /projects/:id/deployments/:deployment_id/approval': {
      namesOthers: 'an environment that is protected',
      params: { status: () => 'approved' },
      ready: makeWaiting,
      // Reporters may send the request, but only users matching a rule are allowed to approve.
      caller: (sandbox) => sandbox.people.developer,
    },
  },
} satisfies AreaExamples;
