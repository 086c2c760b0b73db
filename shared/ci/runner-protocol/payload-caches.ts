import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { readLog } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { CacheConfig } from '../configuration-model/configuration.types.js';
import type { PayloadCache } from './job-payload.types.js';
import type { HandedJob } from './load-handed-job.js';

const DEFAULT_KEY = 'default';
const REMEMBERED = 500;

/** Digests of files at commits: jobs of one pipeline mostly name the same ones, and git walks through history for each. */
const digests = new WeakMap<Services['db'], LRUCache<string, string>>();

async function digestFiles(ctx: Context<Caller>, handed: HandedJob, files: readonly string[]): Promise<string> {
  const { project, pipeline, commit } = handed;
  if (!commit) return DEFAULT_KEY;
  const { db } = ctx.services;
  const remembered = digests.get(db) ?? new LRUCache<string, string>({ max: REMEMBERED });
  digests.set(db, remembered);
  const key = JSON.stringify([project.id, pipeline.sha, files]);
  const digest = remembered.get(key) ?? (await readDigest(ctx, handed, files));
  remembered.set(key, digest);
  return digest;
}

/** The commits that last changed the files, as one text; `default` if none of them is there. */
async function readDigest(
  ctx: Context<Caller>,
  { project, pipeline }: HandedJob,
  files: readonly string[],
): Promise<string> {
  const repository = openRepository(ctx, project);
  const logs = await Promise.all(
    files.map((path) => readLog(repository, { revisions: [pipeline.sha], path, limit: 1 })),
  );
  const shas = logs.flat().map(({ sha }) => sha);
  if (shas.length === 0) return DEFAULT_KEY;
  return createHash('sha1').update(shas.sort().join('-')).digest('hex');
}

async function getKey(ctx: Context<Caller>, handed: HandedJob, key: CacheConfig['key']): Promise<string> {
  if (typeof key === 'string') return key === '' ? DEFAULT_KEY : key;
  const digest = await digestFiles(ctx, handed, key.files);
  return key.prefix === undefined || key.prefix === '' ? digest : `${key.prefix}-${digest}`;
}

/**
 * The caches of a job. Jobs of protected refs have caches of their own, so that nobody who may only push to other refs
 * puts files into them.
 */
export function loadCaches(ctx: Context<Caller>, handed: HandedJob): Promise<PayloadCache[]> {
  const { definition, settings } = handed;
  return Promise.all(
    definition.cache.map(async ({ key, unprotect, fallback_keys: fallbacks, untracked, policy, paths, when }) => {
      const suffix =
        !settings.ci_separated_caches || unprotect ? '' : handed.protected ? '-protected' : '-non_protected';
      return {
        key: `${await getKey(ctx, handed, key)}${suffix}`,
        untracked,
        policy,
        paths,
        when,
        fallback_keys: fallbacks.map((fallback) => `${fallback}${suffix}`),
      };
    }),
  );
}
