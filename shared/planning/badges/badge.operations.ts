import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { containerColumns, containerColumn, administers } from '../../core/operations/container.js';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { clearableText, integer, optional, text } from '../../core/operations/fields.js';
import { byId, narrow, readAll, readSlice } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { onProjects, visibleProjects } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { optionalParam } from '../issuables/issue-values.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { Badge } from './badge.entity.js';
import { placeholderValues, requireUrls, rendered } from './badge-placeholders.js';
import type { PlaceholderValues } from './badge-placeholders.js';

/** Permissions on the badges of a project or group (core-resources.md section 8). */
const badgePolicy = policy({
  read_badge: (caller: UserOrAnonymous, container: Container) =>
    containerPolicy[`read_${container.kind}`](caller, container),
  /** Maintainers of a project, Owners of a group. */
  admin_badge: (caller: UserOrAnonymous, container: Container) => container.open && administers(caller, container),
});

/** A badge with the placeholder values of the project in which it is displayed; null if there is no project. */
interface BadgeRecord extends Badge {
  values: PlaceholderValues | null;
}

/** URLs that are tried out before they make a badge. */
interface BadgePreview extends Pick<BadgeRecord, 'link_url' | 'image_url' | 'values'> {
  readonly name: string | null;
}

const MAX_NAME = 255;
const badgeParam = { badge_id: integer().describe('ID of the badge.') };
const url = (what: string, example: string) =>
  text()
    .describe(`${what}: HTTP or HTTPS, with placeholders such as \`%{project_path}\`.`)
    .meta({ examples: [example] });
const urlParams = {
  link_url: url('URL of the badge link', 'https://example.com/%{project_path}'),
  image_url: url('URL of the badge image', 'https://example.com/%{project_path}/badge.svg'),
};
const nameParam = { name: clearableText().describe('Name of the badge.') };

type OfBadges = Aliased<PlanningDatabase, { b: 'badges' }>;
const onBadges = expressionBuilder<OfBadges, 'b'>();

/** The badges of a container; a project also includes those of its ancestor groups. */
function getBadges(
  { kind, id, namespaceIds }: Container,
  values: PlaceholderValues | null,
  where: readonly Expression<SqlBool>[] = [],
): List<BadgeRecord> {
  const ways = [onBadges(`b.${containerColumn(kind)}`, '=', id)];
  if (kind === 'project') ways.push(onBadges('b.namespace_id', '=', anyOf(namespaceIds, 'bigint')));
  const list: List<BadgeRecord> = {
    matching: expressionBuilder<OfBadges>().selectFrom('badges as b'),
    select: (query: SelectQueryBuilder<OfBadges, 'b', object>) => query.select(columns(Badge, 'b')),
    order: [byId('b', 'asc')],
    read: (row) => ({ ...row, values }),
  };
  return narrow(list, [onBadges.or(ways), ...where]);
}

/** The project that placeholders speak of: of a group the first one in it that the caller may read, as publicly. */
async function projectFor(ctx: Context, container: Container): Promise<ProjectRecord | null> {
  if (container.kind === 'project') return container.record;
  const projects = visibleProjects(ctx, [onProjects('p.namespace_id', '=', container.id)]);
  return (await readSlice(ctx, { ...projects, order: [byId<ProjectRecord>('p', 'asc')] }, 0, 1))[0] ?? null;
}

async function valuesFor(ctx: Context, container: Container): Promise<PlaceholderValues | null> {
  const project = await projectFor(ctx, container);
  return project && placeholderValues(ctx, project);
}

/** @throws NotFound "404 Badge Not Found" */
async function findBadge(ctx: Context, container: Container, id: number): Promise<BadgeRecord> {
  const values = await valuesFor(ctx, container);
  const [badge] = await readAll(ctx, getBadges(container, values, [onBadges('b.id', '=', id)]));
  if (!badge) throw new NotFound('Badge');
  return badge;
}

/** Finds a badge of this very container; inherited badges can only be changed in their group. @throws NotFound */
async function ownBadge(ctx: Context, container: Container, id: number): Promise<BadgeRecord> {
  await lockContainer(ctx, container);
  const badge = await findBadge(ctx, container, id);
  if ((container.kind === 'project' ? badge.project_id : badge.namespace_id) !== container.id)
    throw new NotFound('Badge');
  return badge;
}

/** @throws Invalid */
function requireName(name: string | null | undefined): void {
  if (name && [...name].length > MAX_NAME)
    throw new Invalid({ name: [`is too long (maximum is ${MAX_NAME} characters)`] });
}

