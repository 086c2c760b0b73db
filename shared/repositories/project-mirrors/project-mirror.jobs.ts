import { queueJob } from '../../core/context/jobs.js';
import type { TransferKind } from '../repositories/repository-transfer.jobs.js';

const category = 'source_code_management';

interface MirrorJob {
  project_id: number;
}

/** Gives up on an update that no try brought to an end, until the next one. */
export const failMirrorUpdates = queueJob<MirrorJob>('project_mirrors.fail', { category });

/** Brings a mirrored project up to date with the repository that it follows. */
export const updateMirrors = queueJob<MirrorJob>('project_mirrors.update', {
  category,
  expireInSeconds: 3600,
  retryLimit: 3,
  deadLetter: failMirrorUpdates.name,
});

/** Asked for so that they take their turn. */
export const mirrorTransfers: TransferKind<MirrorJob> = { job: updateMirrors, user: 'mirror_user' };

/** Sends the updates that are due. */
export const scheduleMirrors = queueJob<Record<string, never>>('project_mirrors.schedule', {
  category,
  everySeconds: 60,
});
