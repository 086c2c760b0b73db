import test from 'ava';
import type { ExecutionContext } from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import type { BuiltUser } from '../../core/builders.js';
import { hasRegistry, makeImage, RealRegistry, skopeo } from './real-registry.js';

const app = useApp(test);
/** Without Debian's `docker-registry` and `skopeo` the test is skipped, as its log shows. */
function isSkipped(t: ExecutionContext): boolean {
  if (!hasRegistry) {
    t.log('skipped: docker-registry and skopeo are not installed');
    t.pass();
  }
  return !hasRegistry;
}

let registry: RealRegistry | undefined;
test.before(async () => {
  if (!hasRegistry) return;
  // The registry has the time of the machine.
  app.clock.set(new Date().toISOString());
  registry = await RealRegistry.start(app);
});
test.after.always(() => registry?.stop());

const host = () => (registry as RealRegistry).host;
const image = (content: string, created: string) => makeImage((registry as RealRegistry).directory, content, created);
const push = (from: string, to: string, creds: string) =>
  skopeo('copy', '--dest-tls-verify=false', '--dest-creds', creds, from, `docker://${host()}/${to}`);
const inspect = (what: string, ...args: string[]) =>
  skopeo('inspect', '--tls-verify=false', ...args, `docker://${host()}/${what}`);

async function deployToken(owner: BuiltUser, at: string, scopes: string[]): Promise<string> {
  const { body } = await app.as(owner).post(`${at}/deploy_tokens`, { name: 'images', scopes });
  return `${body.username}:${body.token}`;
}

async function getRepository(
  t: ExecutionContext,
  owner: BuiltUser,
  projectId: number,
): Promise<{ id: number; path: string }> {
  const list = async () => (await app.as(owner).get(`/projects/${projectId}/registry/repositories`)).body;
  // The registry's notification arrives slightly later.
  const [found] = await eventually(async () => {
    const all = await list();
    return all.length > 0 && all;
  });
  t.truthy(found);
  return found;
}

// Contract: container-registry-6.real, deploy-tokens-4.6.registry
test.serial('a deploy token pushes and pulls an image with an unmodified client', async (t) => {
  if (isSkipped(t)) return;
  const project = await app.build.project({ empty: true });
  const at = `/projects/${project.id}`;
  const both = await deployToken(project.owner, at, ['read_registry', 'write_registry']);
  const one = image('one', '2024-01-01T00:00:00Z');
  const sent = await push(one.from, `${project.full_path}/app:v1`, both);
  t.is(sent.code, 0, sent.text);
  const reader = await deployToken(project.owner, at, ['read_registry']);
  t.is((await inspect(`${project.full_path}/app:v1`, '--creds', reader)).code, 0);
  for (const [who, creds] of [
    ['without a credential', '--no-creds'],
    ['by another scope', `--creds=${await deployToken(project.owner, at, ['read_repository'])}`],
  ] as const)
    t.not((await inspect(`${project.full_path}/app:v1`, creds)).code, 0, who);
  t.not((await push(one.from, `${project.full_path}/app:v2`, reader)).code, 0);
  t.not((await push(one.from, `${(await app.build.project({ empty: true })).full_path}:v1`, both)).code, 0);
  const repository = await getRepository(t, project.owner, project.id);
  t.is(repository.path, `${project.full_path}/app`);
  const { body } = await app.as(project.owner).get(`/registry/repositories/${repository.id}?tags=true&tags_count=true`);
  t.is(body.tags_count, 1);
  t.is(body.tags[0].location, `${host()}/${project.full_path}/app:v1`);
});

// Contract: container-registry-6.anonymous
test.serial('anybody pulls from a public project, and nobody unknown pushes', async (t) => {
  if (isSkipped(t)) return;
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const { username } = project.owner;
  const one = image('public', '2024-01-01T00:00:00Z');
  const sent = await push(one.from, `${project.full_path}:v1`, `${username}:${project.owner.token}`);
  t.is(sent.code, 0, sent.text);
  t.is((await inspect(`${project.full_path}:v1`, '--no-creds')).code, 0);
  t.not(
    (
      await skopeo(
        'copy',
        '--dest-tls-verify=false',
        '--dest-no-creds',
        one.from,
        `docker://${host()}/${project.full_path}:v2`,
      )
    ).code,
    0,
  );
  t.not((await push(one.from, `${project.full_path}:v3`, `${username}:wrong`)).code, 0);
});

// Contract: container-registry-6.gitbeaker, container-registry-3.sizes
test.serial('a real client lists, reads and deletes what was pushed, and sizes follow', async (t) => {
  if (isSkipped(t)) return;
  const project = await app.build.project({ empty: true });
  const { owner } = project;
  const [one, two] = [image('1', '2024-01-01T00:00:00Z'), image('2', '2024-01-02T00:00:00Z')];
  const creds = `${owner.username}:${owner.token}`;
  for (const [pushed, tag] of [
    [one, 'a'],
    [one, 'b'],
    [two, 'c'],
  ] as const)
    t.is((await push(pushed.from, `${project.full_path}:${tag}`, creds)).code, 0);
  const client = new Gitlab({ host: app.url, token: owner.token }).ContainerRegistry;
  const { id } = await getRepository(t, owner, project.id);
  const names = async () => (await client.allTags(project.id, id)).map(({ name }) => name);
  t.deepEqual(await names(), ['a', 'b', 'c']);
  const tag = await client.showTag(project.id, id, 'c');
  t.is(tag.total_size, two.layer);
  t.is(tag.created_at, '2024-01-02T00:00:00.000Z');
  const size = async () => {
    await app.work();
    return (await app.as(owner).get(`/projects/${project.id}?statistics=true`)).body.statistics.container_registry_size;
  };
  t.true(await eventually(async () => (await size()) === one.bytes + two.bytes));
  await client.removeTag(project.id, id, 'a');
  t.deepEqual(await names(), ['b', 'c']);
  t.is((await inspect(`${project.full_path}:b`, '--creds', creds)).code, 0, 'the image of the other tag stays');
  await client.removeTag(project.id, id, 'b');
  t.true(await eventually(async () => (await size()) === two.bytes));
  await client.removeRepository(project.id, id);
  await app.work();
  t.is((await app.as(owner).get(`/registry/repositories/${id}`)).status, 404);
  t.not((await inspect(`${project.full_path}:c`, '--creds', creds)).code, 0);
});
