import { sql } from 'kysely';
import type { AreaExamples, RequestExample } from '../core/area-examples.js';
import { WORK } from '../core/sandbox.js';
import { ed25519 } from './deploy-keys/keys.js';

const repositories = {
  records: {
    '/projects/:id/repository/branches/:branch': async (sandbox) => {
      const branch = { branch: `b-${sandbox.unique()}`, ref: 'main' };
      return (await sandbox.post(`/projects/${sandbox.project.id}/repository/branches`, branch)).name;
    },
    '/projects/:id/repository/tags/:tag_name': async (sandbox) => {
      const tag = { tag_name: `v${sandbox.unique()}`, ref: 'main' };
      return (await sandbox.post(`/projects/${sandbox.project.id}/repository/tags`, tag)).name;
    },
  },
  requests: {
    'PUT /projects/:id/repository/branches/:branch/unprotect': {
      ready: ({ app, people }, { id, branch }) =>
        app.as(people.admin).put(`/projects/${id}/repository/branches/${encodeURIComponent(branch ?? '')}/protect`),
    },
    'POST /projects/:id/repository/branches': { params: { branch: ({ unique }) => `example-${unique()}` } },
  },
} satisfies AreaExamples;

const comparisons = {
  requests: {
    'GET /projects/:id/repository/compare': { params: { from: () => 'main', to: () => WORK } },
    'GET /projects/:id/repository/merge_base': { params: { refs: () => ['main', WORK] } },
  },
} satisfies AreaExamples;

const ownForm = 'a stream, which holds next to nothing';

const repositoryArchives = {
  records: {
    '/projects/:id/repository/archive.:format': () => 'tar.gz',
  },
  requests: {
    'GET /projects/:id/repository/archive': { ownForm },
    'GET /projects/:id/repository/archive.:format': { ownForm },
  },
} satisfies AreaExamples;

const protectedBranches = {
  records: {
    '/projects/:id/protected_branches/:name': async (sandbox) =>
      (await sandbox.post(`/projects/${sandbox.project.id}/protected_branches`, { name: `kept-${sandbox.unique()}` }))
        .name,
  },
  requests: {
    'PATCH /projects/:id/protected_branches/:name': { edit: { allow_force_push: true } },
  },
  graphql: {
    added: ['Project.branchRules'],
    // A rule's entry names a user or a group, never both.
    fill: ({ app, admin, above, project, index }) =>
      app.context().query(sql`
        update protected_branch_access_levels
           set access_level = null, user_id = ${index % 2 === 0 ? admin.id : null},
               group_id = ${index % 2 === 1 ? above.id : null}
         where project_id = ${project.id}`),
    ofSome: ['Merge', 'Push'].flatMap((of) => [`${of}AccessLevel.user`, `${of}AccessLevel.group`]),
  },
} satisfies AreaExamples;

const protectedTags = {
  records: {
    '/projects/:id/protected_tags/:name': async (sandbox) =>
      (await sandbox.post(`/projects/${sandbox.project.id}/protected_tags`, { name: `kept-${sandbox.unique()}` })).name,
  },
} satisfies AreaExamples;

const deployKeys = {
  records: {
    '/projects/:id/deploy_keys/:key_id': async (sandbox, { id }) =>
      (await sandbox.post(`/projects/${id}/deploy_keys`, { title: 'Example', key: ed25519() })).id,
    '/deploy_keys/:key_id': async ({ app, people }) =>
      (await app.as(people.admin).post('/deploy_keys', { title: 'Example', key: ed25519() })).body.id,
  },
  requests: {
    'POST /deploy_keys': { params: { key: () => ed25519() } },
    'POST /projects/:id/deploy_keys': { params: { key: () => ed25519() } },
    'PUT /projects/:id/deploy_keys/:key_id': { params: { can_push: () => true }, edit: { can_push: true } },
    'POST /projects/:id/deploy_keys/:key_id/enable': {
      notAudited: 'The project that the example has the key in has it already.',
      notPublished: 'The project that the example has the key in has it already.',
    },
  },
} satisfies AreaExamples;

const projectForks = {
  records: {
    '/projects/:id/fork/:forked_from_id': async ({ app }) =>
      (await app.build.project({ visibility: 'public', empty: true })).id,
  },
  requests: {
    'DELETE /projects/:id/fork': {
      ready: async (sandbox, { id }) => {
        const upstream = await sandbox.app.build.project({ owner: sandbox.people.author, empty: true });
        await sandbox.post(`/projects/${id}/fork/${upstream.id}`, {});
      },
    },
  },
  graphql: {
    fill: ({ app, above, project }) =>
      app.context().query(sql`
        update projects set forked_from_id = (select min(id) from projects where namespace_id = ${above.id})
         where id = ${project.id}`),
  },
} satisfies AreaExamples;

/** Turns the project into a pull mirror; the walk's jobs do not run, so that no request is sent to the remote. */
const ready: RequestExample['ready'] = ({ app, people }, { id }) =>
  app.as(people.author).put(`/projects/${id}`, { mirror: true, import_url: 'https://example.com/followed.git' });

const projectMirrors = {
  needs: [{ path: /\/mirror\/pull$/, plan: 'premium' }],
  requests: {
    'GET /projects/:id/mirror/pull': { ready },
    'PUT /projects/:id/mirror/pull': {
      ready,
      params: { only_mirror_protected_branches: () => true },
      edit: { only_mirror_protected_branches: true },
    },
    'POST /projects/:id/mirror/pull': {
      ready,
      notAudited: 'brings in what the upstream has now; that it is followed is in the log',
    },
  },
} satisfies AreaExamples;

const projectLifecycle = {
  records: {
    '/groups/:id/projects/:project_id': ({ project }) => project.id,
    '/projects/user/:user_id': async (sandbox) => (await sandbox.user()).id,
  },
  requests: {
    'POST /projects': { params: { name: ({ unique }) => `Example ${unique()}` } },
    'PUT /projects/:id': { params: { description: () => 'Changed' }, edit: { request_access_enabled: false } },
    'POST /projects/:id/restore': {
      ready: ({ app, people }, { id }) => app.as(people.author).delete(`/projects/${id}`),
    },
    'PUT /projects/:id/transfer': { params: { namespace: ({ people }) => people.owner.username } },
    'POST /projects/:id/unarchive': { ready: (sandbox, { id }) => sandbox.post(`/projects/${id}/archive`, {}) },
  },
} satisfies AreaExamples;

export default [
  repositories,
  comparisons,
  repositoryArchives,
  protectedBranches,
  protectedTags,
  deployKeys,
  projectForks,
  projectMirrors,
  projectLifecycle,
] satisfies AreaExamples[];
