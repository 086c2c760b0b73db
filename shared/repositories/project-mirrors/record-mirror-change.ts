import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';

/** By what rules a project follows another repository, and who answers for it. */
export const MIRROR_ATTRIBUTES = [
  'mirror',
  'mirror_user_id',
  'mirror_trigger_builds',
  'only_mirror_protected_branches',
  'mirror_overwrites_diverged_branches',
] as const;

export type MirrorAttributes = Partial<Record<(typeof MIRROR_ATTRIBUTES)[number], unknown>>;

/** Where a URL leads, without what may be a secret in it: name and password, and the query. */
function publicUrl(url: URL | null): string | null {
  if (url === null) return null;
  const copy = new URL(url);
  for (const part of ['username', 'password', 'search', 'hash'] as const) copy[part] = '';
  return copy.toString();
}

const said = (value: unknown) => JSON.stringify(value ?? null);

const getRules = (settings: MirrorAttributes): MirrorAttributes =>
  Object.fromEntries(MIRROR_ATTRIBUTES.map((name) => [name, settings[name]]));

/**
 * Records changes, if any, of a project's import or mirror source, its rules, and its mirror user. Secrets of the URL
 * are only reported as changed.
 */
export function recordMirrorChange(
  ctx: Context,
  project: ProjectRecord,
  before: { url: URL | null; settings: MirrorAttributes },
  after: { url: URL | null; settings: MirrorAttributes },
): void {
  const url_changed = before.url?.href !== after.url?.href;
  const { settings: had } = before;
  const { settings: has } = after;
  // A setting that was not sent is not another one.
  const changes = MIRROR_ATTRIBUTES.some((name) => has[name] !== undefined && said(has[name]) !== said(had[name]));
  if (!url_changed && !changes) return;
  ctx.record({
    type: 'project.mirror_changed',
    project,
    url_changed,
    before: { url: publicUrl(before.url), rules: getRules(had) },
    after: { url: publicUrl(after.url), rules: getRules(has) },
  });
}
