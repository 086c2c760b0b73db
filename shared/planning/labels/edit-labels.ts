import { containerColumns } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Label, LabelPriority } from './label.entity.js';
import {
  labelChangeParams,
  labelChangeRule,
  labelParam,
  namingParams,
  namingRules,
  newLabelParams,
} from './label-params.js';
import { findLabel, isTitleTaken } from './label.finder.js';
import { labelPolicy } from './label.policy.js';
import type { LabelRecord } from './label.entity.js';
import { labelExists, readLabelValues, titleTakenError } from './label.rules.js';

/** Gives a label a priority in a project, or takes it away with null. */
async function setPriority(ctx: Context, projectId: number, labelId: number, priority: number | null): Promise<void> {
  if (priority === null) {
    await ctx.em.nativeDelete(LabelPriority, { project_id: projectId, label_id: labelId });
    return;
  }
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('label_priorities')
    .values({ project_id: projectId, label_id: labelId, priority })
    .onConflict((conflict) => conflict.columns(['project_id', 'label_id']).doUpdateSet({ priority }))
    .execute();
}

const OWN = { ancestors: false };

/** Creating a label of a project or group: Planners, Reporters and above. */
export function labelCreation({ kind, noun, resource }: ContainerType<Container>) {
  return operation({
    name: `create${noun}Label`,
    summary: `Create a label of a ${kind}`,
    resource,
    can: can(labelPolicy, 'create_label'),
    kind: 'write',
    params: newLabelParams(kind),
    async run(ctx, container, input): Promise<LabelRecord> {
      await lockContainer(ctx, container);
      const title = input.name.trim();
      if (await isTitleTaken(ctx, container, title)) throw labelExists();
      const values = readLabelValues({ title, color: input.color, description: input.description });
      const now = ctx.clock.now();
      const row = {
        ...containerColumns(container),
        title,
        color: values.color as string,
        description: values.description ?? null,
        archived: input.archived ?? false,
        created_at: now,
        updated_at: now,
      };
      const id = await ctx.em.insert(Label, row);
      const priority = input.priority ?? null;
      if (priority !== null) await setPriority(ctx, container.id, id, priority);
      ctx.record({ type: 'label.created', container: container.summary, label: { id, title } });
      return { id, ...row, priority, subscribed: false };
    },
  });
}

interface LabelChange {
  new_name?: string | undefined;
  color?: string | undefined;
  description?: string | null | undefined;
  archived?: boolean | undefined;
  priority?: number | null | undefined;
}

/** What changes of the label itself; its priority is the project's. */
async function getValues(ctx: Context, container: Container, label: LabelRecord, changes: LabelChange) {
  const { new_name: title, color, description, archived } = changes;
  const values = readLabelValues({ title, color, description });
  if (values.title !== undefined && values.title !== label.title)
    if (await isTitleTaken(ctx, container, values.title, label.id)) throw titleTakenError();
  return { ...values, ...(archived === undefined ? {} : { archived }) };
}

/** @param reference id or title */
async function edit(ctx: Context, container: Container, reference: string, changes: LabelChange): Promise<LabelRecord> {
  const { new_name, color, description, archived, priority } = changes;
  const ofLabel = [new_name, color, description, archived];
  // A label of a group above is not the project's to change, but has a priority in it.
  const prioritizes = priority !== undefined && ofLabel.every((value) => value === undefined);
  const label = await findLabel(ctx, container, reference, { ancestors: prioritizes });
  const values = await getValues(ctx, container, label, changes);
  const change = Object.keys(values).length === 0 ? null : { ...values, updated_at: ctx.clock.now() };
  if (change && (await ctx.em.nativeUpdate(Label, { id: label.id }, change)) === 0) throw new NotFound('Label');
  if (priority !== undefined) await setPriority(ctx, container.id, label.id, priority);
  const after = { ...label, ...change, ...(priority === undefined ? {} : { priority }) };
  ctx.record({ type: 'label.updated', container: container.summary, label: { id: after.id, title: after.title } });
  return after;
}

/** Editing a label: Planners, Reporters and above of its project or group. */
export function labelEditing({ kind, noun, resource }: ContainerType<Container>) {
  const editable = {
    resource,
    can: can(labelPolicy, 'update_label'),
    kind: 'write',
    example: { new_name: 'confirmed bug' },
  } as const;
  return {
    update: operation({
      name: `update${noun}Label`,
      ...editable,
      summary: `Edit a label of a ${kind}`,
      params: { ...labelParam, ...labelChangeParams(kind) },
      rules: [labelChangeRule(kind)],
      run: (ctx, container, { label_id, ...changes }) => edit(ctx, container, label_id, changes),
    }),

    updateByName: operation({
      name: `updateNamed${noun}Label`,
      ...editable,
      summary: `Edit a label of a ${kind} that a parameter names`,
      example: { name: 'bug', new_name: 'confirmed bug' },
      params: { ...namingParams, ...labelChangeParams(kind) },
      rules: [...namingRules, labelChangeRule(kind)],
      run: (ctx, container, { label_id, name, ...changes }) => edit(ctx, container, String(label_id ?? name), changes),
    }),
  };
}

/** Whatever has the label loses it. */
async function remove(ctx: Context, container: Container, reference: string): Promise<void> {
  const label = await findLabel(ctx, container, reference, OWN);
  requireUnmodified(ctx, label);
  // Of two at once one finds nothing any more.
  if ((await ctx.em.nativeDelete(Label, { id: label.id })) === 0) throw new NotFound('Label');
  ctx.record({ type: 'label.deleted', container: container.summary, label: { id: label.id, title: label.title } });
}

/** Deleting a label: Planners, Reporters and above of its project or group. */
export function labelDeletion({ kind, noun, resource }: ContainerType<Container>) {
  const deletable = { resource, can: can(labelPolicy, 'destroy_label'), kind: 'write' } as const;
  return {
    remove: operation({
      name: `delete${noun}Label`,
      ...deletable,
      summary: `Delete a label of a ${kind}`,
      params: labelParam,
      run: (ctx, container, { label_id }) => remove(ctx, container, label_id),
    }),

    removeByName: operation({
      name: `deleteNamed${noun}Label`,
      ...deletable,
      summary: `Delete a label of a ${kind} that a parameter names`,
      example: { name: 'bug' },
      params: namingParams,
      rules: namingRules,
      run: (ctx, container, { label_id, name }) => remove(ctx, container, String(label_id ?? name)),
    }),
  };
}
