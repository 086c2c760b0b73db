import type { SignedInContext } from '../../core/context/context.js';
import { Conflict, Forbidden } from '../../core/values/errors.js';
import { boolean, integer, optional, text } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { insertEpic } from '../epics/create-epic.js';
import { editEpic } from '../epics/update-epic.js';
import { epic, findEpicById } from '../epics/epic.finder.js';
import { epicPolicy, groupEpicPolicy } from '../epics/epic.policy.js';
import type { EpicRecord, ListedEpic } from '../epics/epic.entity.js';
import { moveAmongSiblings } from '../issuables/move-among-siblings.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { epicLoads, epicReference, epicSerializer, epicUrl } from '../epics/epic.serializer.js';
import { findChildEpics, findChild, positionOfChild } from './child-epic.finder.js';

/** List the epics below an epic that the caller may read, in their order. */
export const listChildEpics = operation({
  name: 'listChildEpics',
  summary: 'List the child epics of an epic',
  resource: epic,
  can: can(epicPolicy, 'read_epic'),
  plan: 'premium',
  authentication: 'open',
  kind: 'read',
  statements: 9,
  run: (ctx, found) => Promise.resolve(findChildEpics(ctx, found)),
});

const writing = { resource: epic, can: can(epicPolicy, 'update_epic'), plan: 'premium', kind: 'write' } as const;
const childParam = { child_epic_id: integer().describe('Global ID of the child epic.') };

/** The epic of a global id, which the caller may change. @throws NotFound, Forbidden */
async function changeableEpic(ctx: SignedInContext, id: number): Promise<EpicRecord> {
  const found = await findEpicById(ctx, id);
  authorize(ctx, epicPolicy, 'update_epic', found);
  return found;
}

/** Make an epic a child of another one, removing it from its previous parent: Reporters who can update both. */
export const assignChildEpic = operation({
  name: 'assignChildEpic',
  summary: 'Assign a child epic to an epic',
  ...writing,
  statements: 36,
  params: childParam,
  async run(ctx, found, { child_epic_id: id }): Promise<EpicRecord> {
    const child = await changeableEpic(ctx, id);
    if (child.parent_id === found.id) throw new Conflict('Epic(s) already assigned');
    return editEpic(ctx, child, { parent_id: found.id });
  },
});

/** Make an epic of the same group below another one: Reporters and above. */
export const createChildEpic = operation({
  name: 'createChildEpic',
  summary: 'Create a child epic of an epic',
  ...writing,
  statements: 32,
  params: {
    title: text()
      .describe('Title of the epic, of at most 255 characters.')
      .meta({ examples: ['Move to the new engine'] }),
    confidential: optional(boolean()).describe(
      'If `true`, the epic is confidential; by default it is as confidential as its parent.',
    ),
  },
  async run(ctx, found, { title, confidential }): Promise<EpicRecord> {
    if (!groupEpicPolicy.create_epic(ctx.caller, found.group)) throw new Forbidden();
    return insertEpic(ctx, found.group, {
      title,
      confidential: confidential ?? found.confidential,
      parent_id: found.id,
    });
  },
});

/** Remove an epic from its parent: callers who can assign it. */
export const unassignChildEpic = operation({
  name: 'unassignChildEpic',
  summary: 'Unassign a child epic from an epic',
  ...writing,
  statements: 36,
  params: childParam,
  async run(ctx, found, { child_epic_id: id }): Promise<EpicRecord> {
    const child = await findChild(ctx, found, id);
    authorize(ctx, epicPolicy, 'update_epic', child);
    return editEpic(ctx, child, { parent_id: null });
  },
});

/** Put an epic between others below the same one: Reporters and above. Answers these epics in their order. */
export const moveChildEpic = operation({
  name: 'moveChildEpic',
  summary: 'Reorder the child epics of an epic',
  ...writing,
  statements: 40,
  example: { move_after_id: 2 },
  params: {
    ...childParam,
    move_before_id: optional(integer()).describe('Global ID of the sibling epic that comes before the child epic.'),
    move_after_id: optional(integer()).describe('Global ID of the sibling epic that comes after the child epic.'),
  },
  rules: [getAtLeastOne('move_after_id', 'move_before_id')],
  async run(ctx, found, { child_epic_id, ...neighbours }): Promise<List<ListedEpic>> {
    const { id } = await findChild(ctx, found, child_epic_id);
    await moveAmongSiblings(
      ctx,
      { table: 'epics', parent: 'parent_id', parentId: found.id },
      id,
      neighbours,
      async (neighbour) => positionOfChild(await findChild(ctx, found, neighbour)),
      'epics',
    );
    return findChildEpics(ctx, found);
  },
});

/** A newly created child epic: all fields of epics, plus those of a linked epic in the public API. */
export const newChildEpic = serializer<ListedEpic>(
  'NewChildEpic',
  {
    ...epicSerializer.fields,
    has_children: out.boolean(() => false),
    has_issues: out.boolean(() => false),
    reference: out.text((epic) => epicReference(epic.reference_base, epic)),
    url: out.text(epicUrl),
    relation_url: out.nullableText(() => null),
  },
  { loads: epicLoads },
);