/** Listing requires read access to the project or group; previewing requires permission to create badges. */
function readingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = { resource, can: can(badgePolicy, 'read_badge'), authentication: 'open', kind: 'read' } as const;
  return {
    list: operation({
      name: `list${noun}Badges`,
      ...readable,
      summary: `List the badges of a ${kind}`,
      statements: 7,
      params: { name: optional(text()).describe('Filter by exact name of the badge.') },
      run: async (ctx, container, { name }) =>
        getBadges(
          container,
          await valuesFor(ctx, container),
          name === undefined ? [] : [onBadges('b.name', '=', name)],
        ),
    }),
    get: operation({
      name: `get${noun}Badge`,
      ...readable,
      summary: `Read a badge of a ${kind}`,
      statements: 7,
      params: badgeParam,
      run: (ctx, container, { badge_id }) => findBadge(ctx, container, badge_id),
    }),
    render: operation({
      name: `render${noun}Badge`,
      resource,
      can: can(badgePolicy, 'admin_badge'),
      kind: 'read',
      summary: `Try out the URLs of a badge of a ${kind}`,
      statements: 7,
      params: urlParams,
      async run(ctx, container, input): Promise<BadgePreview> {
        requireUrls(input);
        const { link_url, image_url } = input;
        return { name: null, link_url, image_url, values: await valuesFor(ctx, container) };
      },
    }),
  };
}

/** Changing badges: Maintainers of a project, Owners of a group. */
function writingOperations({ kind, noun, resource }: ContainerType<Container>) {
  const writable = { resource, can: can(badgePolicy, 'admin_badge'), kind: 'write' } as const;
  return {
    create: operation({
      name: `create${noun}Badge`,
      ...writable,
      summary: `Create a badge of a ${kind}`,
      params: { ...urlParams, ...nameParam },
      async run(ctx, container, { name = null, ...input }): Promise<BadgeRecord> {
        requireUrls(input);
        requireName(name);
        await lockContainer(ctx, container);
        const now = ctx.clock.now();
        const { link_url, image_url } = input;
        const urls = { link_url: link_url.trim(), image_url: image_url.trim() };
        const row = { ...containerColumns(container), name, ...urls, created_at: now, updated_at: now };
        const id = await ctx.em.insert(Badge, row);
        ctx.record({ type: 'badge.created', container: container.summary, badge: { ...row, id } });
        return { ...row, id, values: await valuesFor(ctx, container) };
      },
    }),
    update: operation({
      name: `update${noun}Badge`,
      ...writable,
      summary: `Edit a badge of a ${kind}`,
      example: { name: 'Coverage' },
      params: {
        ...badgeParam,
        link_url: optionalParam(urlParams.link_url),
        image_url: optionalParam(urlParams.image_url),
        ...nameParam,
      },
      rules: [getAtLeastOne('link_url', 'image_url', 'name')],
      async run(ctx, container, { badge_id: id, name, ...input }): Promise<BadgeRecord> {
        requireUrls(input);
        requireName(name);
        const before = await ownBadge(ctx, container, id);
        const change = { ...trimmed(input), ...(name === undefined ? {} : { name }), updated_at: ctx.clock.now() };
        await ctx.em.nativeUpdate(Badge, { id }, change);
        const after: BadgeRecord = { ...before, ...change };
        ctx.record({ type: 'badge.updated', container: container.summary, before, badge: after });
        return after;
      },
    }),
    remove: operation({
      name: `delete${noun}Badge`,
      ...writable,
      summary: `Delete a badge of a ${kind}`,
      params: badgeParam,
      async run(ctx, container, { badge_id: id }): Promise<void> {
        const badge = await ownBadge(ctx, container, id);
        requireUnmodified(ctx, badge);
        if ((await ctx.em.nativeDelete(Badge, { id })) === 0) throw new NotFound('Badge');
        ctx.record({ type: 'badge.deleted', container: container.summary, badge });
      },
    }),
  };
}

/** URLs with surrounding whitespace trimmed; omitted URLs stay omitted. */
const trimmed = ({
  link_url: link,
  image_url: image,
}: {
  link_url?: string | undefined;
  image_url?: string | undefined;
}) => ({
  ...(link === undefined ? {} : { link_url: link.trim() }),
  ...(image === undefined ? {} : { image_url: image.trim() }),
});

/** The operations on the badges of a project or group (core-resources.md section 8). */
export const badgeOperations = forContainers((type) => ({ ...readingOperations(type), ...writingOperations(type) }));

const urls: Record<string, OutField<BadgePreview>> = {
  name: out.nullableText((badge) => badge.name ?? null),
  link_url: out.text((badge) => badge.link_url),
  image_url: out.text((badge) => badge.image_url),
  rendered_link_url: out.text((badge) => rendered(badge.link_url, badge.values)),
  rendered_image_url: out.text((badge) => rendered(badge.image_url, badge.values)),
};

/** What URLs become that are tried out. */
export const badgePreviewSerializer = serializer<BadgePreview>('BadgePreview', urls);

/** A badge of a project or group (core-resources.md section 8). */
export const badgeSerializer = serializer<BadgeRecord>('Badge', {
  ...(urls as Record<string, OutField<BadgeRecord>>),
  id: out.integer((badge) => badge.id),
  kind: out.text((badge) => (badge.project_id ? 'project' : 'group'), { enum: ['project', 'group'] }),
});
