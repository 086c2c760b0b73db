import { out, shape } from '../../core/operations/shape.js';

/** That a commit could be picked, and was not. */
export interface DryRun {
  dry_run: 'success';
}

export const dryRunShape = shape<DryRun>('DryRun', {
  dry_run: out.text((result) => result.dry_run, { enum: ['success'] }),
});
