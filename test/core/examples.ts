import { pathNames } from '../../api/core/openapi/operations.js';
import type { Route } from '../../api/core/routes.js';
import { sql } from '../../shared/core/sql.js';
import { insertAuditEvents } from '../../shared/instance/audit-events/insert-audit-events.js';
import type { AuditedEntity } from '../../shared/instance/audit-events/audit-note.js';
import type { BuiltUser } from './builders.js';
import { WALKED_ROLES, WORK } from './world.js';
import type { World } from './world.js';

type Value = string | number;
/** Makes a record; `path` has the values of the parameters before it. */
type PathExample = (world: World, path: Record<string, string>) => Value | Promise<Value>;

const pipeline: PathExample = async (world) =>
  (await world.post(`/projects/${world.project.id}/pipeline`, { ref: WORK })).id;

const job: PathExample = async (world) => {
  const made = await world.post(`/projects/${world.project.id}/statuses/${await world.sha()}`, {
    state: 'success',
    ref: WORK,
    name: `job ${world.unique()}`,
  });
  return made.id;
};

const protectedRef =
  (kind: 'branches' | 'tags'): PathExample =>
  async (world) =>
    (await world.post(`/projects/${world.project.id}/protected_${kind}`, { name: `kept-${world.unique()}` })).name;

const memberOf =
  (container: 'projects' | 'groups'): PathExample =>
  async (world, { id }) =>
    (await world.post(`/${container}/${id}/members`, { user_id: (await world.user()).id, access_level: 10 })).id;

/** A group of the author's, invited by a share. */
const sharedGroup =
  (container: 'projects' | 'groups'): PathExample =>
  async (world, { id }) => {
    const { id: invited } = await world.otherGroup();
    await world.post(`/${container}/${id}/share`, { group_id: invited, group_access: 10 });
    return invited;
  };

const customAttribute =
  (owners: 'users' | 'groups' | 'projects'): PathExample =>
  async (world, { id }) => {
    const key = `key-${world.unique()}`;
    await world.app.as(world.people.admin).put(`/${owners}/${id}/custom_attributes/${key}`, { value: 'a' });
    return key;
  };

/** An event in somebody's log, by the service itself. */
const auditEvent =
  (type: AuditedEntity['type']): PathExample =>
  async (world, { id }) => {
    const ctx = world.app.context();
    const entity = { type, id: Number(id ?? 1), path: 'example', namespaceId: 0 };
    const note = { event: 'example', entity, message: `Example ${world.unique()}` };
    await insertAuditEvents([{ ctx, note }]);
    const [event] = await ctx.query<{ id: number }>(sql`
      select max(e.id) as "id" from audit_events e where e.entity_type = ${type} and e.entity_id = ${entity.id}`);
    return event?.id as number;
  };

const accessTokenOf =
  (container: 'projects' | 'groups'): PathExample =>
  async (world, { id }) =>
    (await world.post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] })).id;

async function topicId(world: World): Promise<number> {
  const name = `topic-${world.unique()}`;
  const { body } = await world.app.as(world.people.admin).post('/topics', { name, title: name });
  return (body as { id: number }).id;
}

/**
 * A record for each path parameter, by the path up to it. An operation with a new path parameter joins the walk by
 * one line here.
 */
