import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { sql } from 'kysely';
import { rebuildDora, rebuildDoraOfProject, refreshDoraDay } from '../../../shared/deployments/deployments.jobs.js';
import type { Deployment } from '../../../shared/deployments/deployments/deployment.entity.js';
import type { Environment } from '../../../shared/deployments/environments/environment.entity.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { anyActive, killWorker } from '../../core/killed-workers.js';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { openStage } from '../../core/stage.js';
import type { Stage } from '../../core/stage.js';
import { Delivery } from './dora-steps.js';
import { naiveRows, rounded } from './naive-dora.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
const LONG = process.env.CAPSTAN_FAULTS === 'long';
const ROUNDS = LONG ? 25 : 2;
/** Per round; a rebuild run by command is killed in addition to the second one. */
const KILLS = 2;
const PROJECTS = LONG ? 20 : 3;
/** Deployments that each project begins with: a roll-up shall take a while. */
const DEPLOYMENTS = LONG ? 3000 : 400;
const DAYS = 60;
/** A kill comes at most that long after a job has begun. */
const SPAN_MS = 400;

const JOBS = [refreshDoraDay.name, rebuildDoraOfProject.name, rebuildDora.name];
const TIERS = ['production', 'production', 'staging', 'other'];

const random = (below: number) => Math.floor(Math.random() * below);
const oneOf = <T>(from: readonly T[]): T => from[random(from.length)] as T;

class Measured {
  readonly #delivery: Delivery;
  readonly #environments: Environment[] = [];
  readonly #deployments: { deployment: Deployment; environment: Environment }[] = [];

  constructor(
    private readonly service: StartedService,
    private readonly stage: Stage,
    readonly project: ProjectRecord,
  ) {
    this.#delivery = new Delivery(stage);
  }

  #instant(): Date {
    return new Date(this.stage.clock.now().getTime() - random(DAYS * 86_400_000));
  }

  /** Environments with deployments over two months, for which no events were published. */
  async begin(): Promise<void> {
    for (const tier of TIERS) this.#environments.push(await this.#delivery.environment(this.project, tier));
    const ids = this.#environments.map(({ id }) => id);
    await this.stage.context().query(sql`
      insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, created_at, updated_at, finished_at)
      select ${this.project.id}, 1000000 + n, (${ids}::bigint[])[1 + n % ${ids.length}], 'main', false, repeat('a', 40),
             'success', at, at, at
        from generate_series(1, ${DEPLOYMENTS}) n
       cross join lateral (select now() - n / 4 % ${DAYS} * interval '1 day' - n * interval '7 seconds' as at) i`);
  }

  /** Something of what makes days stale. */
  async change(): Promise<void> {
    const environment = oneOf(this.#environments);
    const deployment = await this.#delivery.deploy(this.project, environment, this.#instant());
    this.#deployments.push({ deployment, environment });
    const linked = oneOf(this.#deployments);
    const merged = await this.#delivery.merged(this.project, this.#instant());
    await this.#delivery.link(this.project, linked.environment, linked.deployment, merged);
    const index = random(this.#environments.length);
    const tier = oneOf(TIERS);
    this.#environments[index] = await this.#delivery.retier(
      this.project,
      this.#environments[index] as Environment,
      tier,
    );
    const issues = `/projects/${this.project.id}/issues`;
    const { body } = await this.service.root.post(issues, { title: 'Down', issue_type: 'incident' });
    if (random(2) === 0) await this.service.root.put(`${issues}/${body.iid}`, { state_event: 'close' });
  }

  /** The stored metrics, and the expected ones. */
  async rows() {
    return {
      stored: rounded(await this.#delivery.rows(this.project)),
      computed: rounded(await naiveRows(this.stage, this.project)),
    };
  }
}

/** Rows that are wrong, and a rebuild of all. */
async function spoil(stage: Stage): Promise<void> {
  const ctx = stage.context();
  await ctx.transaction(async () => {
    // Roll-ups take rows in an order of their own: without this the two could wait for one another.
    await ctx.query(sql`lock table dora_daily_metrics in exclusive mode`);
    await ctx.query(sql`delete from dora_daily_metrics m where m.environment_id % 2 = 0 and random() < 0.3`);
    await ctx.query(sql`
      update dora_daily_metrics m set deployment_frequency = m.deployment_frequency + 7 where random() < 0.3`);
    await ctx.jobs.send(rebuildDora, {});
  });
}

/** Begins the command that rebuilds all, and kills it on its way. */
async function killRebuild(service: StartedService): Promise<void> {
  const child = fork(path.resolve('dist/shared/rebuild.js'), { env: service.env, stdio: 'ignore' });
  const gone = once(child, 'exit');
  await pause(random(2000));
  child.kill('SIGKILL');
  await gone;
}

/** Nothing waits any more, nor is being done. */
const settled = (service: StartedService) =>
  eventually(async () => {
    const { rows } = await service.database.query<{ left: number }>(
      `select (select count(*) from pgboss.job where name = any($1) and state < 'completed')::int
            + (select count(*) from dora_refreshes)::int as left`,
      [JOBS],
    );
    return rows[0]?.left === 0;
  }, 120);

// Contract: dora-5.killed
test.serial('workers are killed at random in roll-ups and rebuilds: the rows are those of a recompute', async (t) => {
  t.timeout(LONG ? 1_800_000 : 240_000);
  const service = await startService(t);
  service.database.on('error', () => undefined);
  await service.root.put('/application/settings', { dora_refresh_delay_seconds: 0 });
  const stage = await openStage(t, service);
  const measured: Measured[] = [];
  for (let n = 0; n < PROJECTS; n += 1) {
    const { body } = await service.root.post('/projects', { name: `Measured ${n}`, visibility: 'public' });
    measured.push(new Measured(service, stage, await findProject(stage.context(), body.id as number)));
  }
  for (const one of measured) await one.begin();

  let kills = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of measured) await one.change();
    await spoil(stage);
    for (let kill = 0; kill < KILLS && (await anyActive(service, JOBS)); kill += 1) {
      await Promise.all([pause(random(SPAN_MS)), kill === 1 && killRebuild(service)]);
      await killWorker(service, JOBS);
      kills += 1;
      for (const one of measured.slice(0, 3)) await one.change();
    }
    await settled(service);
    for (const one of measured) {
      const { stored, computed } = await one.rows();
      t.true(computed.length >= DAYS);
      t.deepEqual(stored, computed, `round ${round}`);
    }
  }
  t.true(kills >= ROUNDS, `${kills} kills`);
  t.log(`${kills} kills`);
});
