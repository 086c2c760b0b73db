import { NotFound } from '../../core/values/errors.js';
import { MergeRequest } from '../../merge-requests/merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { findMergeRequestById, mergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import { projectMergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { containerOfProject } from '../../tenancy/containers/container.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { onNotes } from './on-notes.js';
import type { Noteable, NoteableType } from './noteable.js';

/** A merge request, as its notes know it. */
export const mergeRequestNoteable = (record: MergeRequestRecord): Noteable => ({
  type: mergeRequestNoteableType,
  id: record.id,
  iid: record.iid,
  sha: null,
  reference: `!${record.iid}`,
  container: containerOfProject(record.project),
  author_id: record.author_id ?? null,
  assigned: false,
  locked: record.discussion_locked ?? false,
  record,
});

export const mergeRequestNoteableType: NoteableType = {
  kind: 'merge_request',
  noun: 'MergeRequest',
  called: 'a merge request',
  resource: {
    noun: mergeRequest.noun,
    params: mergeRequest.params,
    async find(ctx, input) {
      return mergeRequestNoteable(await mergeRequest.find(ctx, input));
    },
    about: ({ record }) => mergeRequest.about!(record as MergeRequestRecord),
  },
  async findOf(ctx, { merge_request_id: id }) {
    if (!id) throw new NotFound();
    return mergeRequestNoteable(await findMergeRequestById(ctx, id));
  },
  readable: (caller, { container }) =>
    projectMergeRequestPolicy.read_merge_request(caller, container.record as ProjectRecord),
  holds: ({ id }) => onNotes('n.merge_request_id', '=', id),
  columns: ({ id, container }) => ({ merge_request_id: id, project_id: container.id }),
  converts: true,
  resolvable: true,
  internal: true,
  resolvesThreads: true,
  pageChange: ({ container }, internal) => ({
    kind: internal ? 'internal_notes' : 'merge_requests',
    project_id: container.id,
  }),
  diffs: true,
  versioned: true,
  async touch(ctx, { id }) {
    await ctx.em.nativeUpdate(MergeRequest, { id: id as number }, { updated_at: ctx.clock.now() });
  },
};
