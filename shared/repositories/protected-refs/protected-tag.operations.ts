import { Invalid } from '../../core/values/errors.js';
import { optional, oneOfIntegers, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { columns } from '../../core/database/columns.js';
import { byDefault } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { entriesOfPlan, entriesParam, insertEntries, memberProblems, newEntries } from './access-entries.js';
import { TAG_LEVELS } from '../../tenancy/groups/default-branch-protection.js';
import { recordRule } from './record-rules.js';
import { ruleNameProblems } from './rule-names.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { ProtectedTag } from './protected-tag.entity.js';
import { findProtectedTag, findProtectedTags } from './protected-tag.finder.js';
import { protectedTagPolicy } from './protected-ref.policy.js';

const name = text()
  .describe('Name of the tag, or a pattern with `*`.')
  .meta({ examples: ['v*'] });

/** List a project's protected tags. */
export const listProtectedTags = operation({
  name: 'listProtectedTags',
  summary: "List a project's protected tags",
  resource: project,
  can: can(protectedTagPolicy, 'read_protected_tag'),
  authentication: 'resource',
  kind: 'read',
  statements: 5,
  run: (_ctx, found) => Promise.resolve(findProtectedTags(found)),
});

/** Read one protected tag by its exact text. */
export const getProtectedTag = operation({
  name: 'getProtectedTag',
  summary: 'Read a protected tag',
  resource: project,
  can: can(protectedTagPolicy, 'read_protected_tag'),
  authentication: 'resource',
  kind: 'read',
  statements: 4,
  params: { name },
  run: (ctx, found, input) => findProtectedTag(ctx, found, input.name),
});

/** Protect a tag, or all tags that match a pattern: only the listed roles, users, groups and keys may create them. */
export const createProtectedTag = operation({
  name: 'createProtectedTag',
  summary: 'Protect a tag',
  resource: project,
  can: can(protectedTagPolicy, 'create_protected_tag'),
  authentication: 'resource',
  kind: 'write',
  params: {
    name,
    create_access_level: optional(oneOfIntegers(TAG_LEVELS)).describe(
      'Access level of the role that may create the tag; 40 by default.',
    ),
    allowed_to_create: entriesParam(TAG_LEVELS).describe(
      'Users, groups, deploy keys and roles that may create the tag.',
    ),
  },
  async run(ctx, found, input) {
    const allowed = entriesOfPlan(ctx, 'tag', input.allowed_to_create);
    const { entries, problems } = newEntries(input.create_access_level, allowed, 'create');
    const all = [
      ...ruleNameProblems(input.name),
      ...problems,
      ...(await memberProblems(ctx, found, entries, 'create')),
    ];
    if (all.length > 0) throw new Invalid(all, 422);
    const now = ctx.clock.now();
    const tag = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .insertInto('protected_tags')
      .values({ project_id: found.id, name: input.name, name_pattern: byDefault(), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
      .returning(columns(ProtectedTag, 'protected_tags'))
      .executeTakeFirst();
    if (!tag) throw new Invalid(['Name has already been taken'], 422);
    await insertEntries(
      ctx,
      'tag',
      tag,
      entries.map((entry) => ({ ...entry, action: 'create' })),
    );
    await recordRule(ctx, found, 'tag', tag, 'created');
    return tag;
  },
});

/** Take a tag's protection away. */
export const deleteProtectedTag = operation({
  name: 'deleteProtectedTag',
  summary: 'Unprotect a tag',
  resource: project,
  can: can(protectedTagPolicy, 'destroy_protected_tag'),
  authentication: 'resource',
  kind: 'write',
  params: { name },
  async run(ctx, found, input) {
    const tag = await findProtectedTag(ctx, found, input.name);
    requireUnmodified(ctx, tag);
    await recordRule(ctx, found, 'tag', tag, 'removed');
    await ctx.em.nativeDelete(ProtectedTag, { project_id: found.id, id: tag.id });
    return tag;
  },
});
