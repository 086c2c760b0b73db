import type { AreaExamples, RequestExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const notAudited = 'everyday work, which the issue tells by itself';
const duration = { params: { duration: () => '1h' }, notAudited };

const makeIssue = (world: World, project: string | number) =>
  world.post(`/projects/${project}/issues`, { title: `Issue ${world.unique()}` }) as unknown as Promise<{
    id: number;
    iid: number;
  }>;

/** Into a project of whoever made the issue. */
const elsewhere: RequestExample = {
  params: { to_project_id: async (world) => (await world.app.build.project({ owner: world.people.author })).id },
  caller: (world) => world.people.author,
  notAudited,
};

export default {
  records: {
    [ISSUE]: async (world, { id }) => (await makeIssue(world, id as string)).iid,
    '/issues/:id': async (world) => (await makeIssue(world, world.project.id)).id,
  },
  requests: {
    'GET /issues': { refusedToNobody: 401 },
    'GET /issues_statistics': { refusedToNobody: 401 },
    'POST /projects/:id/issues': { notAudited },
    [`PUT ${ISSUE}`]: { params: { title: () => 'Another title' }, edit: { title: 'Another title' }, notAudited },
    [`PUT ${ISSUE}/reorder`]: {
      params: { move_after_id: async (world) => (await makeIssue(world, world.project.id)).id },
      notAudited,
      notTold: 'an order by hand is no change of the issue',
    },
    [`POST ${ISSUE}/move`]: elsewhere,
    [`POST ${ISSUE}/clone`]: elsewhere,
    [`POST ${ISSUE}/unsubscribe`]: { caller: (world) => world.people.author },
    [`POST ${ISSUE}/time_estimate`]: duration,
    [`POST ${ISSUE}/reset_time_estimate`]: {
      notAudited,
      ready: (world, path) =>
        world.post(`/projects/${path.id}/issues/${path.issue_iid}/time_estimate`, { duration: '1h' }),
    },
    [`POST ${ISSUE}/add_spent_time`]: duration,
    [`POST ${ISSUE}/reset_spent_time`]: {
      notAudited,
      ready: (world, path) =>
        world.post(`/projects/${path.id}/issues/${path.issue_iid}/add_spent_time`, { duration: '1h' }),
    },
  },
} satisfies AreaExamples;
