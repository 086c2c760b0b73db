import test from 'ava';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Deployment } from '../../../shared/deployments/deployments/deployment.entity.js';
import type { Environment } from '../../../shared/deployments/environments/environment.entity.js';
import { rebuildAllDora } from '../../../shared/deployments/dora/rebuild-dora.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { Delivery } from './dora-steps.js';
import { naiveRows, rounded } from './naive-dora.js';

const app = useApp(test);
const delivery = new Delivery(app);

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
const RUNS = process.env.CAPSTAN_FAULTS === 'long' ? 500 : 24;

const KINDS = [
  'deploy',
  'deploy',
  'merge',
  'merge',
  'unmerge',
  'fail',
  'undeploy',
  'open',
  'open',
  'close',
  'close',
  'reopen',
  'retype',
  'delete',
  'environment',
  'retier',
  'undo environment',
  'transfer',
  'drain',
] as const;
const TIERS = ['production', 'production', 'staging', 'other'];

interface Step {
  kind: (typeof KINDS)[number];
  /** Which of what there is, and how much time goes by before it: hours. */
  pick: number;
  hours: number;
}

const history = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1000), hours: fc.integer({ min: 0, max: 30 }) }),
  { minLength: 6, maxLength: 24 },
);

type Project = Awaited<ReturnType<typeof app.build.projectIn>>;

/** A project to which things happen. */
class Story {
  readonly #environments: Environment[] = [];
  readonly #deployments: { deployment: Deployment; environment: Environment }[] = [];
  readonly #merged: number[] = [];
  readonly #incidents: string[] = [];

  constructor(
    readonly project: Project,
    private readonly owner: BuiltUser,
    private readonly groups: readonly { id: number }[],
  ) {}

  async take({ kind, pick, hours }: Step): Promise<void> {
    app.clock.advance(`${hours} hours`);
    const done: Record<Step['kind'], () => Promise<unknown>> = {
      deploy: () => this.#deploy(pick),
      merge: () => this.#merge(pick),
      unmerge: () => this.#unmerge(pick),
      fail: () => this.#fail(pick),
      undeploy: () => this.#undeploy(pick),
      open: () => this.#open(),
      close: () => this.#incident(pick, { state_event: 'close' }),
      reopen: () => this.#incident(pick, { state_event: 'reopen' }),
      retype: () => this.#incident(pick, { issue_type: pick % 3 === 0 ? 'issue' : 'incident' }),
      delete: () => this.#delete(pick),
      environment: () => this.#environment(pick),
      retier: () => this.#retier(pick),
      'undo environment': () => this.#removeEnvironment(pick),
      transfer: () =>
        app.as(this.owner).put(`/projects/${this.project.id}/transfer`, { namespace: this.groups[pick % 2]?.id }),
      drain: () => app.work(),
    };
    await done[kind]();
  }

