import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { openImportUrl } from '../../tenancy/projects/project-secrets.js';
import { editedProject } from '../../tenancy/projects/lock-project.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { findMirrorSettings } from '../project-mirrors/project-mirror.finder.js';
import { updateProject } from './update-project.js';

const mirrorParams = {
  enabled: optional(boolean()).describe('If `true`, the project is mirrored.'),
  url: optional(text())
    .describe('URL of the repository to mirror.')
    .meta({ examples: ['https://example.com/upstream.git'] }),
  auth_user: optional(text()).describe('Username for the repository to mirror.'),
  auth_password: optional(text()).describe('Password or token for the repository to mirror.'),
  mirror_trigger_builds: optional(boolean()).describe('If `true`, an update of the mirror starts pipelines.'),
  only_mirror_protected_branches: optional(boolean()).describe('If `true`, only protected branches are mirrored.'),
  mirror_overwrites_diverged_branches: optional(boolean()).describe('If `true`, diverged branches are overwritten.'),
};

interface MirrorInput {
  readonly url?: string | undefined;
  readonly auth_user?: string | undefined;
  readonly auth_password?: string | undefined;
}

async function storedUrl(ctx: Context, projectId: number): Promise<URL | null> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('project_settings as s')
    .select('s.import_url')
    .where('s.project_id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw new NotFound('Project');
  return row.import_url ? openImportUrl(ctx, projectId, row.import_url) : null;
}

const isSameAddress = (one: URL, other: URL) =>
  one.protocol === other.protocol && one.host === other.host && one.pathname === other.pathname;

/**
 * The URL to store, with its credentials; undefined to keep the current one. Responses show it without credentials, so
 * a resubmitted URL keeps the stored ones; another URL never receives them.
 */
async function mirrorUrl(ctx: Context, projectId: number, input: MirrorInput): Promise<string | undefined> {
  if (input.url === undefined && input.auth_user === undefined && input.auth_password === undefined) return undefined;
  const stored = await storedUrl(ctx, projectId);
  const address = input.url ?? stored?.href ?? '';
  // An invalid URL is rejected like any other import URL.
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (stored && isSameAddress(url, stored) && url.username === '' && url.password === '') {
    url.username = stored.username;
    url.password = stored.password;
  }
  if (input.auth_user !== undefined) url.username = encodeURIComponent(input.auth_user);
  if (input.auth_password !== undefined) url.password = encodeURIComponent(input.auth_password);
  return url.href;
}

/** Set whether a project is mirrored, from where and how: what editing the project does, by other names. */
export const configureProjectMirror = operation({
  name: 'configureProjectMirror',
  summary: "Configure a project's pull mirror",
  example: { enabled: true, url: 'https://example.com/upstream.git' },
  resource: editedProject,
  can: can(projectPolicy, 'admin_project'),
  plan: 'premium',
  kind: 'write',
  statements: 34,
  params: mirrorParams,
  rules: [getAtLeastOne(...Object.keys(mirrorParams))],
  async run(ctx, found, { enabled, url, auth_user, auth_password, ...settings }) {
    const importUrl = await mirrorUrl(ctx, found.id, { url, auth_user, auth_password });
    await updateProject.run(ctx, found, {
      ...settings,
      avatar: undefined,
      ...(enabled === undefined ? {} : { mirror: enabled }),
      ...(importUrl === undefined ? {} : { import_url: importUrl }),
    });
    return findMirrorSettings(ctx, found);
  },
});
