import { NotFound } from '../../core/values/errors.js';
import { Epic } from '../../planning/epics/epic.entity.js';
import type { EpicRecord } from '../../planning/epics/epic.entity.js';
import { epicById, findEpicById } from '../../planning/epics/epic.finder.js';
import { groupEpicPolicy } from '../../planning/epics/epic.policy.js';
import { epicChange } from '../../planning/planning.pages.js';
import { containerOfGroup } from '../../tenancy/containers/container.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { onNotes } from './on-notes.js';
import type { Noteable, NoteableType } from './noteable.js';

/** An epic, as its notes know it. */
export const epicNoteable = (record: EpicRecord): Noteable => ({
  type: epicNoteableType,
  id: record.id,
  iid: record.iid,
  sha: null,
  reference: `&${record.iid}`,
  container: containerOfGroup(record.group),
  author_id: record.author_id ?? null,
  assigned: false,
  locked: false,
  record,
});

/** Epics, by their global ids (discussions-and-notes.md section 1). */
export const epicNoteableType: NoteableType = {
  kind: 'epic',
  noun: 'Epic',
  called: 'an epic',
  plan: 'premium',
  resource: {
    noun: epicById.noun,
    params: epicById.params,
    async find(ctx, input) {
      return epicNoteable(await epicById.find(ctx, input));
    },
    about: ({ record }) => epicById.about!(record as EpicRecord),
  },
  async findOf(ctx, { epic_id: id }) {
    if (!id || !ctx.hasPlan('premium')) throw new NotFound();
    return epicNoteable(await findEpicById(ctx, id));
  },
  readable: (caller, { container }) => groupEpicPolicy.read_epics(caller, container.record as GroupRecord),
  holds: ({ id }) => onNotes('n.epic_id', '=', id),
  columns: ({ id, container }) => ({ epic_id: id, namespace_id: container.id }),
  converts: true,
  resolvable: false,
  internal: true,
  resolvesThreads: false,
  pageChange: ({ container, record }, internal) =>
    internal ? { kind: 'confidential_epics', group_id: container.id } : epicChange(record as EpicRecord),
  async touch(ctx, { id }) {
    await ctx.em.nativeUpdate(Epic, { id: id as number }, { updated_at: ctx.clock.now() });
  },
};
