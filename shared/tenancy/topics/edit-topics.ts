import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import { avatarParam, replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import { clearableText, integer, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { Topic } from './topic.entity.js';
import { findTopic, organizationParam, requireOrganization, topic } from './topic.finder.js';

const LONGEST = { name: 255, title: 255, description: 1024 } as const;
const TAKEN = { name: ['has already been taken'] };

onUniqueViolation('topics_name', () => new Invalid(TAKEN));

type Values = { [K in keyof typeof LONGEST]?: string | null | undefined };

/** @throws Invalid with all problems of the submitted values */
function requireValid(values: Values): void {
  const problems: Record<string, string[]> = {};
  const note = (field: string, problem: string) => (problems[field] ??= []).push(problem);
  for (const field of ['name', 'title'] as const) if (values[field]?.trim() === '') note(field, "can't be blank");
  for (const [field, most] of Object.entries(LONGEST) as [keyof typeof LONGEST, number][])
    if ([...(values[field] ?? '')].length > most) note(field, `is too long (maximum is ${most} characters)`);
  // Lists of topics are written with commas and line breaks between them.
  if (/[,\r\n]/.test(values.name ?? '')) note('name', 'has characters that are not allowed');
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Administrators name a topic before any project has it. */
export const createTopic = operation({
  name: 'createTopic',
  summary: 'Create a topic',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  params: {
    name: text()
      .describe('Name of the topic, unique regardless of case.')
      .meta({ examples: ['rockets'] }),
    title: text()
      .describe('Title of the topic, as visible to users.')
      .meta({ examples: ['Rockets'] }),
    description: clearableText().describe('Description of the topic.'),
    avatar: avatarParam(),
    ...organizationParam,
  },
  async run(ctx, _instance, input) {
    requireOrganization(input);
    requireValid(input);
    const now = ctx.clock.now();
    const values = {
      name: input.name.trim(),
      title: input.title,
      description: input.description ?? null,
      total_projects_count: 0,
      public_projects_count: 0,
      avatar: null,
      created_at: now,
      updated_at: now,
    };
    const id = await ctx.em.insert(Topic, values);
    const avatar = await replaceAvatar(ctx, { kind: 'topic', id }, null, input.avatar);
    if (avatar !== null) await ctx.em.nativeUpdate(Topic, { id }, { avatar });
    const record = { id, ...values, avatar };
    ctx.record({ type: 'topic.created', topic: record });
    return record;
  },
});

/** Administrators edit a topic; its projects keep it. */
export const updateTopic = operation({
  name: 'updateTopic',
  summary: 'Edit a topic',
  example: { title: 'Rockets' },
  resource: topic,
  authentication: 'administrator',
  kind: 'write',
  params: {
    name: text().optional().describe('Name of the topic, unique regardless of case.'),
    title: text().optional().describe('Title of the topic, as visible to users.'),
    description: clearableText().describe('Description of the topic.'),
    avatar: avatarParam(),
  },
  async run(ctx, found, input) {
    requireValid(input);
    const avatar = await replaceAvatar(ctx, { kind: 'topic', id: found.id }, found.avatar, input.avatar);
    const { name = found.name, title = found.title, description = found.description ?? null } = input;
    const edited = { name: name.trim(), title, description, avatar, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Topic, { id: found.id }, edited);
    const after = await findTopic(ctx, found.id);
    ctx.record({ type: 'topic.updated', before: found, after });
    return after;
  },
});

async function removeTopic(ctx: Context, id: number): Promise<void> {
  await ctx.em.nativeDelete(Topic, { id });
  await removeAvatarsOf(ctx, 'topic', [id]);
}

/** Administrators remove a topic from the instance and from its projects. */
export const deleteTopic = operation({
  name: 'deleteTopic',
  summary: 'Delete a topic',
  resource: topic,
  authentication: 'administrator',
  conditional: true,
  kind: 'write',
  async run(ctx, found) {
    await removeTopic(ctx, found.id);
    ctx.record({ type: 'topic.removed', topic_id: found.id });
  },
});

/** Administrators give the projects of one topic another one instead. */
export const mergeTopics = operation({
  name: 'mergeTopics',
  summary: 'Merge two topics',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  params: {
    source_topic_id: integer().describe('ID of the topic to merge, which is removed.'),
    target_topic_id: integer()
      .describe('ID of the topic to merge into, which remains.')
      .meta({ examples: [2] }),
  },
  async run(ctx, _instance, input) {
    const { source_topic_id: from, target_topic_id: to } = input;
    await findTopic(ctx, from);
    await findTopic(ctx, to);
    if (from === to) throw new Invalid('The source topic and the target topic are identical.');
    await ctx.em
      .getKysely<TenancyDatabase>()
      .insertInto('project_topics')
      .columns(['project_id', 'topic_id'])
      .expression((eb) =>
        eb
          .selectFrom('project_topics as pt')
          .where('pt.topic_id', '=', from)
          .select(['pt.project_id', eb.cast<number>(eb.val(to), 'bigint').as('topic_id')])
          .orderBy('pt.project_id'),
      )
      .onConflict((conflict) => conflict.columns(['project_id', 'topic_id']).doNothing())
      .execute();
    await removeTopic(ctx, from);
    ctx.record({ type: 'topic.merged', from_id: from, to_id: to });
    return findTopic(ctx, to);
  },
});
