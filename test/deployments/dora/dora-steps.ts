import { sql } from 'kysely';
import type { Deployment } from '../../../shared/deployments/deployments/deployment.entity.js';
import type { Environment } from '../../../shared/deployments/environments/environment.entity.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import type { TestApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';
import type { Stage } from '../../core/stage.js';

/** A day's row as a test writes it. */
interface Row {
  frequency?: number | null;
  lead?: number | null;
  restore?: number | null;
  incidents?: number | null;
}

let iids = 0;

/** Simulates other areas, publishing their events in the same way. */
export class Delivery {
  constructor(private readonly app: Stage) {}

  /** Does something in a transaction as a job would. */
  within<R>(work: (ctx: ReturnType<TestApp['context']>) => Promise<R>): Promise<R> {
    const ctx = this.app.context();
    return ctx.transaction(() => work(ctx));
  }

  environment(project: ProjectRecord, tier = 'production', name = `${tier} ${(iids += 1)}`): Promise<Environment> {
    return this.within(async (ctx) => {
      const now = this.app.clock.now();
      const environment = (await queryOne<Environment>(
        ctx,
        sql`
        insert into environments (project_id, name, slug, tier, created_at, updated_at)
        values (${project.id}, ${name}, ${name.replaceAll(/[^a-z0-9]/g, '-')}, ${tier}, ${now}, ${now})
        returning id as "id", project_id as "project_id", name as "name", tier as "tier", state as "state"`,
      )) as Environment;
      ctx.record({ type: 'environment.created', environment, project });
      return environment;
    });
  }

  retier(project: ProjectRecord, before: Environment, tier: string): Promise<Environment> {
    return this.within(async (ctx) => {
      await ctx.query(sql`update environments set tier = ${tier} where id = ${before.id}`);
      const after = { ...before, tier };
      ctx.record({ type: 'environment.updated', before, after, project });
      return after;
    });
  }

  removeEnvironment(project: ProjectRecord, environment: Environment): Promise<void> {
    return this.within(async (ctx) => {
      await ctx.query(sql`delete from environments where id = ${environment.id}`);
      ctx.record({ type: 'environment.deleted', environment, project });
    });
  }

  /** A deployment that succeeded at an instant. */
  deploy(project: ProjectRecord, environment: Environment, finishedAt: string | Date): Promise<Deployment> {
    return this.within(async (ctx) => {
      const at = new Date(finishedAt);
      const deployment = (await queryOne<Deployment>(
        ctx,
        sql`
        insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, created_at, updated_at, finished_at)
        values (${project.id}, ${(iids += 1)}, ${environment.id}, 'main', false, ${'a'.repeat(40)}, 'success',
                ${at}, ${at}, ${at})
        returning id as "id", project_id as "project_id", environment_id as "environment_id", iid as "iid",
                  status as "status", finished_at as "finished_at"`,
      )) as Deployment;
      ctx.record({ type: 'deployment.created', deployment, environment, project });
      return deployment;
    });
  }

  setStatus(
    project: ProjectRecord,
    environment: Environment,
    before: Deployment,
    status: string,
    finishedAt: Date,
  ): Promise<Deployment> {
    return this.within(async (ctx) => {
      const after = { ...before, status, finished_at: finishedAt };
      await ctx.query(sql`
        update deployments set status = ${status}, finished_at = ${finishedAt} where id = ${before.id}`);
      ctx.record({ type: 'deployment.changed', before, after, environment, project });
      return after;
    });
  }

  removeDeployment(project: ProjectRecord, environment: Environment, deployment: Deployment): Promise<void> {
    return this.within(async (ctx) => {
      await ctx.query(sql`delete from deployments where id = ${deployment.id}`);
      ctx.record({ type: 'deployment.deleted', deployment, environment, project });
    });
  }

  /** A merge request that was merged at an instant. @returns its id */
  async merged(project: ProjectRecord, mergedAt: string | Date): Promise<number> {
    const at = new Date(mergedAt);
    const iid = (iids += 1);
    const row = await queryOne<{ id: number }>(
      this.app.context(),
      sql`
      insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, state,
                                  merged_at, created_at, updated_at)
      values (${project.id}, ${iid}, ${project.id}, ${`topic-${iid}`}, 'main', ${`Topic ${iid}`}, 'merged',
              ${at}, ${at}, ${at}) returning id as "id"`,
    );
    return row?.id ?? 0;
  }

  link(
    project: ProjectRecord,
    environment: Environment,
    deployment: Deployment,
    mergeRequestId: number,
  ): Promise<void> {
    return this.within(async (ctx) => {
      await ctx.query(sql`
        insert into deployment_merge_requests (deployment_id, project_id, environment_id, merge_request_id, linked_at)
        values (${deployment.id}, ${project.id}, ${environment.id}, ${mergeRequestId}, ${this.app.clock.now()})
        on conflict do nothing`);
      ctx.record({ type: 'deployment.linked', deployment, environment, project, merge_request_ids: [mergeRequestId] });
    });
  }

  removeMergeRequest(project: ProjectRecord, id: number): Promise<void> {
    return this.within(async (ctx) => {
      await ctx.query(sql`delete from merge_requests where id = ${id}`);
      ctx.record({ type: 'merge_request.deleted', merge_request: { id } as never, project });
    });
  }

  /** A row as roll-ups write it. */
  async row(environment: Environment, date: string, row: Row): Promise<void> {
    await this.app.context().query(sql`
      insert into dora_daily_metrics (environment_id, date, project_id, deployment_frequency,
        lead_time_for_changes_in_seconds, time_to_restore_service_in_seconds, incidents_count)
      values (${environment.id}, ${date}::date, ${environment.project_id}, ${row.frequency ?? null}, ${row.lead ?? null},
              ${row.restore ?? null}, ${row.incidents ?? null})`);
  }

  /** The rows of a project as they are, by environment and date. */
  rows(project: { id: number }): Promise<StoredRow[]> {
    return this.app.context().query<StoredRow>(sql`
      select m.environment_id as "environment_id", m.date::text as "date", m.deployment_frequency as "frequency",
             m.lead_time_for_changes_in_seconds as "lead", m.time_to_restore_service_in_seconds as "restore",
             m.incidents_count as "incidents"
        from dora_daily_metrics m where m.project_id = ${project.id} order by m.environment_id, m.date`);
  }
}

export interface StoredRow {
  environment_id: number;
  date: string;
  frequency: number | null;
  lead: number | null;
  restore: number | null;
  incidents: number | null;
}
