import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

/** The number of another issue of a project, as the other side of a link. */
async function targetIn(sandbox: Sandbox, projectId: number | string): Promise<number> {
  const issue = await sandbox.post(`/projects/${projectId}/issues`, { title: 'Another' });
  return (issue as unknown as { iid: number }).iid;
}

export default {
  records: {
    '/projects/:id/issues/:issue_iid/links/:issue_link_id': async (sandbox, { id = '', issue_iid }) =>
      (
        await sandbox.post(`/projects/${id}/issues/${issue_iid}/links`, {
          target_project_id: id,
          target_issue_iid: await targetIn(sandbox, id),
        })
      ).id,
  },
  requests: {
    // It requires a role in both projects, which is checked inside the operation after other checks.
    'POST /projects/:id/issues/:issue_iid/links': {
      caller: ({ people }) => people.planner,
      params: {
        target_project_id: (sandbox) => sandbox.project.id,
        target_issue_iid: (sandbox) => targetIn(sandbox, sandbox.project.id),
      },
    },
    'DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id': { caller: ({ people }) => people.planner },
  },
} satisfies AreaExamples;