const PATH_EXAMPLES: Record<string, PathExample> = {
  '/applications/:id': async (world) =>
    (
      await world.app.as(world.people.admin).post('/applications', {
        name: `Application ${world.unique()}`,
        redirect_uri: 'https://client.example/callback',
        scopes: 'api',
      })
    ).body.id,
  '/audit_events/:audit_event_id': auditEvent('Instance'),
  '/groups/:id': async (world) => (await world.group()).id,
  '/groups/:id/custom_attributes/:key': customAttribute('groups'),
  '/groups/:id/audit_events/:audit_event_id': auditEvent('Group'),
  '/groups/:id/access_tokens/:token_id': accessTokenOf('groups'),
  '/groups/:id/members/:user_id': memberOf('groups'),
  '/groups/:id/members/all/:user_id': memberOf('groups'),
  '/groups/:id/projects/:project_id': ({ project }) => project.id,
  '/groups/:id/share/:group_id': sharedGroup('groups'),
  '/namespaces/:id': async (world) => (await world.group()).id,
  '/personal_access_tokens/:id': async (world) => (await world.user()).token_id,
  '/projects/:id': ({ project }) => project.id,
  '/projects/:id/custom_attributes/:key': customAttribute('projects'),
  '/projects/:id/audit_events/:audit_event_id': auditEvent('Project'),
  '/projects/:id/access_tokens/:token_id': accessTokenOf('projects'),
  '/projects/:id/fork/:forked_from_id': async (world) =>
    (await world.app.build.project({ visibility: 'public', empty: true })).id,
  '/projects/:id/jobs/:job_id': job,
  '/projects/:id/members/:user_id': memberOf('projects'),
  '/projects/:id/members/all/:user_id': memberOf('projects'),
  '/projects/:id/pipelines/:pipeline_id': pipeline,
  '/projects/:id/pipeline_schedules/:pipeline_schedule_id': async (world) => (await world.schedule()).id,
  '/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': async (
    world,
    { pipeline_schedule_id: id },
  ) =>
    (
      await world.post(`/projects/${world.project.id}/pipeline_schedules/${id}/variables`, {
        key: `KEY_${world.unique()}`,
        value: 'v',
      })
    ).key,
  '/projects/:id/protected_branches/:name': protectedRef('branches'),
  '/projects/:id/protected_tags/:name': protectedRef('tags'),
  '/projects/:id/repository/branches/:branch': async (world) =>
    (
      await world.post(`/projects/${world.project.id}/repository/branches`, {
        branch: `b-${world.unique()}`,
        ref: 'main',
      })
    ).name,
  '/projects/:id/repository/files/:file_path': async (world, { id }) => {
    const file = `file-${world.unique()}.txt`;
    await world.post(`/projects/${id}/repository/files/${file}`, { branch: WORK, content: 'a', commit_message: 'Add' });
    return file;
  },
  '/projects/:id/repository/commits/:sha': (world) => world.sha(),
  '/projects/:id/repository/tags/:tag_name': async (world) =>
    (await world.post(`/projects/${world.project.id}/repository/tags`, { tag_name: `v${world.unique()}`, ref: 'main' }))
      .name,
  '/projects/:id/share/:group_id': sharedGroup('projects'),
  '/projects/:id/statuses/:sha': (world) => world.sha(),
  '/users/:id/custom_attributes/:key': customAttribute('users'),
  '/projects/user/:user_id': async (world) => (await world.user()).id,
  '/topics/:id': async (world) => topicId(world),
  '/users/:id': async (world) => (await world.user()).id,
  '/users/:id/identities/:provider': async (world, { id }) => {
    const provider = `provider${world.unique()}`;
    await world.app.as(world.people.admin).put(`/users/${id}`, { provider, extern_uid: `uid${world.unique()}` });
    return provider;
  },
  '/users/:user_id': async (world) => (await world.user()).id,
  '/users/:user_id/impersonation_tokens/:impersonation_token_id': async (world, { user_id: id }) =>
    (
      await world.app
        .as(world.people.admin)
        .post(`/users/${id}/impersonation_tokens`, { name: 'Example', scopes: ['api'] })
    ).body.id,
};

/** Path parameters that must name nothing yet. */
const NEW: Record<string, PathExample> = {
  'POST /projects/:id/repository/files/:file_path': ({ unique }) => `new-${unique()}.txt`,
};

type ParamExamples = Record<string, (world: World) => unknown>;

const newMember: ParamExamples = { user_id: async (world) => (await world.user()).id, access_level: () => 30 };

/** Required parameters that need to be more than of their type. */
const BY_NAME: ParamExamples = {
  access_level: () => 20,
  branch: () => WORK,
  cron: () => '0 1 * * *',
  email: ({ unique }) => `example${unique()}@example.com`,
  key: ({ unique }) => `KEY_${unique()}`,
  name: ({ unique }) => `Example ${unique()}`,
  password: () => 'correct horse 42 battery',
  path: ({ unique }) => `example-${unique()}`,
  ref: () => WORK,
  tag_name: ({ unique }) => `v${unique()}`,
  username: ({ unique }) => `example${unique()}`,
};

