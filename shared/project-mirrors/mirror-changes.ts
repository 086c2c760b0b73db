import type { Context } from '../core/context.js';
import { fetchTracked, isAncestor, listRefs, trackedName, updateRefs } from '../core/git/index.js';
import type { Ref, RemoteRef, RemoteRepository } from '../core/git/index.js';
import { sql } from '../core/sql.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { rightsOnRefs } from '../repositories/ref-rules.js';
import type { RefChange } from '../repositories/write-refs.js';

export interface MirrorRules {
  only_mirror_protected_branches: boolean;
  mirror_overwrites_diverged_branches: boolean;
}

interface OwnRef {
  full_name: string;
  object_sha: string;
  target_sha: string;
}

const MIB = 1024 * 1024;
const TIMEOUT_MS = 50 * 60_000;

/** What a remote has and the project has not, or otherwise: as far as the rules let it be followed. */
async function wanted(ctx: Context, found: ProjectRecord, remote: readonly RemoteRef[], rules: MirrorRules) {
  const own = await ctx.query<OwnRef>(sql`
    select r.full_name as "full_name", r.object_sha as "object_sha", r.target_sha as "target_sha"
      from repository_refs r where r.project_id = ${found.id}`);
  const ownByName = new Map(own.map((ref) => [ref.full_name, ref]));
  const news = remote.filter(({ name, sha }) => ownByName.get(name)?.object_sha !== sha).map(({ name }) => name);
  return { names: await followed(ctx, found, news, rules), ownByName };
}

/** With `only_mirror_protected_branches` other branches stay as they are; tags always come along. */
async function followed(ctx: Context, found: ProjectRecord, names: readonly string[], rules: MirrorRules) {
  if (!rules.only_mirror_protected_branches) return names;
  const rights = await rightsOnRefs(ctx, found, names);
  return names.filter((name, index) => name.startsWith('refs/tags/') || rights[index]?.protected);
}

/**
 * Fetches what a remote has more, beside the project's own refs, and answers how these are to change: new branches and
 * tags come, branches move forward, and nothing goes. What went another way here than there stays as it is, unless
 * `mirror_overwrites_diverged_branches` says otherwise: then it is the remote's, moved tags among it.
 */
export async function fetchChanges(
  ctx: Context,
  found: ProjectRecord,
  location: string,
  remote: { repository: RemoteRepository; refs: readonly RemoteRef[] },
  rules: MirrorRules,
): Promise<RefChange[]> {
  const { names, ownByName } = await wanted(ctx, found, remote.refs, rules);
  if (names.length === 0) return [];
  // Of an update that died.
  await forgetFetched(location);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: ctx.settings.receive_max_input_size * MIB };
  await fetchTracked(location, remote.repository, names, limits);
  const fetched = new Map((await listRefs(location, { prefixes: ['refs/remote'] })).map((ref) => [ref.name, ref]));
  const changes: RefChange[] = [];
  for (const fullName of names) {
    const ref = fetched.get(trackedName(fullName));
    if (!ref) throw new Error('Another update of the mirror took away what was fetched.');
    const own = ownByName.get(fullName);
    if (ref.target && (await mayFollow(location, own, ref, rules)))
      changes.push({ fullName, from: own?.object_sha ?? null, to: { object_sha: ref.sha, target_sha: ref.target } });
  }
  return changes;
}

async function mayFollow(location: string, own: OwnRef | undefined, ref: Ref, rules: MirrorRules): Promise<boolean> {
  if (!own || rules.mirror_overwrites_diverged_branches) return true;
  if (own.full_name.startsWith('refs/tags/') || ref.target === null) return false;
  return isAncestor(location, own.target_sha, ref.target);
}

/** Forgets what was fetched beside the project's own refs: what these do not keep may go. */
export async function forgetFetched(location: string): Promise<void> {
  const left = await listRefs(location, { prefixes: ['refs/remote'] });
  await updateRefs(
    location,
    left.map(({ name }) => ({ ref: name, new: null })),
  );
}
