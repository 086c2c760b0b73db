import type pg from 'pg';
import type { Queryable } from '../../shared/core/database/database.js';
import type { Statement } from '../../shared/core/database/driver/statement.js';
import { expandRef, findRef } from '../../shared/repositories/repositories/repository-ref.finder.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { quantile } from './statistics.js';

const REFS = 10_000;
const LOOKUPS = 3_000;
const WARM_UP = 200;
const GOAL_MS = 1;

const getName = (index: number) => `story/${String(index).padStart(5, '0')}`;

/** An index with a number of branches and tags; only the index is read. */
const fill = (db: pg.Pool, projectId: number) =>
  db.query(
    `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
     select $1, 'branch', 'refs/heads/story/' || lpad(i::text, 5, '0'), 'story/' || lpad(i::text, 5, '0'),
            md5(i::text) || '00000000', md5(i::text) || '00000000', now(), now() from generate_series(0, $2) i`,
    [projectId, REFS - 1],
  );

/** Milliseconds that each of many look-ups took, one after the other. */
async function getTimes(lookup: (name: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < LOOKUPS + WARM_UP; count += 1) {
    const name = getName(Math.floor(Math.random() * REFS));
    const began = performance.now();
    if (!(await lookup(name))) throw new Error(`${name} was not found.`);
    if (count >= WARM_UP) times.push(performance.now() - began);
  }
  return times;
}

/** The lookup of a branch in an index of 10,000 refs, by its full name and its short one, from request to response. */
export const refLookup: Bench = {
  name: 'ref-look-up',
  async run(site): Promise<Goal[]> {
    const { projectId } = site.data;
    await fill(site.db, projectId);
    await site.db.query('analyze repository_refs');
    const client = await site.db.connect();
    const db: Queryable = {
      query: async <T>({ text, values }: Statement) =>
        (await client.query({ name: text.slice(0, 60), text, values: [...values] })).rows as T[],
    };
    try {
      const full = await getTimes((name) => findRef(db, projectId, `refs/heads/${name}`));
      const short = await getTimes((name) => expandRef(db, projectId, name));
      return [['by full name', full] as const, ['by short name', short] as const].map(([how, times]) => {
        const p99 = quantile(times, 0.99);
        report(`${how}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
        const name = `ref-look-up ${how}`;
        return { name, target: `p99 <= ${GOAL_MS} ms`, measured: `${p99.toFixed(2)} ms`, holds: p99 <= GOAL_MS };
      });
    } finally {
      client.release();
    }
  },
};
