import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import type { IssueRecord } from '../../planning/issues/issue.entity.js';
import { findIssueById, issue } from '../../planning/issues/issue.finder.js';
import { projectIssuePolicy } from '../../planning/issues/issue.policy.js';
import { issueChange } from '../../planning/planning.pages.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { onNotes } from './on-notes.js';
import type { Noteable, NoteableType } from './noteable.js';

/** An issue, as its notes know it. */
export const issueNoteable = (record: IssueRecord): Noteable => ({
  type: issueNoteableType,
  id: record.id,
  iid: record.iid,
  sha: null,
  reference: `#${record.iid}`,
  container: containerOfProject(record.project),
  author_id: record.author_id ?? null,
  assigned: record.assigned_id !== null,
  locked: record.discussion_locked ?? false,
  record,
});

export const issueNoteableType: NoteableType = {
  kind: 'issue',
  noun: 'Issue',
  called: 'an issue',
  resource: {
    noun: issue.noun,
    params: issue.params,
    async find(ctx, input) {
      return issueNoteable(await issue.find(ctx, input));
    },
    about: ({ record }) => issue.about!(record as IssueRecord),
  },
  async findOf(ctx: Context, { issue_id: id }) {
    if (!id) throw new NotFound();
    return issueNoteable(await findIssueById(ctx, id));
  },
  readable: (caller, { container }) => projectIssuePolicy.read_issue(caller, container.record as ProjectRecord),
  holds: ({ id }) => onNotes('n.issue_id', '=', id),
  columns: ({ id, container }) => ({ issue_id: id, project_id: container.id }),
  converts: true,
  resolvable: true,
  internal: true,
  resolvesThreads: true,
  pageChange: ({ container, record }, internal) =>
    internal ? { kind: 'internal_notes', project_id: container.id } : issueChange(record as IssueRecord),
  async touch(ctx, { id }) {
    await ctx.em.nativeUpdate(Issue, { id: id as number }, { updated_at: ctx.clock.now() });
  },
};
