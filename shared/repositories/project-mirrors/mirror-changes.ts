import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { fetchTracked, isAncestor, listRefs, trackedName, updateRefs } from '../../git/index.js';
import type { RemoteTimeouts, Ref, RemoteRef, RemoteRepository } from '../../git/index.js';
import { rightsOnRefs } from '../repositories/ref-rules.js';
import type { RefMove } from '../repositories/ref-rules.js';
import { isTagRef } from '../repositories/repository-ref.finder.js';
import { toSeconds } from '../repositories/write-refs.js';
import type { RefChange } from '../repositories/write-refs.js';

export interface MirrorRules {
  only_mirror_protected_branches: boolean;
  mirror_overwrites_diverged_branches: boolean;
}

/** How a ref is to become the remote's. */
export interface MirrorChange extends RefChange {
  to: NonNullable<RefChange['to']>;
  move: RefMove;
}

interface OwnRef {
  full_name: string;
  object_sha: string;
  target_sha: string;
}

const MIB = 1024 * 1024;
const TIMEOUT_MS = 50 * 60_000;
/** Number of names queried by one statement. */
const AT_ONCE = 1000;

/** Names such as `a` for `a/b`: the parent folders of names. */
function getFolders(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
}

/** Splits new remote refs into those that fit, and those that conflict with existing ones in git's folder structure. */
function withRoom(news: readonly string[], own: ReadonlyMap<string, OwnRef>) {
  const folders = new Set([...own.keys()].flatMap(getFolders));
  const isCrowded = (name: string) =>
    !own.has(name) && (folders.has(name) || getFolders(name).some((folder) => own.has(folder)));
  return { roomy: news.filter((name) => !isCrowded(name)), crowded: news.filter(isCrowded) };
}

/** Refs that differ between the remote and the project, as far as the mirror's rules include them. */
async function findMirroredRefs(ctx: Context, found: ProjectRecord, remote: readonly RemoteRef[], rules: MirrorRules) {
  const own: OwnRef[] = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_refs as r')
    .select(['r.full_name', 'r.object_sha', 'r.target_sha'])
    .where('r.project_id', '=', found.id)
    .execute();
  const ownByName = new Map(own.map((ref) => [ref.full_name, ref]));
  const news = remote.filter(({ name, sha }) => ownByName.get(name)?.object_sha !== sha).map(({ name }) => name);
  const { roomy, crowded } = withRoom(await followed(ctx, found, news, rules), ownByName);
  return { names: roomy, crowded, ownByName };
}

/** With `only_mirror_protected_branches` other branches stay as they are; tags always come along. */
async function followed(ctx: Context, found: ProjectRecord, names: readonly string[], rules: MirrorRules) {
  if (!rules.only_mirror_protected_branches) return names;
  const result: string[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const rights = await rightsOnRefs(ctx, found, some);
    result.push(...some.filter((name, index) => isTagRef(name) || rights[index]?.protected));
  }
  return result;
}

/** Maximum bytes of one update: the lower limit of an import and a push, if either is limited. */
function mostBytes({ settings }: Context): number {
  const limits = [settings.max_import_remote_file_size, settings.receive_max_input_size].filter((mib) => mib > 0);
  return limits.length === 0 ? 0 : Math.min(...limits) * MIB;
}

/**
 * Fetches the remote's new objects, separate from the project's own refs, and returns how these should change: new
 * branches and tags are created, branches are fast-forwarded, and nothing is deleted. Diverged refs stay unchanged,
 * unless `mirror_overwrites_diverged_branches` is set: then they get the remote's value, including moved tags. Refs
 * that conflict with existing ones are left out (`crowded`). Checks no permissions.
 */
export async function fetchChanges(
  ctx: Context,
  found: ProjectRecord,
  location: string,
  remote: { repository: RemoteRepository; refs: readonly RemoteRef[] },
  rules: MirrorRules,
  timeouts: RemoteTimeouts,
): Promise<{ changes: MirrorChange[]; crowded: string[] }> {
  const { names, crowded, ownByName } = await findMirroredRefs(ctx, found, remote.refs, rules);
  if (names.length === 0) return { changes: [], crowded };
  // Of an update that died.
  await forgetFetched(location);
  await fetchTracked(location, remote.repository, names, {
    ...timeouts,
    timeoutMs: TIMEOUT_MS,
    maxBytes: mostBytes(ctx),
  });
  const fetched = new Map((await listRefs(location, { prefixes: ['refs/remote'] })).map((ref) => [ref.name, ref]));
  const changes: MirrorChange[] = [];
  for (const fullName of names) {
    timeouts.signal?.throwIfAborted();
    const ref = fetched.get(trackedName(fullName));
    if (!ref) throw new Error('Another update of the mirror took away what was fetched.');
    const own = ownByName.get(fullName);
    const move = ref.target && (await moveOf(location, own, ref, rules));
    if (move) changes.push({ fullName, from: own?.object_sha ?? null, to: getTarget(ref), move });
  }
  return { changes, crowded };
}

const getTarget = (ref: Ref) => ({
  object_sha: ref.sha,
  target_sha: ref.target as string,
  date: toSeconds(ref.created_at),
});

/** How a ref gets the remote's value; null if it stays unchanged. */
async function moveOf(
  location: string,
  own: OwnRef | undefined,
  ref: Ref,
  rules: MirrorRules,
): Promise<RefMove | null> {
  if (!own) return 'new';
  const forward =
    !isTagRef(own.full_name) && ref.target !== null && (await isAncestor(location, own.target_sha, ref.target));
  if (forward) return 'forward';
  return rules.mirror_overwrites_diverged_branches ? 'forced' : null;
}

/** Deletes the fetched refs: objects that the project's own refs do not need may then be pruned. */
export async function forgetFetched(location: string): Promise<void> {
  const left = await listRefs(location, { prefixes: ['refs/remote'] });
  await updateRefs(
    location,
    left.map(({ name }) => ({ ref: name, new: null })),
  );
}
