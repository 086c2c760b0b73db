import type { Expression, SqlBool } from 'kysely';
import { z } from 'zod';
import { anyOf } from '../../core/database/expressions.js';
import { asArray, optional } from '../../core/operations/fields.js';
import { PIPELINE_STATUSES } from '../pipelines/pipeline.filters.js';
import { onPipelineJobs } from './job.finder.js';

const KNOWN: ReadonlySet<unknown> = new Set(PIPELINE_STATUSES);

/** States to keep: one, several, or none for all. One bad state makes the whole `scope` bad. */
export const jobScope = optional(
  z
    .preprocess(
      (value) => [asArray(value)].flat(),
      z.array(z.unknown()).refine((values) => values.every((value) => KNOWN.has(value)), 'does not have a valid value'),
    )
    .meta({ type: 'array', items: { type: 'string', enum: [...PIPELINE_STATUSES] } }),
).describe('Only jobs in one of these states.');

/** The condition on `j` that a scope stands for. */
export function scopeCondition(scope: readonly unknown[] | undefined): Expression<SqlBool>[] {
  return scope === undefined || scope.length === 0
    ? []
    : [onPipelineJobs('j.status', '=', anyOf(scope as readonly string[], 'text'))];
}
