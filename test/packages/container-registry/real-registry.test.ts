import test from 'ava';
import { sql } from '../../../shared/core/sql.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { hasRegistry, makeImage, RealRegistry, skopeo } from './real-registry.js';

const app = useApp(test);
/** Without Debian's `docker-registry` and `skopeo` these are shown as skipped. */
const withRegistry = hasRegistry ? test.serial : test.serial.skip;

let registry: RealRegistry | undefined;
test.before(async () => {
  if (!hasRegistry) return;
  // The registry has the time of the machine.
  app.clock.set(new Date().toISOString());
  registry = await RealRegistry.start(app);
});
test.after.always(() => registry?.stop());

const host = () => (registry as RealRegistry).host;
const push = (from: string, to: string, creds: string) =>
  skopeo('copy', '--dest-tls-verify=false', '--dest-creds', creds, from, `docker://${host()}/${to}`);
const inspect = (what: string, ...words: string[]) =>
  skopeo('inspect', '--tls-verify=false', ...words, `docker://${host()}/${what}`);

async function tokenOf(owner: BuiltUser, at: string, scopes: string[]): Promise<string> {
  const { body } = await app.as(owner).post(`${at}/deploy_tokens`, { name: 'images', scopes });
  return `${body.username}:${body.token}`;
}

withRegistry('a deploy token pushes and pulls an image with an unmodified client', async (t) => {
  const project = await app.build.project({ empty: true });
  const image = makeImage('one', '2024-01-01T00:00:00Z');
  const creds = await tokenOf(project.owner, `/projects/${project.id}`, ['read_registry', 'write_registry']);
  const pushed = await push(image.from, `${project.full_path}:v1`, creds);
  t.is(pushed.code, 0, pushed.text);
  const seen = await inspect(`${project.full_path}:v1`, '--creds', creds);
  t.is(seen.code, 0, seen.text);
  await app.context().query(sql`select 1`);
});
