import { integer } from '../../core/operations/fields.js';
import { aboutNamespace } from '../../core/values/job-context.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { epic, findEpicById } from './epic.finder.js';
import { epicPolicy } from './epic.policy.js';
import type { EpicRecord } from './epic.entity.js';

const readable = { can: can(epicPolicy, 'read_epic'), plan: 'premium', authentication: 'open', kind: 'read' } as const;

/** Read an epic by its number in its group. */
export const getEpic = operation({
  name: 'getEpic',
  summary: 'Read an epic',
  resource: epic,
  ...readable,
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

const epicAnywhere: Resource<EpicRecord> = {
  noun: 'Epic',
  params: { id: integer().describe('Global ID of the epic.') },
  find: (ctx, input: { id: number }) => findEpicById(ctx, input.id),
  about: (record) => aboutNamespace(record.group),
};

/** Read an epic by its global id, as GraphQL does: callers who can read it. */
export const getEpicById = operation({
  name: 'getEpicById',
  summary: 'Read an epic by its global id',
  resource: epicAnywhere,
  ...readable,
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});
