import { sql } from 'kysely';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import { sealImportUrl } from '../../../shared/tenancy/projects/project-secrets.js';
import { locateRemote, RemoteUnavailable } from '../../../shared/repositories/project-imports/locate-remote.js';
import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import type { BuiltUser } from '../builders.js';
import { ADDRESSES_LET_IN, updateNow } from './remotes.js';
import { through } from './rule.js';
import type { Rule } from './rule.js';

interface Sandbox {
  app: TestApp;
  user: BuiltUser;
  admin: BuiltUser;
}

/** A local address that administrators permit. No server listens there. */
const LISTED = `${ADDRESSES_LET_IN.silent}:9999`;
const to = (host: string, open: boolean) => ({ input: `http://${host}/a.git`, open });

/** A project with an import, or a mirror, of another URL than the API let through. */
async function bringing({ app, user }: Sandbox, url: string, mirror: boolean): Promise<{ id: number }> {
  const attributes = { name: `From ${unique()}`, import_url: to(LISTED, true).input, mirror };
  const { body } = await app.as(user).post('/projects', attributes);
  const sealed = sealImportUrl(app.context(), body.id, url);
  await app.context().query(sql`update project_settings set import_url = ${sealed} where project_id = ${body.id}`);
  return body;
}

const isBlocked = (reason: string | null) => {
  if (reason === null) throw new Error('Nobody is there, and nothing says so.');
  return reason.includes('is blocked');
};

/** Where the service lets itself be sent by a URL. */
export const outboundAddresses: Rule<string, Sandbox> = {
  async sandbox(app) {
    return { app, user: await app.build.user(), admin: await app.build.admin() };
  },
  cases: {
    'an address that is listed': to(LISTED, true),
    'the service itself, by name': to('localhost', false),
    'the service itself, by address': to('127.0.0.1', false),
    'the service itself, by another way to write it': to('2130706433', false),
    'the service itself, as an IPv6 address': to('[::127.0.0.1]', false),
    'the service itself, by NAT64': to('[64:ff9b::7f00:1]', false),
    'metadata of a cloud': to('169.254.169.254', false),
    'a private network': to('10.0.0.1', false),
    'a private network, by 6to4': to('[2002:a00:1::1]', false),
  },
  doors: {
    'REST, import of a new project': async ({ app, user }, import_url) =>
      through(await app.as(user).post('/projects', { name: `From ${unique()}`, import_url })),
    'REST, import for somebody': async ({ app, user, admin }, import_url) =>
      through(await app.as(admin).post(`/projects/user/${user.id}`, { name: `From ${unique()}`, import_url })),
    'REST, import_url of a project': async ({ app, user }, import_url) => {
      const project = await app.build.project({ owner: user });
      return through(await app.as(user).put(`/projects/${project.id}`, { import_url }));
    },
    'REST, mirror': async ({ app, user }, import_url) => {
      const project = await app.build.project({ owner: user });
      return through(await app.as(user).put(`/projects/${project.id}`, { import_url, mirror: true }));
    },
    'REST, mirror as a new project': async ({ app, user }, import_url) =>
      through(await app.as(user).post('/projects', { name: `From ${unique()}`, import_url, mirror: true })),
    'worker, import': async (w, url) => {
      const project = await bringing(w, url, false);
      await importFromUrl(w.app.context(), project.id, null);
      return !isBlocked((await w.app.as(w.user).get(`/projects/${project.id}`)).body.import_error);
    },
    'worker, mirror': async (w, url) => {
      const project = await bringing(w, url, true);
      await importFromUrl(w.app.context(), project.id, null);
      return !isBlocked(await updateNow(w.app, project));
    },
    'worker, whatever the API let through': async ({ app }, url) => {
      const rejection = await locateRemote(app.context(), new URL(url)).then(
        () => null,
        (error: Error) => error,
      );
      return !(rejection instanceof RemoteUnavailable && rejection.message.includes('is blocked'));
    },
  },
};