/** A group that everybody who calls has the same role in. */
const besideGroup: ParamExamples = { group_id: async (world) => (await world.otherGroup()).id };

/** What single routes need besides, or otherwise. */
const BY_ROUTE: Record<string, ParamExamples> = {
  'GET /projects/:id/repository/files/:file_path/blame': { ref: () => WORK },
  'GET /projects/:id/repository/files/:file_path/raw': { ref: () => WORK },
  'POST /applications': { redirect_uri: () => 'https://client.example/callback', scopes: () => 'api read_user' },
  'POST /groups/:id/members': newMember,
  'POST /groups/:id/share': besideGroup,
  'POST /groups/:id/transfer': besideGroup,
  'POST /projects': { name: ({ unique }) => `Example ${unique()}` },
  'PUT /projects/:id': { description: () => 'Changed' },
  'POST /projects/:id/members': newMember,
  'POST /projects/:id/repository/branches': { branch: ({ unique }) => `example-${unique()}` },
  'POST /projects/:id/repository/commits': {
    actions: ({ unique }) => [{ action: 'create', file_path: `new-${unique()}.txt`, content: 'a' }],
  },
  'POST /projects/:id/share': besideGroup,
  'POST /projects/:id/statuses/:sha': { ref: () => WORK },
  'POST /users': { password: () => 'correct horse 42 battery' },
  'PUT /projects/:id/transfer': { namespace: ({ people }) => people.owner.username },
  'POST /topics/merge': { source_topic_id: topicId, target_topic_id: topicId },
  'PUT /topics/:id': { title: () => 'Renamed' },
  'PUT /projects/:id/pipelines/:pipeline_id/metadata': { name: () => 'Renamed' },
  'PUT /user/avatar': { avatar: () => '' },
};

const pendingUser = (world: World, { id }: Record<string, string>) =>
  world.app.context().query(sql`update users set state = 'blocked_pending_approval' where id = ${Number(id)}`);

/** By whoever may be the least to follow somebody: anybody. */
const followed = (world: World, { id }: Record<string, string>) =>
  Promise.all(WALKED_ROLES.map((role) => world.app.as(world.people[role]).post(`/users/${id}/follow`)));

/** Makes ready what a route then changes, where the record alone is not enough. */
/** The project follows a repository elsewhere; the walk's jobs wait, so that nobody asks there. */
const mirrored = (world: World, { id }: Record<string, string>) =>
  world.app
    .as(world.people.author)
    .put(`/projects/${id}`, { mirror: true, import_url: 'https://example.com/followed.git' });

const READY: Record<string, (world: World, path: Record<string, string>) => Promise<unknown>> = {
  'GET /projects/:id/pipelines/latest': (world, { id }) => world.post(`/projects/${id}/pipeline`, { ref: 'main' }),
  'POST /groups/:id/restore': (world, { id }) => world.app.as(world.people.author).delete(`/groups/${id}`),
  'DELETE /projects/:id/fork': async (world, { id }) => {
    const upstream = await world.app.build.project({ owner: world.people.author, empty: true });
    await world.post(`/projects/${id}/fork/${upstream.id}`, {});
  },
  'GET /projects/:id/mirror/pull': mirrored,
  'POST /projects/:id/mirror/pull': mirrored,
  'POST /projects/:id/restore': (world, { id }) => world.app.as(world.people.author).delete(`/projects/${id}`),
  'POST /projects/:id/unarchive': (world, { id }) => world.post(`/projects/${id}/archive`, {}),
  'POST /groups/:id/unarchive': (world, { id }) => world.app.as(world.people.author).post(`/groups/${id}/archive`),
  'POST /projects/:id/unstar': async (world, { id }) => {
    const { people } = world;
    for (const user of [...WALKED_ROLES.map((role) => people[role]), people.admin])
      await world.app.as(user).post(`/projects/${id}/star`);
  },
  'POST /users/:id/approve': pendingUser,
  'POST /users/:id/reject': pendingUser,
  'POST /users/:id/unban': (world, { id }) => world.app.as(world.people.admin).post(`/users/${id}/ban`),
  'POST /users/:id/unfollow': followed,
  'POST /users/:id/unblock': (world, { id }) => world.app.as(world.people.admin).post(`/users/${id}/block`),
};

