import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { NotFound, Invalid } from '../../core/values/errors.js';
import { Expression } from '../../core/expressions/expressions.js';
import { clearableText, integer, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { decodeCursor, encodeCursor } from '../../core/database/list.js';
import { offsetSourceOf } from '../../core/values/offset-source.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import type { List } from '../../core/database/list.js';
import { parseKeepDuration } from './choose-tags.js';
import type { TagRule } from './choose-tags.js';
import { deleteContainerTags } from '../packages.jobs.js';
import { ContainerRepository } from './container-repository.entity.js';
import type { ContainerTagRecord } from './container-repository.entity.js';
import { containerRepository } from './container-repository.finder.js';
import { canOfImages } from './container-repository.operations.js';
import { tagDetails, loadContainerTags } from './container-tags.js';
import { RegistryClient } from './registry-client.js';

const HOUR_MS = 3_600_000;

/** The order for cursors, which work as in any other list. */
const byName = (direction: 'asc' | 'desc'): Pick<List<ContainerTagRecord>, 'order'> => ({
  order: [{ key: 'name', expression: sql.ref('name'), direction, type: 'text', value: (tag) => tag.name }],
});

/** List the tags of an image repository, by keyset for callers who are signed in (rest-conventions.md section 7). */
export const listContainerTags = operation({
  name: 'listContainerTags',
  summary: 'List the tags of an image repository',
  resource: containerRepository,
  authentication: 'open',
  kind: 'read',
  params: {
    order_by: withDefault(oneOf(['name']), 'name').describe('Column to order by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order.'),
    cursor: optional(text()).describe(
      'With `pagination=keyset`: cursor for the start of the page, as in the link to the page.',
    ),
  },
  async run(ctx, found, { sort, cursor }): Promise<OffsetSource<ContainerTagRecord>> {
    const list = byName(sort);
    const after = cursor === undefined ? undefined : (decodeCursor(list, cursor)[0] as string);
    const tags = await loadContainerTags(ctx, found);
    const ordered = sort === 'asc' ? tags : tags.toReversed();
    if (ctx.caller.anonymous) return offsetSourceOf(ordered);
    const beyond = ordered.findIndex(
      ({ name }) => after === undefined || (sort === 'asc' ? name > after : name < after),
    );
    const start = beyond === -1 ? ordered.length : beyond;
    return offsetSourceOf(ordered, { parameter: 'cursor', token: (tag) => encodeCursor(list, tag, 'n'), start });
  },
});

const tagName = {
  tag_name: text()
    .describe('Name of the tag.')
    .meta({ examples: ['v1.0.0'] }),
};

/** Read one tag with what it points at. */
export const getContainerTag = operation({
  name: 'getContainerTag',
  summary: 'Read a tag of an image repository',
  resource: containerRepository,
  authentication: 'open',
  kind: 'read',
  params: tagName,
  async run(ctx, found, { tag_name: name }) {
    const tag = isTagName(name) ? await tagDetails(ctx, found, name) : null;
    if (!tag) throw new NotFound('Tag');
    return tag;
  },
});

/** As the registry has it; anything else it would take for a path. */
const isTagName = (name: string): boolean => /^\w[\w.-]{0,127}$/.test(name);

/** Deletes a tag at the registry, by a handful of requests. @throws NotFound for one that is not there */
async function deleteAtRegistry(
  ctx: Context<Caller>,
  found: Pick<ContainerRepository, 'path'>,
  { tag_name: name }: { tag_name: string },
): Promise<void> {
  const client = ctx.config.registry && new RegistryClient(ctx, found.path);
  if (!client || !isTagName(name) || !(await client.manifest(name))) throw new NotFound('Tag');
  await client.deleteTags([name]);
}

/** Delete a tag, and no other one of the same image: Developers and above. */
export const deleteContainerTag = operation({
  name: 'deleteContainerTag',
  summary: 'Delete a tag of an image repository',
  resource: containerRepository,
  can: canOfImages('destroy_container_image'),
  kind: 'write',
  params: tagName,
  // The registry may be slow, so it is called before a row is locked or a connection is held. Its deletions cannot be
  // rolled back.
  precheck: { applies: () => true, check: deleteAtRegistry },
  run(ctx, found, { tag_name: name }) {
    ctx.record({ type: 'container_tag.deleted', repository: found, name, project: found.project });
    return Promise.resolve({ message: '200 OK' });
  },
});

const expression = () =>
  text().refine((value) => Expression.read(value as string) instanceof Expression, 'is an invalid regexp');

/**
 * Delete the tags that expressions, number and age name: Maintainers, once an hour for each repository. A job does it.
 */
export const deleteContainerTagsByRule = operation({
  name: 'deleteContainerTags',
  summary: 'Delete tags of an image repository in bulk',
  resource: containerRepository,
  can: canOfImages('admin_container_image'),
  kind: 'write',
  params: {
    name_regex_delete: optional(expression())
      .describe('Regular expression for the names of tags to delete; must match the whole name.')
      .meta({ examples: ['.*'] }),
    name_regex: optional(expression()).describe('Deprecated: use `name_regex_delete`.'),
    name_regex_keep: optional(expression()).describe(
      'Regular expression for the names of tags to retain, even if the other expression matches.',
    ),
    keep_n: optional(integer().refine((value) => value >= 0, 'is invalid')).describe(
      'Number of newest tags to retain.',
    ),
    older_than: clearableText()
      .refine((value) => value === undefined || value === null || parseKeepDuration(value) !== null, 'is invalid')
      .describe('Delete only tags older than this duration, such as `1h`, `1d` or `1month`.'),
  },
  rules: [getAtLeastOne('name_regex', 'name_regex_delete')],
  example: { name_regex_delete: '.*' },
  async run(ctx, found, input) {
    const now = ctx.clock.now();
    if (found.cleanup_requested_at && now.getTime() - found.cleanup_requested_at.getTime() < HOUR_MS)
      throw new Invalid(
        'This request has already been made. You can run this at most once an hour for a given container repository',
      );
    await ctx.em.nativeUpdate(ContainerRepository, { id: found.id }, { cleanup_requested_at: now });
    const rule: TagRule = {
      name_regex_delete: input.name_regex_delete ?? input.name_regex ?? null,
      name_regex_keep: input.name_regex_keep ?? null,
      keep_n: input.keep_n ?? null,
      older_than: input.older_than ?? null,
    };
    await ctx.jobs.send(deleteContainerTags, { repository_id: found.id, user_id: ctx.caller.id, rule });
    ctx.record({ type: 'container_tags.deletion_requested', repository: found, project: found.project });
    return { message: '202 Accepted' };
  },
});
