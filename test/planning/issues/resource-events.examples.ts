import type { AreaExamples, PathValues, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

type Change = (sandbox: Sandbox, path: PathValues) => object | Promise<object>;

/** An event as a change of the issue in the path leaves it. */
const getEvent =
  (kind: string, change: Change): RecordExample =>
  async (sandbox, path) => {
    const issue = `/projects/${path.id}/issues/${path.issue_iid}`;
    const caller = sandbox.app.as(sandbox.people.author);
    await caller.put(issue, await change(sandbox, path));
    return (await caller.get(`${issue}/resource_${kind}_events?per_page=100`)).body.at(-1).id;
  };

const otherState: Change = async (sandbox, { id, issue_iid }) => {
  const { body } = await sandbox.app.as(sandbox.people.author).get(`/projects/${id}/issues/${issue_iid}`);
  return { state_event: body.state === 'opened' ? 'close' : 'reopen' };
};

const newMilestone: Change = async (sandbox, { id }) => ({
  milestone_id: (await sandbox.post(`/projects/${id}/milestones`, { title: `Milestone ${sandbox.unique()}` })).id,
});

const ISSUE = '/projects/:id/issues/:issue_iid';

export default {
  records: {
    [`${ISSUE}/resource_state_events/:event_id`]: getEvent('state', otherState),
    [`${ISSUE}/resource_label_events/:event_id`]: getEvent('label', ({ unique }) => ({
      add_labels: `label ${unique()}`,
    })),
    [`${ISSUE}/resource_milestone_events/:event_id`]: getEvent('milestone', newMilestone),
    [`${ISSUE}/resource_weight_events/:event_id`]: getEvent('weight', ({ unique }) => ({ weight: unique() })),
  },
} satisfies AreaExamples;
