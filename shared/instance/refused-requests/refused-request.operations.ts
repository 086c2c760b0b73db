import { text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { findRefused } from './refused-request.finder.js';

/** Explain why a request was refused: one's own, and for administrators anybody's (beyond the public API). */
export const explainRefusedRequest = operation({
  name: 'explainRefusedRequest',
  summary: 'Explain why a request was refused',
  subject: instance,
  kind: 'read',
  statements: 2,
  params: {
    request_id: text()
      .describe('The `X-Request-Id` of its answer. Refusals are kept for an hour.')
      .meta({ examples: ['7d2f1c3e-90a4-4c57-8a53-0d4d5f7e8b11'] }),
  },
  run: (ctx, _instance, input) => findRefused(ctx, input.request_id),
});