  async #environment(pick: number): Promise<void> {
    this.#environments.push(await delivery.environment(this.project, TIERS[pick % TIERS.length]));
  }

  async #deploy(pick: number): Promise<void> {
    if (this.#environments.length === 0) await this.#environment(pick);
    const environment = this.#environments[pick % this.#environments.length] as Environment;
    const at = new Date(app.clock.now().getTime() - (pick % 3) * 86_400_000);
    this.#deployments.push({ deployment: await delivery.deploy(this.project, environment, at), environment });
  }

  async #merge(pick: number): Promise<void> {
    const found = this.#deployments[pick % this.#deployments.length];
    if (!found) return;
    const at = new Date((found.deployment.finished_at as Date).getTime() - pick * 61_000);
    const id = await delivery.merged(this.project, at);
    this.#merged.push(id);
    await delivery.link(this.project, found.environment, found.deployment, id);
  }

  async #unmerge(pick: number): Promise<void> {
    const [id] = this.#merged.splice(pick % Math.max(this.#merged.length, 1), 1);
    if (id !== undefined) await delivery.removeMergeRequest(this.project, id);
  }

  async #fail(pick: number): Promise<void> {
    const found = this.#deployments[pick % this.#deployments.length];
    if (!found) return;
    const status = found.deployment.status === 'success' ? 'failed' : 'success';
    const { environment, deployment } = found;
    found.deployment = await delivery.setStatus(this.project, environment, deployment, status, app.clock.now());
  }

  async #undeploy(pick: number): Promise<void> {
    const [found] = this.#deployments.splice(pick % Math.max(this.#deployments.length, 1), 1);
    if (found) await delivery.removeDeployment(this.project, found.environment, found.deployment);
  }

  async #open(): Promise<void> {
    const attributes = { title: 'Down', issue_type: 'incident' };
    const { body } = await app.as(this.owner).post(`/projects/${this.project.id}/issues`, attributes);
    this.#incidents.push(`/projects/${this.project.id}/issues/${body.iid}`);
  }

  async #incident(pick: number, change: object): Promise<void> {
    const found = this.#incidents[pick % this.#incidents.length];
    if (found) await app.as(this.owner).put(found, change);
  }

  async #delete(pick: number): Promise<void> {
    const [found] = this.#incidents.splice(pick % Math.max(this.#incidents.length, 1), 1);
    if (found) await app.as(this.owner).delete(found);
  }

  async #retier(pick: number): Promise<void> {
    const index = pick % Math.max(this.#environments.length, 1);
    const found = this.#environments[index];
    if (found) this.#environments[index] = await delivery.retier(this.project, found, TIERS[(pick >> 3) % 4] as string);
  }

  async #removeEnvironment(pick: number): Promise<void> {
    const [found] = this.#environments.splice(pick % Math.max(this.#environments.length, 1), 1);
    if (!found) return;
    for (let index = this.#deployments.length - 1; index >= 0; index -= 1)
      if (this.#deployments[index]?.environment.id === found.id) this.#deployments.splice(index, 1);
    await delivery.removeEnvironment(this.project, found);
  }
}

/** Deployments to production of a group by what its projects' details say. */
async function groupTotals(t: ExecutionContext, owner: BuiltUser, groups: readonly { id: number }[], project: Project) {
  const rows = await naiveRows(app, project);
  const { body } = await app.as(owner).get(`/projects/${project.id}`);
  for (const { id } of groups) {
    const now = app.clock.now();
    const from = new Date(now.getTime() - 170 * 86_400_000).toISOString().slice(0, 10);
    const to = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
    const query = `metric=deployment_frequency&interval=all&start_date=${from}&end_date=${to}`;
    const environmentTiers = 'environment_tiers=production,staging,other';
    const value = (await app.as(owner).get(`/groups/${id}/dora/metrics?${query}&${environmentTiers}`)).body[0].value;
    const expected = body.namespace.id === id ? rows.reduce((sum, row) => sum + (row.frequency ?? 0), 0) : null;
    t.is(value, rows.length === 0 ? null : expected);
  }
}

// Contract: dora-5.histories
test('whatever happens to a project, its rows are those of a naive recompute once nothing waits', async (t) => {
  t.timeout(RUNS * 20_000);
  await app.set({ dora_refresh_delay_seconds: 0 });
  const owner = await app.build.user();
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const groups = [await app.build.group({ owner }), await app.build.group({ owner })];
      const project = await app.build.projectIn(groups[0] as never, { empty: true });
      const story = new Story(project, owner, groups);
      for (const step of steps) {
        await story.take(step);
        if (step.kind === 'drain')
          t.deepEqual(rounded(await delivery.rows(project)), rounded(await naiveRows(app, project)));
      }
      await app.work();
      t.deepEqual(rounded(await delivery.rows(project)), rounded(await naiveRows(app, project)));
      await groupTotals(t, owner, groups, project);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  t.is((await rebuildAllDora(app.context())).changed, 0);
});
