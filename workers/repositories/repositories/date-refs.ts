import { dateRefs } from '../../../shared/repositories/repositories/date-refs.js';
import { dateRepositoryRefs } from '../../../shared/repositories/repositories.jobs.js';
import { handler } from '../../core/handler.js';

/** Gives refs their dates that were indexed without one. */
export const datesOfRefs = handler({
  kind: dateRepositoryRefs,
  batchSize: 1,
  handle: (ctx) => dateRefs(ctx),
});
