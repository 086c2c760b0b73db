import type { WorkerDomain } from '../core/handler.js';
import type { Context, SignedInContext } from '../../shared/core/context/context.js';
import type { JobKind } from '../../shared/core/context/jobs.js';
import { planGroupImports, planProjectArchives, failImportPlans } from '../../shared/archives/archives.jobs.js';
import { planGroupImport, planProjectImport } from '../../shared/archives/container-imports/plan-container-import.js';
import type { PlanJob } from '../../shared/archives/archives.jobs.js';
import { closeImportPlan, runImportPlan } from '../../shared/archives/import-plans/run-import-plan.js';
import type { PlannedArchive } from '../../shared/archives/import-plans/run-import-plan.js';
import { handler } from '../core/handler.js';
import { whenCancelled } from '../core/job-ends.js';
import {
  exporting,
  failureOfExports,
  failureOfUploads,
  sweepOfExports,
  uploadOfExports,
  failureOfRelationExports,
  relationExporting,
  sweepOfRelationExports,
} from './exports/export.js';
import {
  failureOfGroupImports,
  importOfGroups,
  failureOfProjectArchives,
  importOfProjectArchives,
  sweepOfImports,
} from './container-imports/import.js';

const fail = (ctx: Context, { plan_id: id }: PlanJob, reason: string) =>
  closeImportPlan(ctx, id, { reason: `The plan could not be made: ${reason}` });

/** Creates plans of one kind, each in a separate job because a user waits for it. */
const planning = <I>(
  kind: JobKind<PlanJob>,
  make: (ctx: SignedInContext, archive: PlannedArchive, input: I) => Promise<object>,
) =>
  handler<PlanJob>({
    kind,
    batchSize: 1,
    concurrency: 4,
    handle: (ctx, payload) =>
      whenCancelled(
        ctx,
        () => runImportPlan(ctx, payload.plan_id, make),
        (still) => fail(still, payload, 'its job was cancelled.'),
      ),
    onProcessExit: fail,
  });

const planningOfGroups = planning(planGroupImports, planGroupImport);
const planningOfProjects = planning(planProjectArchives, planProjectImport);

/** Fails plans that no try could make. */
const failureOfPlans = handler({
  kind: failImportPlans,
  batchSize: 20,
  handle: (ctx, payload) => fail(ctx, payload, 'its job failed.'),
});

export const archivesWorkers: WorkerDomain = {
  handlers: [
    exporting,
    failureOfExports,
    failureOfGroupImports,
    failureOfPlans,
    failureOfProjectArchives,
    failureOfRelationExports,
    failureOfUploads,
    importOfGroups,
    importOfProjectArchives,
    planningOfGroups,
    planningOfProjects,
    relationExporting,
    sweepOfRelationExports,
    sweepOfExports,
    sweepOfImports,
    uploadOfExports,
  ],
};
