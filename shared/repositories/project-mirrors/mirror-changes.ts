import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { fetchTracked, isAncestor, listRefs, trackedName, updateRefs } from '../../git/index.js';
import type { RemoteTimeouts, Ref, RemoteRef, RemoteRepository } from '../../git/index.js';
import { rightsOnRefs } from '../repositories/ref-rules.js';
import type { RefMove } from '../repositories/ref-rules.js';
import { isTagRef } from '../repositories/repository-ref.finder.js';
import { secondsOf } from '../repositories/write-refs.js';
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
/** Names that are asked about by one statement. */
const AT_ONCE = 1000;

/** Names of `a` beside `a/b`: the folders that names lie in. */
function foldersOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
}

/** Splits what is new there into what there is room for here, and what git could not put beside what is here. */
function withRoom(news: readonly string[], own: ReadonlyMap<string, OwnRef>) {
  const folders = new Set([...own.keys()].flatMap(foldersOf));
  const isCrowded = (name: string) =>
    !own.has(name) && (folders.has(name) || foldersOf(name).some((folder) => own.has(folder)));
  return { roomy: news.filter((name) => !isCrowded(name)), crowded: news.filter(isCrowded) };
}

/** What a remote has and the project has not, or otherwise: as far as the rules let it be followed. */
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

/** Bytes that one update may bring: what an import and what a push may, where either has a limit. */
function mostBytes({ settings }: Context): number {
  const limits = [settings.max_import_remote_file_size, settings.receive_max_input_size].filter((mib) => mib > 0);
  return limits.length === 0 ? 0 : Math.min(...limits) * MIB;
}

/**
 * Fetches what a remote has more, beside the project's own refs, and answers how these are to change: new branches and
 * tags come, branches move forward, and nothing goes. What went another way here than there stays as it is, unless
 * `mirror_overwrites_diverged_branches` says otherwise: then it is the remote's, moved tags among it. What there is no
 * room for is left (`crowded`). Whether anybody may write all this is not asked here.
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
    if (move) changes.push({ fullName, from: own?.object_sha ?? null, to: targetOf(ref), move });
  }
  return { changes, crowded };
}

const targetOf = (ref: Ref) => ({
  object_sha: ref.sha,
  target_sha: ref.target as string,
  date: secondsOf(ref.created_at),
});

/** How a ref comes to hold what the remote's does; null where it is to stay as it is. */
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

/** Forgets what was fetched beside the project's own refs: what these do not keep may go. */
export async function forgetFetched(location: string): Promise<void> {
  const left = await listRefs(location, { prefixes: ['refs/remote'] });
  await updateRefs(
    location,
    left.map(({ name }) => ({ ref: name, new: null })),
  );
}