/** The bot of a new access token, with that token. */
const botOf = (container: 'projects' | 'groups') => async (world: World) => {
  const id = container === 'projects' ? world.project.id : (await world.group()).id;
  const made = await world.app
    .as(world.people.author)
    .post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] });
  const { user_id, token, id: token_id } = made.body as { user_id: number; token: string; id: number };
  return { ...world.people.stranger, id: user_id, bot: true, token, token_id };
};

/** Who calls where the least role or the container's owner is not the one. */
const CALLERS: Record<string, (world: World) => Promise<BuiltUser> | BuiltUser> = {
  'DELETE /personal_access_tokens/self': (world) => world.user(),
  'GET /groups/:id/audit_events/:audit_event_id': (world) => world.people.owner,
  'GET /projects/:id/audit_events/:audit_event_id': (world) => world.people.owner,
  'POST /groups/:id/access_tokens/self/rotate': botOf('groups'),
  'POST /personal_access_tokens/self/rotate': (world) => world.user(),
  'POST /projects/:id/access_tokens/self/rotate': botOf('projects'),
};

/** `POST /projects/:id/pipelines`. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

/** The path up to each of its parameters. */
const prefixes = (path: string) => pathNames(path).map((name) => `${path.slice(0, path.indexOf(`:${name}`))}:${name}`);

/** Path parameters of bound routes that {@link PATH_EXAMPLES} has nothing for. */
export function missingPathExamples(routes: readonly Route[]): string[] {
  return [...new Set(routes.flatMap(({ path }) => prefixes(path)))].filter((prefix) => !(prefix in PATH_EXAMPLES));
}

/** The values of a route's path parameters: records that this world keeps for them. */
export async function pathExample(world: World, route: Route): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const prefix of prefixes(route.path)) {
    const named = NEW[nameOf(route)];
    if (named && prefix === route.path) {
      values[prefix.slice(prefix.lastIndexOf(':') + 1)] = String(await named(world, values));
      continue;
    }
    const example = PATH_EXAMPLES[prefix];
    if (!example) throw new Error(`test/core/examples.ts has no example for ${prefix}.`);
    values[prefix.slice(prefix.lastIndexOf(':') + 1)] = String(await world.keep(prefix, () => example(world, values)));
  }
  return values;
}

/** Makes a few records that a list route then lists, where its path plus a parameter has an example. */
export async function fillList(world: World, route: Route): Promise<void> {
  const { path } = route;
  const child = Object.keys(PATH_EXAMPLES).find(
    (key) => key.startsWith(`${path}/:`) && !key.includes('/', path.length + 1),
  );
  if (!child) return;
  const above = await pathExample(world, route);
  for (let made = 0; made < 3; made += 1) await PATH_EXAMPLES[child]?.(world, above);
}

/** An example of one parameter, or undefined where its type says enough. */
export async function paramExample(world: World, route: Route, name: string): Promise<unknown> {
  return (BY_ROUTE[nameOf(route)]?.[name] ?? BY_NAME[name])?.(world);
}

/** Parameters beyond the required ones that a route's example gives. */
export const chosenParams = (route: Route): string[] => Object.keys(BY_ROUTE[nameOf(route)] ?? {});

export async function makeReady(world: World, route: Route, path: Record<string, string>): Promise<void> {
  await READY[nameOf(route)]?.(world, path);
}

/** Who must call a route, where it is somebody special. */
export async function specialCaller(world: World, route: Route): Promise<BuiltUser | null> {
  return (await CALLERS[nameOf(route)]?.(world)) ?? null;
}
